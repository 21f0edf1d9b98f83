import { renderPage } from 'astro/compiler-runtime';
import { attributesOf, cells } from '../shared/cells.js';

const RICH = {
  size: 30,
  'class:list': ['mine'],
  style: { opacity: 0.5 },
  'data-rich': 'yes',
  role: 'presentation',
};

export const render = () =>
  renderPage(
    cells.map((cell) => [attributesOf(cell), cell.icon, cell.rich ? RICH : (cell.props ?? {})]),
  );
