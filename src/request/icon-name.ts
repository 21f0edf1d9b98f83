import type { Options } from '../options.ts';
import { embeddedIconId } from '../server/ids.ts';
import { quote, refuse } from './refusal.ts';
import { suggest } from './suggest.ts';

/** Set and name as icon sets and folders of the embedded catalog have them. Both are in lower case. */
const NAME = /^([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)\/([\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)$/u;

/** Names that were read in this process, for messages. */
const nameById = new Map<number, string>();

/** The id of `tabler/home`, which depends on these two words alone. `undefined`: this is no name of an icon. */
export function idOfName(written: string): number | undefined {
  const [, set, name] = NAME.exec(written) ?? [];
  if (set === undefined || name === undefined || written !== written.toLowerCase())
    return undefined;
  const id = embeddedIconId(set, name);
  nameById.set(id, written);
  return id;
}

/** The name by which this process was asked for an icon. */
export function nameOfId(id: number): string | undefined {
  return nameById.get(id);
}

/** The name of an icon of the embedded catalog, whose page is called like it. `undefined`: it is of another catalog. */
export function nameOfRecord({
  id,
  permalink = '',
}: {
  id: string;
  permalink?: string | undefined;
}): string | undefined {
  const name = permalink.replaceAll(/^\/|\/$/g, '');
  return String(idOfName(name)) === id ? name : undefined;
}

/** `tabler/home` for what other tools call it: `tabler:home`, `@iconify-json/tabler/home`, `tabler/Home.svg`. */
export function suggestName(written: string): string | undefined {
  const name = written
    .replace(/^(?:@iconify-json\/|~icons\/)/, '')
    .replace(/\.svg$/i, '')
    .replace(/^([^:/]+):([^:/]+)$/, '$1/$2')
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '-')
    .toLowerCase();
  return name !== written && NAME.test(name) ? name : undefined;
}

/** Aliases as ids, whether they are written as ids or as names. */
export function resolveAliases(
  aliases: Readonly<Record<string, number | string>>,
): Record<string, number> {
  return Object.fromEntries(
    // What is neither is refused where the alias is used, as every number that is no id.
    Object.entries(aliases).map(([alias, icon]) => [
      alias,
      typeof icon === 'number' ? icon : (idOfName(icon) ?? Number.NaN),
    ]),
  );
}

/** True for the catalog whose icons have names. */
export function isEmbedded(catalog: Options['catalog']): boolean {
  return catalog === 'embedded' || (typeof catalog === 'object' && 'embedded' in catalog);
}

/** Ids of a catalog service are its own: no name leads to them. */
export function refuseName(name: string, aliases: Readonly<Record<string, number>>): never {
  const [, word = name] = name.split('/');
  const nearest = suggest(name, Object.keys(aliases));
  return refuse({
    reason: `${quote(name)} is a name of the embedded catalog, and the icons of a catalog service have ids`,
    allowed: '`icon:<id>` with a positive integer, or an alias of `options.aliases`',
    nearest: nearest === undefined ? undefined : `icon:${nearest}`,
    remedy: `Find the id with \`npx icon-catalog search ${word}\`. To use installed icon sets by their names, set \`catalog: 'embedded'\`.`,
  });
}
