import { styleText } from 'node:util';
import type { Output } from './host.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

/** Colours where the output shows them, the text as it is elsewhere. */
export function createPaint({ hasColor }: Pick<Output, 'hasColor'>): Paint {
  return (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text);
}
