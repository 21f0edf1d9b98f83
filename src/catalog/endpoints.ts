import { type ParamKind, type ParamValue, readParam } from './params.ts';

/** The rows of the current generation; ENDPOINTS describes the fields. */
const V2_ENDPOINTS = {
  blacklist: {
    method: 'GET',
    path: '/v2/client/blacklist',
    segments: {},
    query: {},
    response: 'blacklist',
  },
  blacklistIds: {
    method: 'POST',
    path: '/v2/client/blacklist/id',
    segments: {},
    query: { type: 'blacklistType' },
    body: 'ids',
    response: 'blacklist',
  },
  blacklistTerms: {
    method: 'POST',
    path: '/v2/client/blacklist/term',
    segments: {},
    query: {},
    body: 'terms',
    response: 'blacklist',
  },
  usage: {
    method: 'GET',
    path: '/v2/client/usage',
    segments: {},
    query: {},
    response: 'usage',
  },
  icon: {
    method: 'GET',
    path: '/v2/icon/{icon_id}',
    segments: { icon_id: 'integer' },
    query: { thumbnail_size: 'thumbnailSize', blacklist: 'flag' },
    response: 'icon',
  },
  download: {
    method: 'GET',
    path: '/v2/icon/{icon_id}/download',
    segments: { icon_id: 'integer' },
    query: { color: 'color', filetype: 'filetype', size: 'downloadSize' },
    refuses: { when: 'filetype', is: 'svg', param: 'size' },
    response: 'download',
  },
  icons: {
    method: 'GET',
    path: '/v2/icon',
    segments: {},
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
    segments: {},
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
    segments: { collection_id: 'integer' },
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
    segments: {},
    query: { query: 'text', blacklist: 'flag', limit: 'suggestionLimit' },
    response: 'autocomplete',
  },
} as const;

/** The rows of the legacy generation; ENDPOINTS describes the fields. */
const V1_ENDPOINTS = {
  v1CollectionById: {
    method: 'GET',
    path: '/collection/{id}',
    segments: { id: 'integer' },
    query: {},
    response: 'v1Collection',
  },
  v1CollectionBySlug: {
    method: 'GET',
    path: '/collection/{slug}',
    segments: { slug: 'string' },
    query: {},
    response: 'v1Collection',
  },
  v1CollectionIconsById: {
    method: 'GET',
    path: '/collection/{id}/icons',
    segments: { id: 'integer' },
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Icons',
  },
  v1CollectionIconsBySlug: {
    method: 'GET',
    path: '/collection/{slug}/icons',
    segments: { slug: 'string' },
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Icons',
  },
  v1Collections: {
    method: 'GET',
    path: '/collections',
    segments: {},
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Collections',
  },
  v1IconById: {
    method: 'GET',
    path: '/icon/{id}',
    segments: { id: 'integer' },
    query: { include_png_1200: 'flag' },
    response: 'v1Icon',
  },
  v1IconByTerm: {
    method: 'GET',
    path: '/icon/{term}',
    segments: { term: 'string' },
    query: {},
    response: 'v1Icon',
  },
  v1Icons: {
    method: 'GET',
    path: '/icons/{term}',
    segments: { term: 'string' },
    query: { limit_to_public_domain: 'flag', limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Icons',
  },
  v1Usage: {
    method: 'GET',
    path: '/oauth/usage',
    segments: {},
    query: {},
    response: 'v1Usage',
  },
  v1UserUploads: {
    method: 'GET',
    path: '/user/{username}/uploads',
    segments: { username: 'string' },
    query: { limit: 'limit', offset: 'offset', page: 'page' },
    response: 'v1Uploads',
  },
  v1UserCollections: {
    method: 'GET',
    path: '/user/{user_id}/collections',
    segments: { user_id: 'integer' },
    query: {},
    response: 'v1Collections',
  },
  v1UserCollection: {
    method: 'GET',
    path: '/user/{user_id}/collections/{slug}',
    segments: { user_id: 'integer', slug: 'string' },
    query: {},
    response: 'v1Collection',
  },
} as const;

export { PARAMS, describeParam } from './params.ts';
export type { ParamKind } from './params.ts';

/**
 * The whole interface, one row an endpoint, both generations. Client, server, command line and reference read it.
 * `segments`: the variables in `{…}` of the path. `query`: wire name → kind of PARAMS. `body`: the contents of its
 * `blacklist`. `refuses`: parameters that another parameter's value rules out (rule 4).
 */
export const ENDPOINTS: typeof V2_ENDPOINTS & typeof V1_ENDPOINTS = {
  ...V2_ENDPOINTS,
  ...V1_ENDPOINTS,
};

export type Endpoints = typeof ENDPOINTS;
export type EndpointName = keyof Endpoints;
export type DecoderName = Endpoints[EndpointName]['response'];

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly segments: Readonly<Record<string, 'integer' | 'string'>>;
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
