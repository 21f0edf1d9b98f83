import { IconCatalogError } from '../errors.ts';

/** Lines that a message names. */
const LISTED = 20;

/**
 * The error of lines whose words are not those that were written into them: a letter was damaged, or somebody changed it.
 *
 * @param altered numbers of lines by their keys, at least one
 * @param name of the lock file, as messages show it
 */
export function alteredLines(altered: ReadonlyMap<string, number>, name: string): IconCatalogError {
  const places = [...altered].map(([key, line]) => `${name}:${line} (${key})`);
  const ids = [...new Set([...altered.keys()].map((key) => Number.parseInt(key, 10)))];
  const more = places.length > LISTED ? ` and ${places.length - LISTED} more` : '';
  const lines =
    places.length === 1 ? `A line of ${name} was` : `${places.length} lines of ${name} were`;
  return new IconCatalogError('LOCK_MISMATCH', {
    message: `${lines} changed after icon-catalog wrote ${places.length === 1 ? 'it' : 'them'}, as \`check\` tells: ${places.slice(0, LISTED).join(', ')}${more}. A credit made of these words may be wrong.`,
    remedy: `Restore ${name} from version control, or take over what the catalog says with \`npx icon-catalog update ${ids.slice(0, LISTED).join(' ')}\`.`,
    icon: ids.length === 1 ? ids[0] : undefined,
    path: `${name}:${[...altered.values()][0] ?? 0}`,
  });
}
