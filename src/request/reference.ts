import type { EmbeddedFolder, EmbeddedOptions, Options } from '../options/options.ts';
import { collectionId, embeddedIconId } from '../server/ids.ts';
import { decode, quote, refuse, type RequestContext } from './query.ts';
import { suggest } from './suggest.ts';

export { collectionId };

/**
 * An icon id: digits, an alias for them, or with the embedded catalog the name of an icon (`tabler/home`). Leading
 * zeros are ignored, so `007` is icon 7: ids are integers, and equal requests are one request.
 */
export function parseReference(
  written: string,
  context: Pick<RequestContext, 'aliases' | 'catalog' | 'source'>,
): number {
  const { aliases, catalog } = context;
  const reference = decode(written);
  const hasNames = catalog?.kind === 'embedded';
  if (reference === '') return refuse({ reason: 'it names no icon', allowed: allowed(context) });
  if (/^\d+$/.test(reference)) return checkId(Number(reference), reference);
  if (Object.hasOwn(aliases, reference)) return checkAlias(reference, aliases[reference]);
  const id = idOfName(reference);
  if (id === undefined) return refuseReference(reference, context);
  return hasNames ? id : refuseName(reference, aliases);
}

function isId(id: number | undefined): id is number {
  return Number.isSafeInteger(id) && Number(id) > 0;
}

function checkId(id: number, reference: string): number {
  if (isId(id)) return id;
  return refuse({
    reason: `${quote(reference)} cannot be the id of an icon`,
    allowed: `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`,
  });
}

function checkAlias(name: string, id: number | undefined): number {
  if (isId(id)) return id;
  return refuse({
    code: 'OPTIONS_INVALID',
    reason: `the alias ${quote(name)} stands for ${quote(String(id))}, which cannot be the id of an icon`,
    allowed: `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`,
    path: `aliases.${name}`,
  });
}

function refuseReference(
  reference: string,
  context: Pick<RequestContext, 'aliases' | 'catalog' | 'source'>,
): never {
  const { aliases, catalog } = context;
  const name = suggestName(reference, catalog?.embedded?.folders);
  if (name !== undefined && catalog?.kind !== 'embedded') return refuseName(name, aliases);
  const names = Object.keys(aliases);
  const digits = /^[\s/+]*0*([1-9]\d*)\s*(?:\.0*|\.svg|\.png)?$/.exec(reference)?.[1];
  const number = Number.isNaN(Number(reference)) ? undefined : 'is not the id of an icon';
  return refuse({
    reason: `${quote(reference)} ${number ?? 'is neither an id nor an alias of `options.aliases`'}`,
    allowed: allowed(context),
    nearest:
      digits === undefined
        ? prefixed(suggest(reference.trim(), [...names, 'credits']) ?? name)
        : `icon:${digits}`,
    remedy:
      catalog?.kind === 'embedded' && /^[a-z][a-z\d-]*$/.test(reference)
        ? `Write the set as well, such as \`icon:tabler/${reference}\`. \`npx icon-catalog search ${reference} --embedded\` prints the names of the sets that are installed.`
        : undefined,
  });
}

function prefixed(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `icon:${name}`;
}

function allowed({
  aliases,
  catalog,
  source,
}: Pick<RequestContext, 'aliases' | 'catalog' | 'source'>): string {
  const names = Object.keys(aliases);
  const shown = names
    .slice(0, 10)
    .map((name) => quote(name))
    .join(', ');
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  const from = source === undefined ? '' : `; ${source}`;
  const known = `an alias (${names.length === 0 ? 'none is set' : `${shown}${more}`}${from})`;
  const named = catalog?.kind === 'embedded' ? ', the name of an icon (`icon:tabler/home`)' : '';
  return `\`icon:<id>\` with a positive integer${named}, or ${known}`;
}

