import { toIsolatedLine } from './plain-text.ts';

// Everything that can begin or end markup, an entity, maths, a table cell, a link or an emoji anywhere in a line. The other
// ASCII punctuation has a meaning only where a line begins, where strangers' text never stands, or after one of these.
const MARKUP = /[\\`*_~[\]{}<>&|!#$^=+:@]/g;
// Some renderers look for bare addresses in the finished text; a word joiner leaves none to find.
const BARE_ADDRESS = /\b(?:www|https?|ftp|mailto|xmpp)(?=[.:])|@(?=[\w.-])/gi;
const HARMLESS = /^\w+(?:[ ,;()'-]+\w+)*\)?$/;
const WORD_JOINER = '\u2060';

/** A stranger's text as a part of a line of Markdown (CommonMark and GitHub's) that reads as it was written. */
export function escapeMarkdown(text: string): string {
  if (HARMLESS.test(text) && !text.includes('_')) return text;
  return toIsolatedLine(text).replace(BARE_ADDRESS, `$&${WORD_JOINER}`).replace(MARKUP, '\\$&');
}
