import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../../../src/cli/terminal.ts';

/** Columns of the widest line. */
export function widest(text: string): number {
  return Math.max(0, ...stripVTControlCharacters(text).split('\n').map(widthOf));
}
