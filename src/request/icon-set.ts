import { decode } from './parse-query.ts';
import { quote, refuse, Refusal, toError } from './refusal.ts';
import { ICON_PREFIX, isBundlerParameter } from './specifier.ts';

const SET = `${ICON_PREFIX}set?`;
const IDS = /(?:^|&)ids=/;

/** One icon of a set. */
export interface SetMember {
  /** Key of the icon in the set: the id or alias as written. */
  key: string;
  specifier: string;
}

export interface IconSet {
  members: SetMember[];
  /** The one spelling of the set, without `/`. */
  canonical: string;
}

/** True for `icon:set?ids=…`. Without `ids` it is an icon whose alias is `set`. */
export function isSetSpecifier(specifier: string): boolean {
  return specifier.startsWith(SET) && IDS.test(specifier.slice(SET.length));
}

/**
 * Reads `icon:set?ids=1,2,house&size=24`: several icons with the same parameters. What the parameters and the names of
 * the members say is for the grammar of icons to read.
 *
 * @throws IconCatalogError SPECIFIER_INVALID
 */
export function parseSet(specifier: string, importer?: string): IconSet {
  try {
    return parse(specifier.slice(SET.length));
  } catch (error) {
    if (error instanceof Refusal) throw toError(error.fault, specifier, importer);
    throw error;
  }
}

function parse(query: string): IconSet {
  const pairs = query.split('&').filter((pair) => !isBundlerParameter(pair));
  const lists = pairs.filter((pair) => pair.startsWith('ids='));
  const rest = pairs.filter((pair) => !pair.startsWith('ids='));
  if (lists.length > 1)
    return refuse({ reason: '`ids` is given twice', allowed: 'one list: `ids=1,2,house`' });
  const keys = decode((lists[0] ?? '').slice('ids='.length))
    .split(',')
    .map((key) => key.trim());
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (keys.includes(''))
    return refuse({
      reason: '`ids` has an empty place',
      allowed: 'ids and aliases with commas between: `ids=1,2,house`',
    });
  if (twice !== undefined)
    return refuse({ reason: `\`ids\` names ${quote(twice)} twice`, allowed: 'each icon once' });
  const parameters = rest.map((pair) => pair.replaceAll('/', '%2F')).toSorted();
  const suffix = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return {
    members: keys.map((key) => ({
      key,
      specifier: `${ICON_PREFIX}${encodeURIComponent(key)}${suffix}`,
    })),
    canonical: `${SET}${[`ids=${keys.map(encodeURIComponent).join(',')}`, ...parameters].join('&')}`,
  };
}
