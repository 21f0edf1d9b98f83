/**
 * Every kind of query parameter and its limits, by the interface's section "Limits". `flag`: an integer that is on if
 * it is not 0; the example value is 1.
 */
export const PARAMS = {
  text: { type: 'text' },
  token: { type: 'text' },
  flag: { type: 'flag' },
  limit: { type: 'integer', min: 1 },
  suggestionLimit: { type: 'integer', min: 1, max: 10 },
  offset: { type: 'integer', min: 0 },
  page: { type: 'integer', min: 0 },
  thumbnailSize: { type: 'integer', values: [42, 84, 200] },
  downloadSize: { type: 'integer', min: 20, max: 1200 },
  styles: { type: 'list', values: ['solid', 'line'] },
  lineWeight: { type: 'range', min: 1, max: 60 },
  color: { type: 'color' },
  filetype: { type: 'choice', values: ['svg', 'png'] },
  blacklistType: { type: 'choice', values: ['icon', 'collection'] },
} as const;

export type ParamKind = keyof typeof PARAMS;

interface ParamSpec {
  readonly type: 'text' | 'flag' | 'integer' | 'list' | 'range' | 'color' | 'choice';
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly (string | number)[];
}

/** The value of a parameter after reading: a range is `[low, high]`, both inclusive. */
type ParamValue = string | number | readonly string[] | readonly [number, number];

type ParamReading = { ok: true; value: ParamValue } | { ok: false; allowed: string };

/** Reads a parameter of a request. `allowed` completes "must be …". */
function readParam(kind: ParamKind, raw: string): ParamReading {
  const spec: ParamSpec = PARAMS[kind];
  const value = READERS[spec.type](raw, spec);
  return value === undefined ? { ok: false, allowed: describeParam(kind) } : { ok: true, value };
}

/** The allowed values of a parameter, in words that complete "must be …". */
export function describeParam(kind: ParamKind): string {
  const { type, values, min, max }: ParamSpec = PARAMS[kind];
  if (type === 'color') return '3 or 6 hexadecimal digits';
  if (type === 'text') return 'text';
  if (type === 'list') return `${values?.join(', ')}, or several separated by commas`;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  if (type === 'range') return `an integer ${min} to ${max}, or a range of two such as 4-10`;
  if (max !== undefined) return `an integer ${min} to ${max}`;
  return min === undefined ? 'an integer' : `an integer, ${min} or more`;
}

type Reader = (raw: string, spec: ParamSpec) => ParamValue | undefined;

const READERS: Record<ParamSpec['type'], Reader> = {
  text: (raw) => raw,
  flag: (raw) => readInteger(raw, {}),
  integer: (raw, spec) => readInteger(raw, spec),
  choice: (raw, { values = [] }) => (values.includes(raw) ? raw : undefined),
  color: (raw) => (/^#?(?:[\da-f]{3}|[\da-f]{6})$/i.test(raw) ? raw.replace('#', '') : undefined),
  list(raw, { values = [] }) {
    const entries = raw.split(',');
    return entries.every((entry) => values.includes(entry)) ? entries : undefined;
  },
  range(raw, spec) {
    const ends = raw.split('-').map((end) => readInteger(end, spec));
    const [low] = ends;
    const high = ends.at(-1);
    if (ends.length > 2 || low === undefined || high === undefined) return undefined;
    return low <= high ? [low, high] : undefined;
  },
};

function readInteger(raw: string, { min, max, values }: Partial<ParamSpec>): number | undefined {
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(raw)) return undefined;
  const value = Number(raw);
  if (!Number.isSafeInteger(value)) return undefined;
  if (values !== undefined && !values.includes(value)) return undefined;
  if (min !== undefined && value < min) return undefined;
  return max !== undefined && value > max ? undefined : value;
}

/**
 * The whole interface, one row an endpoint, both generations. Client, server, command line and reference read it.
 * `query`: wire name → kind of PARAMS. `body`: the contents of its `blacklist`. `refuses`: parameters that another
 * parameter's value rules out (rule 4).
 */
