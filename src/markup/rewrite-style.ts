import { applyEdits, type Edit } from './apply-edits.ts';
import { toCssUrl } from './css-escapes.ts';
import {
  findStyleReferences,
  type StyleReference,
  type StyleSyntax,
} from './find-style-references.ts';

/**
 * A style sheet, or the value of a `style` attribute, with addresses in place of its `icon:` references.
 * @param addressOf is asked for one reference after the other, in order, with its offset
 */
export async function rewriteStyle(
  css: string,
  addressOf: (reference: StyleReference, offset: number) => Promise<string>,
  syntax: StyleSyntax = {},
): Promise<string> {
  const edits: Edit[] = [];
  for (const reference of findStyleReferences(css, syntax)) {
    const { start, end } = reference;
    edits.push({ start, end, text: toCssUrl(await addressOf(reference, start)) });
  }
  return edits.length === 0 ? css : applyEdits(css, edits);
}
