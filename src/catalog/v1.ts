import { isIconCatalogError } from '../errors.ts';
import { isId } from './arguments.ts';
import type { CallEndpoint } from './client.ts';
import type { Items } from './client-types.ts';
import type { CatalogClientV1 } from './client-types-v1.ts';
import { followOffsets } from './pages.ts';

/** The methods of the legacy generation. */
export function createV1Client(call: CallEndpoint): CatalogClientV1 {
  const client: CatalogClientV1 = {
    collection: (idOrSlug, options) =>
      isId(idOrSlug)
        ? call('v1CollectionById', { segments: { id: idOrSlug } }, options)
        : call('v1CollectionBySlug', { segments: { slug: idOrSlug } }, options),
    collectionIcons: (idOrSlug, query, options) =>
      isId(idOrSlug)
        ? call('v1CollectionIconsById', { segments: { id: idOrSlug }, query }, options)
        : call('v1CollectionIconsBySlug', { segments: { slug: idOrSlug }, query }, options),
    collections: (query, options) => call('v1Collections', { query }, options),
    icon: (idOrTerm, query, options) =>
      isId(idOrTerm)
        ? call('v1IconById', { segments: { id: idOrTerm }, query }, options)
        : call('v1IconByTerm', { segments: { term: idOrTerm }, query }, options),
    icons: (term, query, options) => call('v1Icons', { segments: { term }, query }, options),
    usage: (options) => call('v1Usage', {}, options),
    userUploads: (username, query, options) =>
      call('v1UserUploads', { segments: { username }, query }, options),
    userCollections: (userId, options) =>
      call('v1UserCollections', { segments: { user_id: userId } }, options),
    userCollection: (userId, slug, options) =>
      call('v1UserCollection', { segments: { user_id: userId, slug } }, options),

    iterateIcons: (term, query = {}, options) =>
      follow(query, async (page) => {
        try {
          return (await client.icons(term, page, options)).icons;
        } catch (error) {
          // A search without hits is answered with 404.
          if (isIconCatalogError(error) && error.code === 'CATALOG_NOT_FOUND') return [];
          throw error;
        }
      }),
    iterateCollections: (query = {}, options) =>
      follow(query, async (page) => (await client.collections(page, options)).collections),
    iterateCollectionIcons: (idOrSlug, query = {}, options) =>
      follow(query, async (page) => (await client.collectionIcons(idOrSlug, page, options)).icons),
    iterateUserUploads: (username, query = {}, options) =>
      follow(query, async (page) => (await client.userUploads(username, page, options)).uploads),
  };
  return client;
}

function follow<Query extends { offset?: number | undefined }, Item extends { id: string }>(
  query: Query,
  load: (page: Query) => Promise<readonly Item[]>,
): Items<Item, number> {
  const start = query.offset ?? 0;
  return followOffsets((offset) => load(offset === 0 ? query : { ...query, offset }), start);
}
