import { attributesOf, cells } from '../shared/cells.js';

const RICH = {
  size: 30,
  class: 'mine',
  style: 'opacity:.5',
  'data-rich': 'yes',
  role: 'presentation',
};

export const app = () =>
  cells
    .map((cell) => {
      const { class: name, style } = attributesOf(cell);
      return `<div class="${name}" style="${style}">${cell.icon.toHTML(cell.rich ? RICH : cell.props)}</div>`;
    })
    .join('');
