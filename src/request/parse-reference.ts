import { idOfName, refuseName, suggestName } from './icon-name.ts';
import { decode } from './parse-query.ts';
import { quote, refuse } from './refusal.ts';
import type { RequestContext } from './request-context.ts';
import { suggest } from './suggest.ts';

/**
 * An icon id: digits, an alias for them, or with the embedded catalog the name of an icon (`tabler/home`). Leading zeros do not count, so `007` is icon 7: ids are
 * integers, and equal requests are one request.
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
  const name = suggestName(reference);
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
