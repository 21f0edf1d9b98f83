import type { FetchPort } from '../types.ts';
import type { CatalogResponse, RequestEvent, ResponseEvent, RetryEvent } from './retry.ts';
import type * as q from './queries.ts';
import type * as r from './records.ts';

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
  /** Further attempts after network errors, 408, 425 and 5xx, each signed again. @default 2 */
  retries?: number | undefined;
  /** Milliseconds since 1970. @default Date.now */
  now?: (() => number) | undefined;
  /** Unique text of at least 8 characters for each call. @default 128 random bits in hex */
  nonce?: (() => string) | undefined;
  /** Called before each request. What it throws ends the call. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each answer, whatever its status. What it throws ends the call. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the wait for a further attempt. What it throws ends the call. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** The answer of one call. */
export interface CatalogPromise<Data> extends Promise<Data> {
  /**
   * The answer together with its status, headers and request id.
   * @example
   * const { data, response } = await client.icon(123).withResponse();
   * console.log(data.icon.term, response.requestId);
   */
  withResponse(): Promise<{ data: Data; response: CatalogResponse }>;
}

export interface Page<Item, Token> {
  items: Item[];
  /** The number of items of all pages, if the service counts them. */
  total: number | undefined;
  /** Where the next page starts, for a later iteration: `next_page` of v2, `offset` of v1. `undefined`: this is the last page. */
  next: Token | undefined;
}

/** Items of a list one after the other; a page is requested when its first item is needed. */
export interface Items<Item, Token> extends AsyncGenerator<Item, void, undefined> {
  /**
   * The same list by pages. Each page has the total and the token to resume from.
   * @example
   * for await (const { items, total, next } of client.iterateIcons({ query: 'house' }).pages()) {
   *   console.log(`${items.length} of ${total}`);
   *   if (next !== undefined) await saveToken(next); // later: iterateIcons({ query: 'house', next_page: token })
   * }
   */
  pages(): AsyncGenerator<Page<Item, Token>, void, undefined>;
}

/**
 * Every method rejects with an `IconCatalogError`, or with the reason of its `signal`. Arguments outside the limits of
 * the interface are refused with `CATALOG_BAD_REQUEST` before anything is sent. The last argument of every method is `{
 * signal?, timeout?, retries? }`.
 * After a 429 nothing is sent until the limit can have been renewed: calls reject at once with the same error, whose
 * `renewsAt` says when. `reset()` ends that.
 */
export interface CatalogClient {
  /**
   * GET /v2/icon/{icon_id}
   * @example
   * const { icon } = await client.icon(123);
   * console.log(icon.term, icon.license_description);
   */
  icon(id: q.Id, query?: q.IconQuery, options?: q.CallOptions): CatalogPromise<r.IconResponse>;
  /**
   * GET /v2/icon
   * @example
   * const { icons, next_page } = await client.icons({ query: 'house', styles: 'line', limit: 20 });
   */
  icons(query?: q.IconsQuery, options?: q.CallOptions): CatalogPromise<r.IconsResponse>;
  /**
   * GET /v2/icon/{icon_id}/download
   * @example
   * const svg = await client.download(123, { color: 'ff0000' });
   * const png = await client.download(123, { filetype: 'png', size: 256 });
   * await writeFile('icon.png', png.bytes);
   */
  download(id: q.Id, query?: q.DownloadQuery, options?: q.CallOptions): CatalogPromise<r.Download>;
  /**
   * GET /v2/collection/{collection_id}
   * @example
   * const { collection } = await client.collection(7, { limit: 100 });
   * console.log(collection.name, collection.icons.length);
   */
  collection(
    id: q.Id,
    query?: q.CollectionQuery,
    options?: q.CallOptions,
  ): CatalogPromise<r.CollectionResponse>;
  /**
   * GET /v2/collection
   * @example
   * const { collections } = await client.collections({ query: 'weather' });
   */
  collections(
    query?: q.CollectionsQuery,
    options?: q.CallOptions,
  ): CatalogPromise<r.CollectionsResponse>;
  /**
   * GET /v2/icon/autocomplete
   * @example
   * const { suggestions } = await client.autocomplete('hou', { limit: 5 });
   */
  autocomplete(
    query: string,
    options?: q.AutocompleteOptions,
    callOptions?: q.CallOptions,
  ): CatalogPromise<r.AutocompleteResponse>;
  /**
   * GET /v2/client/usage
   * @example
   * const { monthly } = await client.usage();
   * console.log(monthly.usage, 'of', monthly.limit);
   */
  usage(options?: q.CallOptions): CatalogPromise<r.Usage>;
  /**
   * GET /v2/client/blacklist; what it returns may be ten minutes old.
   * @example
   * const { blacklist } = await client.blacklist();
   * console.log(blacklist.icon_ids);
   */
  blacklist(options?: q.CallOptions): CatalogPromise<r.BlacklistResponse>;
  /**
   * POST /v2/client/blacklist/id; at most 1,000 ids.
   * @example
   * await client.blacklistIds([123, 456], { type: 'icon' });
   */
  blacklistIds(
    ids: readonly q.Id[],
    options?: q.BlacklistIdsOptions,
    callOptions?: q.CallOptions,
  ): CatalogPromise<r.BlacklistResponse>;
  /**
   * POST /v2/client/blacklist/term; at most 1,000 terms or phrases.
   * @example
   * await client.blacklistTerms(['weapon'], { overwrite: true });
   */
  blacklistTerms(
    terms: readonly string[],
    options?: q.BlacklistTermsOptions,
    callOptions?: q.CallOptions,
  ): CatalogPromise<r.BlacklistResponse>;
  /**
   * Every icon of a list, one call a page.
   * @example
   * for await (const icon of client.iterateIcons({ query: 'house' })) console.log(icon.id);
   */
  iterateIcons(query?: q.Forward<q.IconsQuery>, options?: q.CallOptions): Items<r.Icon, string>;
  /**
   * Every collection of a list, one call a page.
   * @example
   * for await (const { name } of client.iterateCollections({ query: 'weather' })) console.log(name);
   */
  iterateCollections(
    query?: q.Forward<q.CollectionsQuery>,
    options?: q.CallOptions,
  ): Items<r.Collection, string>;
  /**
   * Every icon of a collection, one call a page.
   * @example
   * for await (const icon of client.iterateCollectionIcons(7, { include_svg: true })) console.log(icon.icon_url);
   */
  iterateCollectionIcons(
    id: q.Id,
    query?: q.Forward<q.CollectionQuery>,
    options?: q.CallOptions,
  ): Items<r.Icon, string>;
  /** The legacy generation. */
  readonly v1: CatalogClientV1;
  /**
   * Forgets a usage limit that an earlier answer reported: the next call is sent.
   * @example
   * client.reset();
   */
  reset(): void;
  /**
   * Ends open calls and sockets; later calls reject.
   * @example
   * await client.close();
   */
  close(): Promise<void>;
}