/** The words of a name, as the source of a regular expression. */
export const WORD: string = String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*`;
const PLAIN_NAME = /^([a-z\d][a-z\d-]*)\/([a-z\d][a-z\d-]*)$/i;

/**
 * A set and a name in the form of icon sets and folders of the embedded catalog. Both are in lower case. V8 takes longer
 * than a millisecond for the letters of Unicode, of every start if they stand in a literal: names of ASCII do without.
 */
function partsOf(written: string): RegExpExecArray | null {
  const pattern = /[\u0080-\uffff]/.test(written)
    ? new RegExp(`^(${WORD})/(${WORD})$`, 'u')
    : PLAIN_NAME;
  return pattern.exec(written);
}

/** Names that were read in this process, for messages. */
const nameById = new Map<number, string>();

/** The id of `tabler/home`, which depends only on these two words. `undefined`: this is not the name of an icon. */
export function idOfName(written: string): number | undefined {
  const [, set, name] = partsOf(written) ?? [];
  if (set === undefined || name === undefined || written !== written.toLowerCase())
    return undefined;
  const id = embeddedIconId(set, name);
  nameById.set(id, written);
  return id;
}

/** The name by which this process requested an icon, where icons have names. A service may have other icons of the same ids. */
export function nameOfId(id: number, catalog: RequestContext['catalog']): string | undefined {
  return catalog?.kind === 'embedded' ? nameById.get(id) : undefined;
}

/**
 * The name of an icon of the embedded catalog, whose page has the same name. `undefined`: it belongs to another
 * catalog.
 */
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

/**
 * `tabler/home` for the spellings of other tools: `tabler:home`, `@iconify-json/tabler/home`, `tabler/Home.svg`.
 *
 * @param folders their files keep their names, in lower case: `ArrowLeft.svg` is `arrowleft`, `nav/menu.svg` is `nav-menu`
 */
export function suggestName(
  written: string,
  folders: EmbeddedOptions['folders'] = [],
): string | undefined {
  const [set = '', ...parts] = written
    .replace(/^(?:@iconify-json\/|~icons\/)/, '')
    .replace(/\.svg$/i, '')
    .replace(/^([^:/]+):([^:/]+)$/, '$1/$2')
    .split('/');
  const isFile = folders.some((folder) => lastPart(folder) === set.toLowerCase());
  const file = parts.join('-').replaceAll(/[\s_-]+/g, '-');
  const word = isFile ? file : file.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '-');
  const name = `${set}/${word}`.toLowerCase();
  return name !== written && partsOf(name) !== null ? name : undefined;
}

/** What a folder is called if its name needs no other change. */
function lastPart(folder: string | EmbeddedFolder): string | undefined {
  const { path, name = path } = typeof folder === 'string' ? { path: folder } : folder;
  return name.split(/[\\/]/).findLast(Boolean)?.toLowerCase();
}

/** Aliases as ids, whether they are written as ids or as names. */
export function resolveAliases(
  aliases: Readonly<Record<string, number | string>>,
): Record<string, number> {
  return Object.fromEntries(
    // A value that is neither is refused if the alias is used, like every number that is not an id.
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

/** The ids of a catalog service are its own: names do not lead to them. */
function refuseName(name: string, aliases: Readonly<Record<string, number>>): never {
  const [, word = name] = name.split('/');
  const nearest = suggest(name, Object.keys(aliases));
  return refuse({
    reason: `${quote(name)} is a name of the embedded catalog, and the icons of a catalog service have ids`,
    allowed: '`icon:<id>` with a positive integer, or an alias of `options.aliases`',
    nearest: nearest === undefined ? undefined : `icon:${nearest}`,
    remedy: `Find the id with \`npx icon-catalog search ${word}\`. To use installed icon sets by their names, set \`catalog: 'embedded'\`.`,
  });
}

/** An icon in the words of the project: its alias, its name or its id. */
export function nameIcon(
  id: number,
  { aliases, catalog }: Pick<RequestContext, 'aliases' | 'catalog'>,
): string {
  const alias = Object.keys(aliases).find((name) => aliases[name] === id);
  return alias ?? nameOfId(id, catalog) ?? String(id);
}
