import { suggest } from '../request/suggest.ts';
import type { LockEntry } from '../types.ts';

/** Values that a warning names if none of them is near. */
const NAMED = 5;

/**
 * Keys of `licenses.assert` that no icon of the lock has: a value of `license_description`, or `collection:<id>`, each in a
 * sentence. The lock has the icons of all builds of a project, so that a key for another one of them is no mistake.
 *
 * @param entries is called only if there is such a key
 */
export function unusedAssertions(
  assert: Readonly<Record<string, unknown>>,
  { entries, lock }: { entries: () => Iterable<LockEntry>; lock: string },
): string[] {
  const keys = Object.keys(assert).filter((key) => !/^\d+$/.test(key));
  if (keys.length === 0) return [];
  const values = new Set<string>();
  const collections = new Set<string>();
  for (const entry of entries()) {
    values.add(entry.license_description);
    for (const { id } of entry.collections) collections.add(`collection:${id}`);
  }
  return keys.flatMap((key) => {
    const isCollection = key.startsWith('collection:');
    const known = isCollection ? collections : values;
    if (known.has(key)) return [];
    const what = isCollection ? 'is in that collection' : 'has that `license_description`';
    return `\`licenses.assert\` has the key ${JSON.stringify(key)}, but no icon of ${lock} ${what}.${hint(key, known)}`;
  });
}

function hint(key: string, known: ReadonlySet<string>): string {
  const nearest = suggest(key, known);
  if (nearest !== undefined) return ` Did you mean ${JSON.stringify(nearest)}?`;
  const said = [...known].filter((value) => value.trim() !== '').toSorted();
  if (said.length === 0) return '';
  const rest = said.length - NAMED;
  const names = said.slice(0, NAMED).map((value) => JSON.stringify(value));
  return ` Its icons have ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