/** Digits are an id, other text is a slug or term. Lists have 50 results without a `limit`. */
export interface CatalogClientV1 {
  /**
   * GET /collection/{id}, GET /collection/{slug}
   * @example
   * const { collection } = await client.v1.collection('weather-icons');
   */
  collection(idOrSlug: q.Id, options?: q.CallOptions): CatalogPromise<r.V1CollectionResponse>;
  /**
   * GET /collection/{id}/icons, GET /collection/{slug}/icons
   * @example
   * const { icons } = await client.v1.collectionIcons(7, { limit: 10, page: 2 });
   */
  collectionIcons(
    idOrSlug: q.Id,
    page?: q.V1Page,
    options?: q.CallOptions,
  ): CatalogPromise<r.V1IconsResponse>;
  /**
   * GET /collections
   * @example
   * const { collections } = await client.v1.collections({ limit: 10 });
   */
  collections(page?: q.V1Page, options?: q.CallOptions): CatalogPromise<r.V1CollectionsResponse>;
  /**
   * GET /icon/{id}, GET /icon/{term}; the query is for ids only.
   * @example
   * const { icon } = await client.v1.icon(123);
   * console.log(icon.uploader?.name ?? 'unknown');
   */
  icon(
    idOrTerm: q.Id,
    query?: q.V1IconQuery,
    options?: q.CallOptions,
  ): CatalogPromise<r.V1IconResponse>;
  /**
   * GET /icons/{term}; services answer a search without hits with CATALOG_NOT_FOUND.
   * @example
   * const { icons } = await client.v1.icons('house', { limit_to_public_domain: true });
   */
  icons(
    term: string,
    query?: q.V1IconsQuery,
    options?: q.CallOptions,
  ): CatalogPromise<r.V1IconsResponse>;
  /**
   * GET /oauth/usage
   * @example
   * const { limits, usage } = await client.v1.usage();
   */
  usage(options?: q.CallOptions): CatalogPromise<r.V1Usage>;
  /**
   * GET /user/{username}/uploads
   * @example
   * const { uploads } = await client.v1.userUploads('ada', { limit: 10 });
   */
  userUploads(
    username: string,
    page?: q.V1Page,
    options?: q.CallOptions,
  ): CatalogPromise<r.V1UploadsResponse>;
  /**
   * GET /user/{user_id}/collections
   * @example
   * const { collections } = await client.v1.userCollections(5);
   */
  userCollections(userId: q.Id, options?: q.CallOptions): CatalogPromise<r.V1CollectionsResponse>;
  /**
   * GET /user/{user_id}/collections/{slug}
   * @example
   * const { collection } = await client.v1.userCollection(5, 'weather-icons');
   */
  userCollection(
    userId: q.Id,
    slug: string,
    options?: q.CallOptions,
  ): CatalogPromise<r.V1CollectionResponse>;
  /**
   * Every icon of a search; none if the service answers it with 404.
   * @example
   * for await (const icon of client.v1.iterateIcons('house')) console.log(icon.id);
   */
  iterateIcons(
    term: string,
    query?: q.FromOffset<q.V1IconsQuery>,
    options?: q.CallOptions,
  ): Items<r.V1Icon, number>;
  /**
   * Every collection.
   * @example
   * for await (const { slug } of client.v1.iterateCollections()) console.log(slug);
   */
  iterateCollections(
    page?: q.FromOffset<q.V1Page>,
    options?: q.CallOptions,
  ): Items<r.V1Collection, number>;
  /**
   * Every icon of a collection.
   * @example
   * for await (const icon of client.v1.iterateCollectionIcons('weather-icons')) console.log(icon.id);
   */
  iterateCollectionIcons(
    idOrSlug: q.Id,
    page?: q.FromOffset<q.V1Page>,
    options?: q.CallOptions,
  ): Items<r.V1Icon, number>;
  /**
   * Every upload of a user.
   * @example
   * for await (const upload of client.v1.iterateUserUploads('ada')) console.log(upload.id);
   */
  iterateUserUploads(
    username: string,
    page?: q.FromOffset<q.V1Page>,
    options?: q.CallOptions,
  ): Items<r.V1Upload, number>;
}
