import type { Credit } from '../types.ts';
import { CREDITS_SLOT } from './session-types.ts';

/** The module while the shipped icons are not known: `CREDITS_SLOT` once, alone in a string literal. */
export function pendingCreditsCode(): string {
  return moduleCode(CREDITS_SLOT);
}

export function creditsCode(credits: readonly Credit[], complete: boolean): string {
  return moduleCode(toSlotText(credits, complete));
}

/**
 * Percent-encoded JSON: letters, digits and `-_.!~*()%` only, so that it stands unchanged in any quotes that a minifier
 * chooses, also in a string within a string (webpack's eval devtools).
 */
export function toSlotText(credits: readonly Credit[], complete: boolean): string {
  return encodeURIComponent(JSON.stringify({ credits, complete })).replaceAll("'", '%27');
}

function moduleCode(text: string): string {
  return [
    `const payload = /* @__PURE__ */ JSON.parse(/* @__PURE__ */ decodeURIComponent("${text}"));`,
    'const credits = payload.credits;',
    'export default credits;',
    'export const complete = payload.complete;',
    '',
  ].join('\n');
}

/** What the decoded text of `icon:credits` begins with, its quotes escaped or not. */
const BEGINNING = /(["'`])(?=\{\\?"credits\\?":)/g;

/**
 * A script with other credits in it than were filled in when it was rendered. Minifiers may have decoded the text since
 * (Rolldown's does), and have chosen the quotes around it.
 *
 * @param before what was filled in, as `creditsText` makes it
 * @param after likewise
 */
export function replaceCredits(code: string, before: string, after: string): string {
  if (code.includes(before)) return code.replaceAll(before, () => after);
  const decoded = decodeURIComponent(before);
  let replaced = '';
  let rest = 0;
  for (const { 1: quote = '', index } of code.matchAll(BEGINNING)) {
    const end = endOf(code, index + 1, quote);
    if (index < rest || end === undefined || unquote(code.slice(index + 1, end)) !== decoded)
      continue;
    replaced += code.slice(rest, index + 1) + requote(decodeURIComponent(after), quote);
    rest = end;
  }
  return replaced + code.slice(rest);
}

/** Where a literal ends. */
function endOf(code: string, start: number, quote: string): number | undefined {
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === quote) return at;
  }
  return undefined;
}

const ESCAPE = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))/g;

/** JSON in one line has no ends of lines; all other letters stand for themselves. */
function unquote(literal: string): string {
  return literal.replace(ESCAPE, (_, long?: string, short?: string, byte?: string, letter = '') => {
    const digits = long ?? short ?? byte;
    return digits === undefined ? letter : String.fromCodePoint(Number.parseInt(digits, 16));
  });
}

function requote(text: string, quote: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('${', '\\${')
    .replace(/<\/(?=script)/gi, '<\\/')
    .replace(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
