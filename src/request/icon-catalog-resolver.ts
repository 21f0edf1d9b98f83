import { ICON_PREFIX } from './specifier.ts';

export interface IconCatalogResolverOptions {
  /** What names of components begin with, in any spelling: `icon` fits `<IconHouse>` and `<icon-house>`. @default 'icon' */
  prefix?: string;
  /** The plugin's aliases. Ids need none: `<Icon123>`. @default {} */
  aliases?: Readonly<Record<string, number>>;
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
 * Imports icons that a template or JSX names without an import. The plugin needs `framework`.
 *
 * @example
 * Components({ resolvers: [IconCatalogResolver({ aliases: { house: 123 } })] }); // <IconHouse />, <icon-123 />
 */
export function IconCatalogResolver({
  prefix = 'icon',
  aliases = {},
  params = {},
}: IconCatalogResolverOptions = {}): IconCatalogResolverObject {
  const start = letters(prefix);
  const aliasByLetters = new Map(Object.keys(aliases).map((name) => [letters(name), name]));
  const query = Object.entries(params).map(
    ([name, value]) => `&${name}=${encodeURIComponent(value)}`,
  );

  return {
    type: 'component',
    resolve(name) {
      const written = letters(name);
      if (!written.startsWith(start)) return undefined;
      const rest = written.slice(start.length);
      const reference = /^[1-9]\d*$/.test(rest) ? rest : aliasByLetters.get(rest);
      if (reference === undefined) return undefined;
      return `${ICON_PREFIX}${encodeURIComponent(reference)}?as=component${query.join('')}`;
    },
  };
}

/** `IconArrowLeft`, `icon-arrow-left` and `icon:arrow_left` are one name to people, and to tools that rewrite tags. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
