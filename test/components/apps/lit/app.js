import { html } from 'lit';
import { createRef } from 'lit/directives/ref.js';
import { attributesOf, cells } from '../shared/cells.js';

const drawn = createRef();

export const app = (size, grow) =>
  cells.map((cell) => {
    const rich = {
      ref: drawn,
      size,
      class: 'mine',
      style: 'opacity:.5',
      'data-rich': 'yes',
      role: 'presentation',
      '@click': () => {
        globalThis.clicked = drawn.value;
        grow(36);
      },
    };
    const { class: name, style } = attributesOf(cell);
    const icon = cell.icon(cell.rich ? rich : cell.props);
    return html`<div class=${name} style=${style}>${icon}</div>`;
  });