export const ENDPOINTS = {
  blacklist: {
    method: 'GET',
    path: '/v2/client/blacklist',
    query: {},
    response: 'blacklist',
  },
  blacklistIds: {
    method: 'POST',
    path: '/v2/client/blacklist/id',
    query: { type: 'blacklistType' },
    body: 'ids',
    response: 'blacklist',
  },
  blacklistTerms: {
    method: 'POST',
    path: '/v2/client/blacklist/term',
    query: {},
    body: 'terms',
    response: 'blacklist',
  },
  usage: {
    method: 'GET',
    path: '/v2/client/usage',
    query: {},
    response: 'usage',
  },
  icon: {
    method: 'GET',
    path: '/v2/icon/{icon_id}',
    query: { thumbnail_size: 'thumbnailSize', blacklist: 'flag' },
    response: 'icon',
  },
  download: {
    method: 'GET',
    path: '/v2/icon/{icon_id}/download',
    query: { color: 'color', filetype: 'filetype', size: 'downloadSize' },
    refuses: { when: 'filetype', is: 'svg', param: 'size' },
    response: 'download',
  },
  icons: {
    method: 'GET',
    path: '/v2/icon',
    query: {
      query: 'text',
      styles: 'styles',
      line_weight: 'lineWeight',
      limit_to_public_domain: 'flag',
      thumbnail_size: 'thumbnailSize',
      blacklist: 'flag',
      include_svg: 'flag',
      limit: 'limit',
      prev_page: 'token',
      next_page: 'token',
    },
    response: 'icons',
  },
  collections: {
    method: 'GET',
    path: '/v2/collection',
    query: {
      query: 'text',
      blacklist: 'flag',
      limit: 'limit',
      prev_page: 'token',
      next_page: 'token',
    },
    response: 'collections',
  },
  collection: {
    method: 'GET',
    path: '/v2/collection/{collection_id}',
    query: {
      blacklist: 'flag',
      thumbnail_size: 'thumbnailSize',
      include_svg: 'flag',
      limit: 'limit',
      prev_page: 'token',
      next_page: 'token',
    },
    response: 'collection',
  },
  autocomplete: {
    method: 'GET',
    path: '/v2/icon/autocomplete',
    query: { query: 'text', blacklist: 'flag', limit: 'suggestionLimit' },
    response: 'autocomplete',
  },

  // The legacy generation.
  v1CollectionById: {
    method: 'GET',
    path: '/collection/{id}',
    query: {},
    response: 'v1Collection',
  },
  v1CollectionBySlug: {
    method: 'GET',
    path: '/collection/{slug}',
    query: {},
    response: 'v1Collection',
  },
  v1CollectionIconsById: {
    method: 'GET',
    path: '/collection/{id}/icons',
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Icons',
  },
  v1CollectionIconsBySlug: {
    method: 'GET',
    path: '/collection/{slug}/icons',
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Icons',
  },
  v1Collections: {
    method: 'GET',
    path: '/collections',
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Collections',
  },
  v1IconById: {
    method: 'GET',
    path: '/icon/{id}',
    query: { include_png_1200: 'flag' },
    response: 'v1Icon',
  },
  v1IconByTerm: {
    method: 'GET',
    path: '/icon/{term}',
    query: {},
    response: 'v1Icon',
  },
  v1Icons: {
    method: 'GET',
    path: '/icons/{term}',
    query: { limit_to_public_domain: 'flag', limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Icons',
  },
  v1Usage: {
    method: 'GET',
    path: '/oauth/usage',
    query: {},
    response: 'v1Usage',
  },
  v1UserUploads: {
    method: 'GET',
    path: '/user/{username}/uploads',
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Uploads',
  },
  v1UserCollections: {
    method: 'GET',
    path: '/user/{user_id}/collections',
    query: {},
    response: 'v1Collections',
  },
  v1UserCollection: {
    method: 'GET',
    path: '/user/{user_id}/collections/{slug}',
    query: {},
    response: 'v1Collection',
  },
} as const;

export type Endpoints = typeof ENDPOINTS;
export type EndpointName = keyof Endpoints;
export type DecoderName = Endpoints[EndpointName]['response'];

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, ParamKind>>;
  readonly body?: 'ids' | 'terms';
  readonly refuses?: { readonly when: string; readonly is: string; readonly param: string };
  readonly response: DecoderName;
}

/** Limits of the blacklists, by the access level of the key. */
export const BLACKLIST_LIMITS = {
  paid: { perRequest: 1000, total: 20000 },
  free: { perRequest: 5, total: 5 },
} as const;

/** True for a variable in `{…}` of a path that is an integer; others are text. */
export function isIdSegment(name: string): boolean {
  return name.endsWith('id');
}

/** The row of an endpoint, widened so that code can iterate over any of them. */
export function endpointOf(name: EndpointName): Endpoint {
  return ENDPOINTS[name];
}

export type QueryReading =
  | { ok: true; values: Partial<Record<string, ParamValue>> }
  | { ok: false; param: string; message: string };

/**
 * Reads the query of a request to an endpoint. Parameters that the endpoint does not have are ignored (signature
 * parameters may be among them). If a parameter is given twice, the last one counts.
 */
export function readQuery(
  name: EndpointName,
  entries: Iterable<readonly [string, string]>,
): QueryReading {
  const { query, refuses } = endpointOf(name);
  const values: Record<string, ParamValue> = {};
  for (const [param, raw] of entries) {
    const kind = Object.hasOwn(query, param) ? query[param] : undefined;
    if (kind === undefined) continue;
    const reading = readParam(kind, raw);
    if (!reading.ok) return { ok: false, param, message: `${param} must be ${reading.allowed}.` };
    values[param] = reading.value;
  }
  if (refuses && values[refuses.when] === refuses.is && values[refuses.param] !== undefined) {
    const { when, is, param } = refuses;
    return { ok: false, param, message: `${param} is not accepted with ${when}=${is}.` };
  }
  return { ok: true, values };
}
