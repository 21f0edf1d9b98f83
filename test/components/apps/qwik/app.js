import { jsx, qrl } from '@builder.io/qwik';
import { attributesOf, cells } from '../shared/cells.js';

const RICH = {
  size: 30,
  class: 'mine',
  style: { opacity: 0.5 },
  'data-rich': 'yes',
  role: 'presentation',
  onClick$: qrl('./client.js', 'grow'),
};

export const App = () =>
  cells.map((cell) =>
    jsx('div', {
      ...attributesOf(cell),
      children: jsx(cell.icon, cell.rich ? RICH : (cell.props ?? {})),
    }),
  );
