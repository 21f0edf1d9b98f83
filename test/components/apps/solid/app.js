import { createComponent, createSignal } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { attributesOf, cells } from '../shared/cells.js';

function Rich({ icon }) {
  let drawn;
  const [size, setSize] = createSignal(30);
  return createComponent(icon, {
    ref: (element) => (drawn = element),
    get size() {
      return size();
    },
    class: 'mine',
    style: { opacity: 0.5 },
    'data-rich': 'yes',
    role: 'presentation',
    onClick: () => {
      globalThis.clicked = drawn;
      setSize(36);
    },
  });
}

export const App = () =>
  cells.map((cell) =>
    createComponent(Dynamic, {
      component: 'div',
      ...attributesOf(cell),
      get children() {
        return createComponent(cell.rich ? Rich : cell.icon, cell.rich ? cell : (cell.props ?? {}));
      },
    }),
  );
