import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { ENDPOINTS, type EndpointName } from '../../src/catalog/endpoints.ts';
import { type CatalogClient, createCatalogClient } from '../../src/client.ts';
import { collectionId, userId } from '../../src/server/ids.ts';
import { createRoutes } from '../../src/server/create-app.ts';
import { createCatalogServer, embeddedIconId } from '../../src/server.ts';

const keys = [{ key: 'client-key', secret: 'client-secret', monthlyLimit: 1e6 }];
const BUS = embeddedIconId('maki', 'bus');
const MAKI = collectionId('maki');
const USER = userId('maki');

function connect(): CatalogClient {
  const server = createCatalogServer({ sets: ['maki'], keys });
  return createCatalogClient({
    baseUrl: 'http://embedded.test',
    key: 'client-key',
    secret: 'client-secret',
    fetch: server.fetch,
  });
}

/** One call of every endpoint through the client that users have. */
const CALLS: Record<EndpointName, (client: CatalogClient) => Promise<unknown>> = {
  icon: (client) => client.icon(BUS, { thumbnail_size: 42 }),
  icons: (client) => client.icons({ query: 'bus', limit: 2, include_svg: 1 }),
  download: (client) => client.download(BUS, { filetype: 'png', size: 20, color: '#f00' }),
  collection: (client) => client.collection(MAKI, { limit: 2 }),
  collections: (client) => client.collections({ query: 'maki' }),
  autocomplete: (client) => client.autocomplete('bu', { limit: 3 }),
  usage: (client) => client.usage(),
  blacklist: (client) => client.blacklist(),
  blacklistIds: (client) => client.blacklistIds([1], { type: 'collection', overwrite: true }),
  blacklistTerms: (client) => client.blacklistTerms(['ß ☕'], { overwrite: false }),
  v1CollectionById: (client) => client.v1.collection(MAKI),
  v1CollectionBySlug: (client) => client.v1.collection('maki'),
  v1CollectionIconsById: (client) => client.v1.collectionIcons(MAKI),
  v1CollectionIconsBySlug: (client) => client.v1.collectionIcons('maki', { limit: 2, page: 1 }),
  v1Collections: (client) => client.v1.collections(),
  v1IconById: (client) => client.v1.icon(BUS, { include_png_1200: 1 }),
  v1IconByTerm: (client) => client.v1.icon('bus'),
  v1Icons: (client) => client.v1.icons('bus', { limit_to_public_domain: 1 }),
  v1Usage: (client) => client.v1.usage(),
  v1UserUploads: (client) => client.v1.userUploads('maki', { limit: 2 }),
  v1UserCollections: (client) => client.v1.userCollections(USER),
  v1UserCollection: (client) => client.v1.userCollection(USER, 'maki'),
};

test.each(Object.entries(CALLS))(
  '%s: what the server says is what the client reads',
  async (_, call) => {
    await expect(call(connect())).resolves.toBeTypeOf('object');
  },
);

test('every row of the endpoint table has a route', () => {
  expect(
    createRoutes()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(ENDPOINTS).sort());
});

describe('iterators', () => {
  test('find each of 394 icons once, in both generations', async () => {
    const client = connect();
    const lists = [
      client.iterateIcons({ limit: 37 }),
      client.iterateCollectionIcons(MAKI, { limit: 100 }),
      client.v1.iterateCollectionIcons('maki', { limit: 90 }),
      client.v1.iterateUserUploads('maki'),
    ];
    for (const list of lists) {
      const ids = new Set<string>();
      let count = 0;
      for await (const { id } of list) {
        ids.add(id);
        count++;
      }
      expect([ids.size, count]).toEqual([394, 394]);
    }
  });
});

test('any Unicode blacklist phrase, query and term survives client → server → client', async () => {
  const client = connect();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (text) => {
      fc.pre(text.trim() !== '' && !/^\.{1,2}$|^\d+$/.test(text));
      const { blacklist } = await client.blacklistTerms([text], { overwrite: true });
      expect(blacklist.search_terms).toEqual([text]);
      expect((await client.icons({ query: text, limit: 1 })).icons.length).toBeLessThanOrEqual(1);
      await client.v1.icons(text, { limit: 1 });
    }),
    { numRuns: 60 },
  );
});

test('errors of the server are the codes of the client', async () => {
  const client = connect();
  await expect(client.icon(7)).rejects.toMatchObject({ code: 'CATALOG_NOT_FOUND' });
  await expect(client.icons({ next_page: 'abc' })).rejects.toMatchObject({
    code: 'CATALOG_BAD_REQUEST',
  });
  const server = createCatalogServer({
    sets: ['game-icons', 'maki'],
    keys: [{ key: 'a', secret: 'b', access: 'free', monthlyLimit: 1 }],
  });
  const free = (secret: string): CatalogClient =>
    createCatalogClient({
      baseUrl: 'http://embedded.test',
      key: 'a',
      secret,
      fetch: server.fetch,
      retries: 0,
    });
  await expect(free('wrong').usage()).rejects.toMatchObject({ code: 'CATALOG_UNAUTHORIZED' });
  await expect(free('b').download(embeddedIconId('game-icons', 'house'))).rejects.toMatchObject({
    code: 'CATALOG_FORBIDDEN',
  });
  await expect(free('b').usage()).rejects.toMatchObject({ code: 'CATALOG_USAGE_LIMIT' });
});
