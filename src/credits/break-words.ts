import type { CreditsNode } from './describe-list.ts';

/** Longer than this, no word fits on a phone; an address is broken before it comes to that. */
const LONGEST = 40;

/** The scheme with its host, then up to and including what separates the parts of an address, or as much as fits on any line. */
const PIECES = /(?:\(?https?:\/\/)?[^/?&#=]{0,15}[/?&#=]+|[^/?&#=]{1,16}/g;

/**
 * A text with `<wbr>` in its addresses, so that a narrow page need not scroll sideways. Elements do it without a style
 * sheet, and without a style in the markup, which a page's policy may forbid. Only ASCII: elsewhere a character may be
 * made of several.
 */
export function breakWords(text: string): CreditsNode[] {
  const nodes: CreditsNode[] = [];
  let kept = 0;
  for (const { 0: word, index } of text.matchAll(/[!-~]{17,}/g)) {
    if (!word.includes('/') && word.length <= LONGEST) continue;
    let end = index;
    for (const [piece] of word.matchAll(PIECES)) {
      end += piece.length;
      if (end === index + word.length) break;
      nodes.push(text.slice(kept, end), { tag: 'wbr', attributes: {}, children: [] });
      kept = end;
    }
  }
  return [...nodes, text.slice(kept)];
}
