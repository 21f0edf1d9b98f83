import { isIconCatalogError } from '../errors.ts';
import { isId } from './arguments.ts';
import type { CallEndpoint } from './client.ts';
import type { CatalogClientV1 } from './client-types.ts';
import { followOffsets } from './pages.ts';

/** The methods of the legacy generation. */
export function createV1Client(call: CallEndpoint): CatalogClientV1 {
  const client: CatalogClientV1 = {
    collection: (idOrSlug) =>
      isId(idOrSlug)
        ? call('v1CollectionById', { segments: { id: idOrSlug } })
        : call('v1CollectionBySlug', { segments: { slug: idOrSlug } }),
    collectionIcons: (idOrSlug, page) =>
      isId(idOrSlug)
        ? call('v1CollectionIconsById', { segments: { id: idOrSlug }, query: page })
        : call('v1CollectionIconsBySlug', { segments: { slug: idOrSlug }, query: page }),
    collections: (page) => call('v1Collections', { query: page }),
    icon: (idOrTerm, query) =>
      isId(idOrTerm)
        ? call('v1IconById', { segments: { id: idOrTerm }, query })
        : call('v1IconByTerm', { segments: { term: idOrTerm }, query }),
    icons: (term, query) => call('v1Icons', { segments: { term }, query }),
    usage: () => call('v1Usage', {}),
    userUploads: (username, page) => call('v1UserUploads', { segments: { username }, query: page }),
    userCollections: (userId) => call('v1UserCollections', { segments: { user_id: userId } }),
    userCollection: (userId, slug) =>
      call('v1UserCollection', { segments: { user_id: userId, slug } }),

    iterateIcons: (term, query = {}) =>
      follow(query, async (page) => {
        try {
          return (await client.icons(term, page)).icons;
        } catch (error) {
          // A search without hits is answered with 404.
          if (isIconCatalogError(error) && error.code === 'CATALOG_NOT_FOUND') return [];
          throw error;
        }
      }),
    iterateCollections: (query = {}) =>
      follow(query, async (page) => (await client.collections(page)).collections),
    iterateCollectionIcons: (idOrSlug, query = {}) =>
      follow(query, async (page) => (await client.collectionIcons(idOrSlug, page)).icons),
    iterateUserUploads: (username, query = {}) =>
      follow(query, async (page) => (await client.userUploads(username, page)).uploads),
  };
  return client;
}

function follow<Query extends { offset?: number | undefined }, Item extends { id: string }>(
  query: Query,
  load: (page: Query) => Promise<readonly Item[]>,
): AsyncGenerator<Item, void, undefined> {
  const start = query.offset ?? 0;
  return followOffsets((offset) => load(offset === 0 ? query : { ...query, offset }), start);
}
