import { splitAddresses, toIsolatedLine } from './plain-text.ts';

// Everything that can begin or end markup, an entity, maths, a table cell, a link or an emoji anywhere in a line. The other
// ASCII punctuation has a meaning only where a line begins, where untrusted text never stands, or after one of these.
const MARKUP = /[\\`*_~[\]{}<>&|!#$^=+:@]/g;
const HARMLESS = /^\w+(?:[ ,;()'-]+\w+)*\)?$/;

/**
 * Untrusted text as a part of a line of Markdown (CommonMark and GitHub's) that reads as it was written. Its web
 * addresses are links, as they are in any renderer that looks for bare ones: `<https://…>` keeps them whole.
 */
export function escapeMarkdown(text: string): string {
  if (HARMLESS.test(text) && !text.includes('_')) return text;
  return splitAddresses(toIsolatedLine(text))
    .map((part, index) => (index % 2 === 0 ? part.replace(MARKUP, '\\$&') : `<${part}>`))
    .join('');
}
