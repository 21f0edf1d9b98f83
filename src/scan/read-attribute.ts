import type { Finder } from './found.ts';
import { isIconReference } from './is-icon-reference.ts';
import { readSrcset } from './read-srcset.ts';
import { scanStyle } from './scan-style.ts';

const ADDRESSES = new Set(['src', 'href', 'xlink:href', 'poster', 'data']);
const SRCSETS = new Set(['srcset', 'imagesrcset']);

/** Reports what an attribute refers to. `written`: the file up to the end of the attribute, entities and all. */
export function readAttribute(
  { name, value, written }: { name: string; value: string; written: string },
  finder: Finder,
  base: number,
): void {
  if (!value.includes('icon:')) return;
  const start = written.lastIndexOf(value);
  // A value with entities is shorter than what is written: the last `icon:` is then as near as can be told.
  const placeOf = (offset: number): number =>
    base + (start === -1 ? written.lastIndexOf('icon:') : start + offset);
  if (SRCSETS.has(name.toLowerCase())) {
    for (const { specifier, at } of readSrcset(value))
      finder.reference(specifier, placeOf(at), 'markup');
  } else if (name === 'style') scanStyle(value, { finder, base: placeOf(0) });
  else if (ADDRESSES.has(name) && isIconReference(value.trim()))
    finder.reference(value.trim(), placeOf(value.search(/\S/)), 'markup');
}
