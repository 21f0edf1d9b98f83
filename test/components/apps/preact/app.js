import { h } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { attributesOf, cells } from '../shared/cells.js';

function Rich({ icon }) {
  const ref = useRef(null);
  const [size, setSize] = useState(30);
  return h(icon, {
    ref,
    size,
    class: 'mine',
    style: { opacity: 0.5 },
    'data-rich': 'yes',
    role: 'presentation',
    onClick: () => {
      globalThis.clicked = ref.current;
      setSize(36);
    },
  });
}

export function App() {
  return cells.map((cell) =>
    h('div', attributesOf(cell), h(cell.rich ? Rich : cell.icon, cell.rich ? cell : cell.props)),
  );
}
