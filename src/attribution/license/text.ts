import { remember } from '../../untrusted.ts';

/** GPL-3.0 has 35 KB. What is longer is no text of a licence. */
const LONGEST = 64 * 1024;

const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A line that says who holds the rights since when: the word alone also begins lines of many terms. */
const HOLDER =
  /^[\s*#>-]*((?:(?:portions )?copyright(?: notice)?:?\s+(?:(?:©|\(c\)|\d{4}).*|(?!notice|holder|owner|law|licen)[^\n]*\b\d{4}\b.*)|(?:©|\(c\))\s+\S.*))$/i;
/** `Copyright [yyyy] [name of copyright owner]`: a form to fill in. */
const FORM = /[[<{](?:yyyy|year|name of)/i;
/** The licence's own copyright, and not that of the icons. */
const OWN = /Free Software Foundation, Inc\.|Creative Commons Corporation|SIL International/i;

/**
 * A licence text as it is kept: LF, no controls, no marks of direction. Equal texts are one string in memory.
 * `undefined` for nothing, and for what is too long.
 */
export function cleanLicenseText(text: string | undefined): string | undefined {
  return text === undefined || text.length > LONGEST ? undefined : cleaned(text);
}

const cleaned = remember((text) => {
  const clean = text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(DIRECTION_MARKS, '')
    .replaceAll(CONTROLS, '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
  return clean === '' ? undefined : clean;
});

/** The lines of a text that say who holds the rights; `undefined` if there are none. */
export const copyrightOf: (text: string) => string | undefined = remember((text) => {
  const lines = text.split('\n').map((line) => HOLDER.exec(line)?.[1]?.trim() ?? '');
  const known = lines.filter((line) => line !== '' && !FORM.test(line) && !OWN.test(line));
  return known.length === 0 ? undefined : [...new Set(known)].join('\n');
});

/** The same of several texts, such as the notices of a file: each line once. */
export function copyrightsIn(texts: readonly string[] = []): string[] {
  return [...new Set(texts.flatMap((text) => copyrightOf(text)?.split('\n') ?? []))];
}
