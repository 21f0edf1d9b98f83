import { isIconReference } from './is-icon-reference.ts';
import type { Finder } from './found.ts';

const QUOTED = /(["'`])(icon:(?:(?!\1)[^\s\\$])*)\1/g;
const ADDRESS = /\burl\(\s*(icon:[^\s"'()]+)\s*\)/g;
const ATTRIBUTE = /\s(?:src|href)\s*=\s*(icon:[^\s"'>]+)/g;

/**
 * Finds references without knowing the language: everything quoted, and addresses of styles and markup. Sees too much
 * rather than too little. Says so where `reason` tells why the file could not be read.
 */
export function scanText(
  code: string,
  {
    finder,
    base = 0,
    at = base,
    reason,
  }: { finder: Finder; base?: number; at?: number; reason?: string | undefined },
): void {
  for (const [pattern, group, place] of [
    [QUOTED, 2, 'script'],
    [ADDRESS, 1, 'style'],
    [ATTRIBUTE, 1, 'markup'],
  ] as const) {
    for (const match of code.matchAll(pattern)) {
      const specifier = match[group] ?? '';
      if (isIconReference(specifier))
        finder.reference(specifier, base + match.index + match[0].indexOf(specifier), place);
    }
  }
  if (reason === undefined) return;
  finder.warn(`cannot be read (${reason}); its icons were searched for as plain text`, at);
}
