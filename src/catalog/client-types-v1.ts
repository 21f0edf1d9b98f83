import type { CatalogPromise, Items } from './client-types.ts';
import type * as q from './queries.ts';
import type * as v1 from './records-v1.ts';

/** Digits address by id, other text by slug or term. Lists have 50 results where no `limit` is given. */
export interface CatalogClientV1 {
  /**
   * GET /collection/{id}, GET /collection/{slug}
   * @example
   * const { collection } = await client.v1.collection('weather-icons');
   */
  collection(idOrSlug: q.Id, options?: q.CallOptions): CatalogPromise<v1.V1CollectionResponse>;
  /**
   * GET /collection/{id}/icons, GET /collection/{slug}/icons
   * @example
   * const { icons } = await client.v1.collectionIcons(7, { limit: 10, page: 2 });
   */
  collectionIcons(
    idOrSlug: q.Id,
    page?: q.V1Page,
    options?: q.CallOptions,
  ): CatalogPromise<v1.V1IconsResponse>;
  /**
   * GET /collections
   * @example
   * const { collections } = await client.v1.collections({ limit: 10 });
   */
  collections(page?: q.V1Page, options?: q.CallOptions): CatalogPromise<v1.V1CollectionsResponse>;
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
  ): CatalogPromise<v1.V1IconResponse>;
  /**
   * GET /icons/{term}; services answer a search without hits with CATALOG_NOT_FOUND.
   * @example
   * const { icons } = await client.v1.icons('house', { limit_to_public_domain: true });
   */
  icons(
    term: string,
    query?: q.V1IconsQuery,
    options?: q.CallOptions,
  ): CatalogPromise<v1.V1IconsResponse>;
  /**
   * GET /oauth/usage
   * @example
   * const { limits, usage } = await client.v1.usage();
   */
  usage(options?: q.CallOptions): CatalogPromise<v1.V1Usage>;
  /**
   * GET /user/{username}/uploads
   * @example
   * const { uploads } = await client.v1.userUploads('ada', { limit: 10 });
   */
  userUploads(
    username: string,
    page?: q.V1Page,
    options?: q.CallOptions,
  ): CatalogPromise<v1.V1UploadsResponse>;
  /**
   * GET /user/{user_id}/collections
   * @example
   * const { collections } = await client.v1.userCollections(5);
   */
  userCollections(userId: q.Id, options?: q.CallOptions): CatalogPromise<v1.V1CollectionsResponse>;
  /**
   * GET /user/{user_id}/collections/{slug}
   * @example
   * const { collection } = await client.v1.userCollection(5, 'weather-icons');
   */
  userCollection(
    userId: q.Id,
    slug: string,
    options?: q.CallOptions,
  ): CatalogPromise<v1.V1CollectionResponse>;
  /**
   * Every icon of a search; none where the service answers it with 404.
   * @example
   * for await (const icon of client.v1.iterateIcons('house')) console.log(icon.id);
   */
  iterateIcons(
    term: string,
    query?: q.FromOffset<q.V1IconsQuery>,
    options?: q.CallOptions,
  ): Items<v1.V1Icon, number>;
  /**
   * Every collection.
   * @example
   * for await (const { slug } of client.v1.iterateCollections()) console.log(slug);
   */
  iterateCollections(
    page?: q.FromOffset<q.V1Page>,
    options?: q.CallOptions,
  ): Items<v1.V1Collection, number>;
  /**
   * Every icon of a collection.
   * @example
   * for await (const icon of client.v1.iterateCollectionIcons('weather-icons')) console.log(icon.id);
   */
  iterateCollectionIcons(
    idOrSlug: q.Id,
    page?: q.FromOffset<q.V1Page>,
    options?: q.CallOptions,
  ): Items<v1.V1Icon, number>;
  /**
   * Every upload of a user.
   * @example
   * for await (const upload of client.v1.iterateUserUploads('ada')) console.log(upload.id);
   */
  iterateUserUploads(
    username: string,
    page?: q.FromOffset<q.V1Page>,
    options?: q.CallOptions,
  ): Items<v1.V1Upload, number>;
}
