import type { Credit } from '../types.ts';
import { creditComment } from './credit-comment.ts';

/** Name of the file, which bundlers put a hash of its content into. */
export const SPRITE_FILE = 'sprite.svg';

/** One icon of a sprite file. */
export interface SpriteSymbol {
  /** Id within the file. */
  id: string;
  /** `<symbol id="…">…</symbol>`. */
  symbol: string;
  credit: Credit;
}

/** The file that holds them, each once, in an order of its own; every drawing stands behind its credit. */
export function renderSpriteFile(symbols: Iterable<SpriteSymbol>): string {
  const lineById = new Map<string, string>();
  for (const { id, symbol, credit } of symbols) {
    lineById.set(id, `${creditComment(credit)}\n${symbol}`);
  }
  const lines = [...lineById]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([, line]) => line);
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${lines.join('\n')}\n</svg>\n`;
}
