/**
 * The names that an icon can get, and the variables that are called after them. The page of the icon browser checks names by
 * the same rules as the files that are written, so this file imports nothing.
 */

/** Names that mean something else, after `icon:` or in JavaScript. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'credits',
  'set',
  '__proto__',
  'constructor',
]);

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:\/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*)*$/u;

/** True for letters, digits, `-` and `_`, in parts between `/`, that begin with a letter. */
export function isAliasName(name: string): boolean {
  return NAME.test(name);
}

/** An option for people to copy, where no file can be written. */
export function aliasLines(aliases: Readonly<Record<string, number | string>>): string {
  const entries = Object.entries(aliases).map(
    ([alias, value]) => `  ${JSON.stringify(alias)}: ${JSON.stringify(value)},\n`,
  );
  return `aliases: {\n${entries.join('')}}`;
}

/** The variable that an import gives: `calendar-2` → `calendar2`, `ui/arrow-left` → `arrowLeft`. */
export function toVariable(name: string): string {
  const words = /[^/]*$/.exec(name)?.[0].match(/[\p{L}\p{N}_$]+/gu) ?? ['icon'];
  const joined = words
    .map((word, at) => {
      const first = word.charAt(0);
      return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + word.slice(1);
    })
    .join('');
  if (/^\d/.test(joined)) return `icon${joined}`;
  return KEYWORDS.has(joined) ? `${joined}Icon` : joined;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  'arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);
