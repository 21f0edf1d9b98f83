import {
  BLACKLIST_LIMITS,
  ENDPOINTS,
  describeParam,
  endpointOf,
  type EndpointName,
  type ParamKind,
} from '../../../src/catalog/endpoints.ts';
import { DECISIONS } from './decisions.ts';

/** The client's way to each endpoint. */
const METHODS: Record<EndpointName, string> = {
  blacklist: 'blacklist()',
  blacklistIds: 'blacklistIds(ids, { type, overwrite })',
  blacklistTerms: 'blacklistTerms(terms, { overwrite })',
  usage: 'usage()',
  icon: 'icon(id, query)',
  download: 'download(id, query)',
  icons: 'icons(query)',
  collections: 'collections(query)',
  collection: 'collection(id, query)',
  autocomplete: 'autocomplete(query, options)',
  v1CollectionById: 'v1.collection(id)',
  v1CollectionBySlug: 'v1.collection(slug)',
  v1CollectionIconsById: 'v1.collectionIcons(id, page)',
  v1CollectionIconsBySlug: 'v1.collectionIcons(slug, page)',
  v1Collections: 'v1.collections(page)',
  v1IconById: 'v1.icon(id, query)',
  v1IconByTerm: 'v1.icon(term)',
  v1Icons: 'v1.icons(term, query)',
  v1Usage: 'v1.usage()',
  v1UserUploads: 'v1.userUploads(username, page)',
  v1UserCollections: 'v1.userCollections(userId)',
  v1UserCollection: 'v1.userCollection(userId, slug)',
};

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

export function methodNames(): string[] {
  return Object.values(METHODS).map((method) => method.replace(/\(.*/, ''));
}

/** The tables of the documentation: endpoints, parameters and blacklists from the endpoint table, decisions from the catalog's own. */
export function renderReference(): string {
  return [
    table(['Call', 'Client', 'Parameters'], NAMES.map(endpointRow)),
    table(['Parameter', 'Must be'], parameterRows()),
    table(
      ['Blacklists', 'Entries in a request', 'Entries in all'],
      (['paid', 'free'] as const).map((access) => {
        const { perRequest, total } = BLACKLIST_LIMITS[access];
        return [`${access} keys`, count(perRequest), count(total)];
      }),
    ),
    '## Decisions',
    'What the interface does not show, the embedded catalog decides like this:',
    table(
      ['Question', 'Answer'],
      DECISIONS.map(({ question, answer }) => [question, answer]),
    ),
  ].join('\n\n');
}

function endpointRow(name: EndpointName): string[] {
  const { method, path, query, body, refuses } = endpointOf(name);
  const params = Object.keys(query).map(code);
  if (body) params.push(`JSON: ${code('blacklist')} (${body}), ${code('overwrite')}`);
  if (refuses)
    params.push(`no ${code(refuses.param)} with ${code(`${refuses.when}=${refuses.is}`)}`);
  return [code(`${method} ${path}`), code(METHODS[name]), params.join(', ') || '–'];
}

/** One row a parameter; where a name has several kinds, each says whose it is. */
function parameterRows(): string[][] {
  const pathsByKind = new Map<string, Map<ParamKind, string[]>>();
  for (const name of NAMES) {
    const { path, query } = endpointOf(name);
    for (const [param, kind] of Object.entries(query)) {
      const kinds = pathsByKind.get(param) ?? new Map<ParamKind, string[]>();
      pathsByKind.set(param, kinds.set(kind, [...(kinds.get(kind) ?? []), path]));
    }
  }
  return [...pathsByKind].flatMap(([param, kinds]) =>
    [...kinds]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([kind, paths], at) => [
        at === 0 ? code(param) : `${code(param)} of ${paths.map(code).join(', ')}`,
        describeParam(kind),
      ]),
  );
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
