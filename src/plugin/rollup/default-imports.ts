const QUOTED = /["'`]icon:/g;
/** A default import and nothing besides, as transforms write it. */
const DEFAULT_IMPORT = /\bimport\s+[\w$]+\s*from\s*(["'])icon:[^"'`\\\n]*\1/g;

/**
 * True where a module certainly uses no more than the default exports of the icons that it imports. Whatever else
 * holds the word `icon:` in quotes, be it a string or a comment, makes it uncertain.
 *
 * @param code as it is parsed, after all transforms
 */
export function importsDefaultsOnly(code: string): boolean {
  return count(code, QUOTED) === count(code, DEFAULT_IMPORT);
}

function count(code: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(code)) found += 1;
  return found;
}
