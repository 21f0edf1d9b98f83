import { type Finder, isIconReference } from './found.ts';

/** A string or an unquoted address. */
const ADDRESS = /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))\s*\)/gi;
const STRING = /"(icon:[^"\n]*)"|'(icon:[^'\n]*)'/g;
/** Contexts in which a string is an address: an imported stylesheet, the candidates of `image-set()`. */
const WITH_STRINGS = /@(?:import|use|forward)\b[^;{}]*|\bimage-set\((?:[^()]|\([^()]*\))*\)/gi;
/** Text that the preprocessor inserts: `#{$id}`, `@{id}`, `"icon:" + $id`, `$id`. */
const COMPUTED = /#\{|@\{|^icon:$/;
const CONCATENATED = /\burl\(\s*(["'])icon:[^"'\n]*\1\s*[+~]/gi;

/**
 * Finds `url(icon:…)` in CSS, SCSS, Less, Sass or Stylus: in a whole stylesheet, in one that begins at `base` in a file
 * of another language, or in the declarations of a `style` attribute. Comments are left out; nothing else in these
 * languages changes what an address is, so a parser is not needed.
 */
export function scanStyle(
  whole: string,
  { finder, base = 0 }: { finder: Finder; base?: number },
): void {
  if (!whole.includes('icon:')) return;
  const code = withoutComments(whole);
  const found = (specifier: string | undefined, match: RegExpMatchArray, from = 0): void => {
    const start = base + from + (match.index ?? 0);
    if (specifier === undefined || !specifier.startsWith('icon:')) return;
    if (COMPUTED.test(specifier)) finder.unknown(start, start + match[0].length);
    else if (isIconReference(specifier))
      finder.reference(specifier, start + match[0].indexOf(specifier), 'style');
  };
  for (const match of code.matchAll(ADDRESS)) found(match[1] ?? match[2] ?? match[3], match);
  for (const { index, 0: text } of code.matchAll(CONCATENATED))
    finder.unknown(base + index, base + index + text.length);
  for (const { index, 0: part } of code.matchAll(WITH_STRINGS))
    for (const match of part.matchAll(STRING)) found(match[1] ?? match[2], match, index);
}

/** The same text, with spaces in place of comments: offsets stay right. A `//` within an address is no comment. */
function withoutComments(code: string): string {
  return code.replace(
    /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|\burl\([^()"']*\)|\/\*[^]*?(?:\*\/|$)|(?<=^|[\s;{}])\/\/[^\n]*/g,
    (text) => (text.startsWith('/') ? text.replace(/[^\n]/g, ' ') : text),
  );
}
