import type { CallArguments } from './arguments.ts';
import type { CatalogClient } from './client-types.ts';
import { decodeDownload } from './decode-download.ts';
import type { EndpointName, Endpoints } from './endpoints.ts';
import { followTokens } from './pages.ts';
import type { Decoded } from './schema.ts';
import { createV1Client } from './v1.ts';

/** What the endpoint's row says that its answer is. */
export type Answer<Name extends EndpointName> = Decoded[Endpoints[Name]['response']];

/** Checks, signs, sends and decodes one call of an endpoint. */
export type CallEndpoint = <Name extends EndpointName>(
  name: Name,
  args: CallArguments,
) => Promise<Answer<Name>>;

/** The methods of the public client over one function that calls an endpoint. */
export function createClient(call: CallEndpoint): CatalogClient {
  const client: CatalogClient = {
    icon: (id, query) => call('icon', { segments: { icon_id: id }, query }),
    icons: (query) => call('icons', { query }),
    async download(id, query = {}) {
      // Named on the wire: what comes without it is not in the interface.
      const filetype = query.filetype ?? 'svg';
      const response = await call('download', {
        segments: { icon_id: id },
        query: { ...query, filetype },
      });
      return decodeDownload(response, { id, filetype, where: `GET /v2/icon/${id}/download` });
    },
    collection: (id, query) => call('collection', { segments: { collection_id: id }, query }),
    collections: (query) => call('collections', { query }),
    autocomplete: (query, options) => call('autocomplete', { query: { ...options, query } }),
    usage: () => call('usage', {}),
    blacklist: () => call('blacklist', {}),
    blacklistIds: (ids, { type, overwrite } = {}) =>
      call('blacklistIds', { query: { type }, body: { blacklist: ids, overwrite } }),
    blacklistTerms: (terms, { overwrite } = {}) =>
      call('blacklistTerms', { body: { blacklist: terms, overwrite } }),

    iterateIcons: (query = {}) =>
      followTokens(
        async (token) => {
          const { icons, next_page } = await client.icons({ ...query, next_page: token });
          return { items: icons, next: next_page };
        },
        { start: query.next_page, filtered: Boolean(query.blacklist) },
      ),
    iterateCollections: (query = {}) =>
      followTokens(
        async (token) => {
          const { collections, next_page } = await client.collections({
            ...query,
            next_page: token,
          });
          return { items: collections, next: next_page };
        },
        { start: query.next_page, filtered: Boolean(query.blacklist) },
      ),
    iterateCollectionIcons: (id, query = {}) =>
      followTokens(
        async (token) => {
          const { collection, next_page } = await client.collection(id, {
            ...query,
            next_page: token,
          });
          return { items: collection.icons, next: collection.next_page ?? next_page };
        },
        { start: query.next_page, filtered: Boolean(query.blacklist) },
      ),
    v1: createV1Client(call),
  };
  return client;
}
