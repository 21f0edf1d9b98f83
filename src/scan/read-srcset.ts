import { isIconReference } from './is-icon-reference.ts';

/**
 * The `icon:` addresses of a `srcset`, each with where it begins.
 * HTML: candidates are separated by commas; an address ends at white space, and commas at its end are not part of it.
 */
export function readSrcset(text: string): { specifier: string; at: number }[] {
  return [...text.matchAll(/(?<=^|,)\s*([^\s,][^\s]*?),*(?=\s|$|,\s*icon:)/g)].flatMap((match) => {
    const specifier = match[1] ?? '';
    return isIconReference(specifier)
      ? [{ specifier, at: match.index + match[0].indexOf(specifier) }]
      : [];
  });
}
