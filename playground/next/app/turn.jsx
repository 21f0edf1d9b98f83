'use client';

import { useState } from 'react';
import { Brush } from './icons/index.js';

/** Drawn on the server, alive in the browser. */
export function Turn() {
  const [turns, setTurns] = useState(0);
  return (
    <button onClick={() => setTurns(turns + 1)}>
      <Brush style={{ transform: `rotate(${turns * 45}deg)` }} /> {turns} turns
    </button>
  );
}
