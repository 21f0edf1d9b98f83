import { createElement, useRef, useState } from 'react';
import { cells } from '../shared/cells.js';

function Rich({ icon }) {
  const ref = useRef(null);
  const [size, setSize] = useState(30);
  return createElement(icon, {
    ref,
    size,
    className: 'mine',
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
  return cells.map(({ icon, props, rich, hidden }, key) =>
    createElement(
      'div',
      { key, className: 'cell', style: hidden ? { display: 'none' } : {} },
      createElement(rich ? Rich : icon, rich ? { icon } : props),
    ),
  );
}
