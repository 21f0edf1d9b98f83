import type { FetchPort } from '../types.ts';
import type * as q from './queries.ts';
import type * as r from './records.ts';
import type * as v1 from './records-v1.ts';

export interface CatalogClientOptions {
  /** http(s) address of the service, with or without a path. */
  baseUrl: string;
  /** Client key. */
  key: string;
  /** The key's secret. */
  secret: string;
  /** Used instead of sockets; everything else stays the same. */
  fetch?: FetchPort | undefined;
  /** Requests in flight. @default 8 */
  concurrency?: number | undefined;
  /** Milliseconds for one attempt, connecting and reading included. @default 15000 */
  timeout?: number | undefined;
  /** Further attempts after network errors, 408, 425 and 5xx, each signed anew. @default 2 */
  retries?: number | undefined;
  /** Milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined;
  /** Unique text of at least 8 characters for each call. @default 128 random bits in hex */
  nonce?: (() => string) | undefined;
}

/** An iteration starts at the first page, or at a token that an earlier answer gave. */
export type Forward<Query> = Omit<Query, 'prev_page'>;
/** An iteration may start at an offset; `limit` is the size of its pages. */
export type FromOffset<Query> = Omit<Query, 'page'>;

/**
 * Every method rejects with an `IconCatalogError`. Arguments out of the interface's limits are `CATALOG_BAD_REQUEST`, refused before
 * anything is sent. After a 429 no call of this client is sent any more.
 */
export interface CatalogClient {
  /** GET /v2/icon/{icon_id} */
  icon(id: q.Id, query?: q.IconQuery): Promise<r.IconResponse>;
  /** GET /v2/icon */
  icons(query?: q.IconsQuery): Promise<r.IconsResponse>;
  /** GET /v2/icon/{icon_id}/download; `filetype` is `svg` where it is left out. */
  download(id: q.Id, query?: q.DownloadQuery): Promise<r.Download>;
  /** GET /v2/collection/{collection_id} */
  collection(id: q.Id, query?: q.CollectionQuery): Promise<r.CollectionResponse>;
  /** GET /v2/collection */
  collections(query?: q.CollectionsQuery): Promise<r.CollectionsResponse>;
  /** GET /v2/icon/autocomplete */
  autocomplete(query: string, options?: q.AutocompleteOptions): Promise<r.AutocompleteResponse>;
  /** GET /v2/client/usage */
  usage(): Promise<r.Usage>;
  /** GET /v2/client/blacklist; what it returns may be ten minutes old. */
  blacklist(): Promise<r.BlacklistResponse>;
  /** POST /v2/client/blacklist/id; at most 1,000 ids. */
  blacklistIds(ids: readonly q.Id[], options?: q.BlacklistIdsOptions): Promise<r.BlacklistResponse>;
  /** POST /v2/client/blacklist/term; at most 1,000 terms or phrases. */
  blacklistTerms(
    terms: readonly string[],
    options?: q.BlacklistTermsOptions,
  ): Promise<r.BlacklistResponse>;
  /** Every icon of a list, one call a page. */
  iterateIcons(query?: Forward<q.IconsQuery>): AsyncGenerator<r.Icon, void, undefined>;
  /** Every collection of a list, one call a page. */
  iterateCollections(
    query?: Forward<q.CollectionsQuery>,
  ): AsyncGenerator<r.Collection, void, undefined>;
  /** Every icon of a collection, one call a page. */
  iterateCollectionIcons(
    id: q.Id,
    query?: Forward<q.CollectionQuery>,
  ): AsyncGenerator<r.Icon, void, undefined>;
  /** The legacy generation. */
  readonly v1: CatalogClientV1;
}

/** Digits address by id, other text by slug or term. Lists have 50 results where no `limit` is given. */
export interface CatalogClientV1 {
  /** GET /collection/{id}, GET /collection/{slug} */
  collection(idOrSlug: q.Id): Promise<v1.V1CollectionResponse>;
  /** GET /collection/{id}/icons, GET /collection/{slug}/icons */
  collectionIcons(idOrSlug: q.Id, page?: q.V1Page): Promise<v1.V1IconsResponse>;
  /** GET /collections */
  collections(page?: q.V1Page): Promise<v1.V1CollectionsResponse>;
  /** GET /icon/{id}, GET /icon/{term}; the query is for ids only. */
  icon(idOrTerm: q.Id, query?: q.V1IconQuery): Promise<v1.V1IconResponse>;
  /** GET /icons/{term}; services answer a search without hits with CATALOG_NOT_FOUND. */
  icons(term: string, query?: q.V1IconsQuery): Promise<v1.V1IconsResponse>;
  /** GET /oauth/usage */
  usage(): Promise<v1.V1Usage>;
  /** GET /user/{username}/uploads */
  userUploads(username: string, page?: q.V1Page): Promise<v1.V1UploadsResponse>;
  /** GET /user/{user_id}/collections */
  userCollections(userId: q.Id): Promise<v1.V1CollectionsResponse>;
  /** GET /user/{user_id}/collections/{slug} */
  userCollection(userId: q.Id, slug: string): Promise<v1.V1CollectionResponse>;
  /** Every icon of a search; none where the service answers it with 404. */
  iterateIcons(
    term: string,
    query?: FromOffset<q.V1IconsQuery>,
  ): AsyncGenerator<v1.V1Icon, void, undefined>;
  iterateCollections(page?: FromOffset<q.V1Page>): AsyncGenerator<v1.V1Collection, void, undefined>;
  iterateCollectionIcons(
    idOrSlug: q.Id,
    page?: FromOffset<q.V1Page>,
  ): AsyncGenerator<v1.V1Icon, void, undefined>;
  iterateUserUploads(
    username: string,
    page?: FromOffset<q.V1Page>,
  ): AsyncGenerator<v1.V1Upload, void, undefined>;
}
