import { ICON_PREFIX } from '../request/key.ts';
import { findIconifySets, readSetNames } from '../server/installed-sets.ts';

export interface IconCatalogResolverOptions {
  /** What names of components begin with, in any spelling: `icon` fits `<IconHouse>` and `<icon-house>`. @default 'icon' */
  prefix?: string;
  /** The plugin's aliases. Ids need none: `<Icon123>`. @default {} */
  aliases?: Readonly<Record<string, number | string>>;
  /** Installed icon sets whose icons need no alias: `['tabler']` for `<IconTablerHome>`. @default all that are installed */
  sets?: readonly string[];
  /** Where installed sets are looked for. @default process.cwd() */
  root?: string;
  /** Parameters of every icon: `{ size: '1.5em' }`. @default {} */
  params?: Readonly<Record<string, string | number>>;
}

/** What unplugin-vue-components and unplugin-auto-import take in `resolvers`. */
export interface IconCatalogResolverObject {
  type: 'component';
  /** The import of a component, whose default export it is; `undefined` for names of others. */
  resolve(name: string): string | undefined;
}

/**
 * Imports icons that a template or JSX names without an import. The plugin needs `framework`, and for names of sets the
 * embedded catalog.
 *
 * @example
 * Components({ resolvers: [IconCatalogResolver({ aliases: { house: 123 } })] }); // <IconHouse />, <icon-123 />
 * Components({ resolvers: [IconCatalogResolver({ prefix: 'i' })] }); // <i-tabler-home />
 */
export function IconCatalogResolver({
  prefix = 'icon',
  aliases = {},
  sets,
  root = '',
  params = {},
}: IconCatalogResolverOptions = {}): IconCatalogResolverObject {
  const start = letters(prefix);
  const aliasByLetters = new Map(Object.keys(aliases).map((name) => [letters(name), name]));
  const query = Object.entries(params).map(
    ([name, value]) => `&${name}=${encodeURIComponent(value)}`,
  );
  const findInSets = createSetFinder(root, sets);

  return {
    type: 'component',
    resolve(name) {
      const written = letters(name);
      if (!written.startsWith(start)) return undefined;
      const rest = written.slice(start.length);
      const reference = /^[1-9]\d*$/.test(rest) ? rest : aliasByLetters.get(rest);
      const path = reference === undefined ? findInSets(rest) : encodeURIComponent(reference);
      return path === undefined ? undefined : `${ICON_PREFIX}${path}?as=component${query.join('')}`;
    },
  };
}

/** Finds `tabler/home` for `tablerhome`. A set is read when the first name begins like it. */
function createSetFinder(
  root: string,
  wanted: readonly string[] | undefined,
): (written: string) => string | undefined {
  let installed: ReadonlyMap<string, string> | undefined;
  const namesBySet = new Map<string, ReadonlyMap<string, string>>();

  function namesOf(set: string, folder: string): ReadonlyMap<string, string> {
    const known = namesBySet.get(set);
    if (known !== undefined) return known;
    const names = new Map<string, string>();
    const { listed, hidden } = readSetNames(folder);
    for (const name of listed) {
      const before = names.get(letters(name));
      // `numeric-10` and `numeric-1-0` are written alike in a component: the one of fewer words counts.
      if (before === undefined || words(name) < words(before)) names.set(letters(name), name);
    }
    for (const name of hidden) if (!names.has(letters(name))) names.set(letters(name), name);
    namesBySet.set(set, names);
    return names;
  }

  return (written) => {
    if (wanted?.length === 0) return undefined;
    installed ??= findIconifySets(root);
    for (const [set, folder] of installed) {
      const begin = letters(set);
      if (!written.startsWith(begin) || (wanted !== undefined && !wanted.includes(set))) continue;
      const name = namesOf(set, folder).get(written.slice(begin.length));
      if (name !== undefined) return `${set}/${name}`;
    }
    return undefined;
  };
}

function words(name: string): number {
  return name.split('-').length;
}

/** `IconArrowLeft`, `icon-arrow-left` and `icon:arrow_left` are one name to people, and to tools that rewrite tags. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
