import { IconCatalogError } from '../errors.ts';

export interface SetLicense {
  title: string;
  /** Empty if the set names none. */
  spdx: string;
  /**
   * The value in records: `creative-commons-attribution`, `public-domain`, an SPDX identifier, or
   * the owner's own word.
   */
  description: string;
  url?: string | undefined;
  /** The licence's text, if the set or folder holds one. */
  text?: string | undefined;
}

export interface Collection {
  id: number;
  /** Slug of the collection and user name of its author. */
  prefix: string;
  name: string;
  author: { name: string; url: string | undefined; id: number };
  license: SetLicense;
  description: string;
  tags: string[];
  /** Milliseconds since 1970; fixed for a given version of the set. */
  updated: number;
  icons: Icon[];
  /**
   * Icons that the set's owner withdrew: Iconify keeps them, hidden, so that projects which use
   * them still build. They answer to their id and stand in no list and no search.
   */
  hidden: Icon[];
  /** True for folders: their files are the user's own and are checked before they are drawn. */
  isFolder: boolean;
  /** Names of files that are no icons, and what is wrong with each: `broken.svg has no <svg> element`. */
  unusable?: ReadonlyMap<string, string>;
  /** A whole SVG document, in which `currentColor` means black. */
  markup(name: string): string;
  /** Other names of an icon, and its categories. */
  synonyms(name: string): readonly string[];
}

export interface Icon {
  id: number;
  /** Position in the library: the order of unsearched lists. */
  index: number;
  name: string;
  /** `arrow-left` → `Arrow left`. */
  term: string;
  collection: Collection;
}

export interface Library {
  collections: readonly Collection[];
  icons: readonly Icon[];
  icon(id: number): Icon | undefined;
  collection(idOrSlug: number | string): Collection | undefined;
  collectionsOfUser(idOrName: number | string): Collection[];
}

/**
 * Joins collections into one library.
 * @throws OPTIONS_INVALID when two collections or two icons claim the same id; the message names both.
 */
export function createLibrary(collections: readonly Collection[]): Library {
  const icons: Icon[] = [];
  const iconsById = new Map<number, Icon>();
  const collectionsById = new Map<number, Collection>();
  const collectionsBySlug = new Map<string, Collection>();
  for (const collection of collections) {
    const taken = collectionsBySlug.get(collection.prefix) ?? collectionsById.get(collection.id);
    if (taken)
      throw collision(
        'collections',
        `"${taken.name}" (${taken.prefix})`,
        `"${collection.name}" (${collection.prefix})`,
      );
    collectionsById.set(collection.id, collection);
    collectionsBySlug.set(collection.prefix, collection);
    for (const icon of [...collection.icons, ...collection.hidden]) {
      const other = iconsById.get(icon.id);
      if (other) throw collision('icons', fullName(other), fullName(icon));
      iconsById.set(icon.id, icon);
    }
    for (const icon of collection.icons) icon.index = icons.push(icon) - 1;
  }
  return {
    collections,
    icons,
    icon: (id) => iconsById.get(id),
    collection: (key) =>
      typeof key === 'number' ? collectionsById.get(key) : collectionsBySlug.get(key),
    collectionsOfUser: (key) =>
      collections.filter(({ prefix, author }) =>
        typeof key === 'number' ? author.id === key : prefix === key,
      ),
  };
}

export function fullName({ name, collection }: Icon): string {
  return `${collection.prefix}:${name}`;
}

function collision(kind: string, first: string, second: string): IconCatalogError {
  return new IconCatalogError('OPTIONS_INVALID', {
    message: `Two ${kind} of the embedded catalog have the same id: ${first} and ${second}.`,
    remedy:
      'Give one of them another name (`folders: [{ path, name }]`), or leave one out with `sets`.',
  });
}

export function isPublicDomain({ collection }: Icon): boolean {
  return collection.license.description === 'public-domain';
}
