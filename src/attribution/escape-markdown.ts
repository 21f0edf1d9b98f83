import { toIsolatedLine } from './plain-text.ts';

const PUNCTUATION = /[!-/:-@[-`{-~]/g;
// GitHub looks for bare addresses in the finished text too; without its neighbours joined there is none to find.
const BARE_ADDRESS = /(?<=\bwww|\bhttps?|\bftp|\bmailto|\bxmpp)(?=[.:])|(?<=@)(?=[\w.-])/gi;
const WORD_JOINER = '\u2060';

/**
 * A stranger's text as one line of Markdown that reads as written: every ASCII punctuation character escaped (CommonMark §2.4),
 * so no markup, entity, table cell, list or link begins; bare addresses are kept from becoming links.
 */
export function escapeMarkdown(text: string): string {
  return toIsolatedLine(text).replace(BARE_ADDRESS, WORD_JOINER).replace(PUNCTUATION, '\\$&');
}
