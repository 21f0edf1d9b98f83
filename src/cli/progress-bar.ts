import { fitText } from './fit-text.ts';
import type { Output } from './host.ts';
import { createPaint } from './paint.ts';

export interface ProgressBar {
  advance(): void;
  /** Takes the bar away; what has been done is said in the summary. */
  end(): void;
}

const CELLS = 30;
const CLEAR = '\r\u001b[2K';

/**
 * A bar in the last line of a terminal; nothing elsewhere.
 */
export function createProgressBar(
  output: Output,
  { noun, total }: { noun: string; total: number },
): ProgressBar {
  if (!output.isTerminal) return { advance: () => undefined, end: () => undefined };
  const paint = createPaint(output);
  let done = 0;
  let drawn = '';

  function draw(): void {
    const cells = Math.min(CELLS, Math.floor((done / Math.max(total, done, 1)) * CELLS));
    const words = fitText(` ${done} of ${total} ${noun}`, (output.columns || 80) - CELLS - 1);
    const bar = `${paint('cyan', '█'.repeat(cells))}${paint('dim', '░'.repeat(CELLS - cells))}${words}`;
    if (bar !== drawn) output.write(`${CLEAR}${bar}`);
    drawn = bar;
  }

  draw();
  return {
    advance() {
      done += 1;
      draw();
    },
    end: () => output.write(CLEAR),
  };
}
