import { isPublicHost } from '../public-host.ts';

// Embedding, override and isolate controls, marks and the byte order mark: one of them in an untrusted name could turn round the words after it.
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
// Line separators and controls of both ranges count as white space.
const BREAKS = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
// ASCII, Latin letters and typographic marks: nothing has to be removed from them, and nearly every text has only these.
const HARMLESS = /^[\x21-\x7e\u00c0-\u024f‘’“”–—…]+(?: [\x21-\x7e\u00c0-\u024f‘’“”–—…]+)*$/;

/** An untrusted text as one line of plain text: no break, no control, no direction mark. May be empty. */
export function toPlainLine(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text
    .replace(BIDI_CONTROLS, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(BREAKS, ' ')
    .trim();
}

/** The same for a text that stands inside a sentence: right-to-left words are isolated, so that they do not reorder it. */
export function toIsolatedLine(text: string): string {
  if (HARMLESS.test(text)) return text;
  const line = toPlainLine(text);
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}

/** Ends before a bracket that the address did not open. */
const ADDRESS = /https?:\/\/(?:[^\s<>"'“”‘’()]|\([^\s<>"'“”‘’()]*\))+/gi;

/** A text in parts, every second one of which is a web address that everybody can reach. */
export function splitAddresses(text: string): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    // The full stop is the sentence's own.
    const address = found.replace(/[.,;:!?]+$/, '');
    if (!URL.canParse(address) || !isPublicHost(new URL(address).hostname)) continue;
    parts.push(text.slice(end, index), address);
    end = index + address.length;
  }
  return [...parts, text.slice(end)];
}

/** Order of UTF-16 code units: the same on every machine and in every locale. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Fit for the id of a build. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]+$/, '');
}
