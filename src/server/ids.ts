import { hash } from 'node:crypto';

/**
 * Ids are the first 48 bits of SHA-256 over `<space>:<name>`: a safe integer that depends on nothing but the names,
 * so an id in a config file means the same icon on every machine and after every update of a set.
 * 300,000 icons collide with a probability below 0.02 %; the library refuses to open when two do.
 */
function stableId(space: string, name: string): number {
  return Number.parseInt(hash('sha256', `${space}:${name}`, 'hex').slice(0, 12), 16) || 1;
}

/**
 * The id of an icon in the embedded catalog, for `aliases` in config files.
 *
 * @param set prefix of the icon set (`tabler`), or the slug of a folder's name
 * @param name name in the set (`arrow-left`), or the file name without `.svg`
 * @returns an integer from 1 to 2^48 − 1; the same in every version and on every machine
 * @example aliases: { back: embeddedIconId('tabler', 'arrow-left') }
 */
export function embeddedIconId(set: string, name: string): number {
  return stableId('icon', `${set}:${name}`);
}

/** Ids of collections, users and terms live in spaces of their own. */
export function collectionId(prefix: string): number {
  return stableId('collection', prefix);
}

export function userId(username: string): number {
  return stableId('user', username);
}

export function termId(slug: string): number {
  return stableId('term', slug);
}

/** The public site on which the permalinks of installed icon sets are pages. */
export const EMBEDDED_SITE_URL = 'https://icon-sets.iconify.design';
