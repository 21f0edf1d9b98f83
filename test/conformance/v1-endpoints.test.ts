import { expect } from 'vitest';
import type { V1Collection, V1Icon } from '../../src/client.ts';
import { conformance, legacy } from './support/conformance.ts';
import { HTTP_DATE, bytesOf, expectRefusal, get, listOf, sizeOfPng } from './support/read.ts';
import { NO_ID, WORD, type Target } from './support/target.ts';

const GENERATED = expect.stringMatching(HTTP_DATE);

async function collectionOf({ client }: Target): Promise<V1Collection> {
  const { collections } = await client.v1.collections({ limit: 5 });
  for (const { id, icon_count } of (await client.collections({ limit: 50 })).collections) {
    const found = collections.find((collection) => collection.id === id);
    if (found && icon_count! > 60) return found;
  }
  return collections[0]!;
}

async function iconOf({ client }: Target): Promise<V1Icon> {
  return (await client.v1.icons(WORD, { limit: 1 })).icons[0]!;
}

const idsOf = (items: readonly { id?: unknown }[]): unknown[] => items.map(({ id }) => id);

/** Ids of a v1 list as it is asked on the wire. */
async function listed(target: Target, query: string): Promise<unknown[]> {
  return idsOf(listOf((await get(target, `/icons/${WORD}${query}`))['icons']));
}

conformance({
  'v1 endpoints, row 1: GET /collection/{id}': legacy(async (target) => {
    const { id, slug } = await collectionOf(target);
    expect(await get(target, `/collection/${id}`)).toMatchObject({ collection: { id, slug } });
  }),

  'v1 endpoints, row 2: GET /collection/{slug}': legacy(async (target) => {
    const { id, slug } = await collectionOf(target);
    const path = `/collection/${encodeURIComponent(slug!)}`;
    expect(await get(target, path)).toMatchObject({ collection: { id, slug } });
  }),

  'v1 endpoints, row 3: GET /collection/{id}/icons': legacy(async (target) => {
    const { id } = await collectionOf(target);
    const answer = await get(target, `/collection/${id}/icons?limit=3&offset=1`);
    expect(answer).toMatchObject({ generated_at: GENERATED });
    expect(listOf(answer['icons'])).toHaveLength(3);
  }),

  'v1 endpoints, row 4: GET /collection/{slug}/icons': legacy(async (target) => {
    const { id, slug } = await collectionOf(target);
    const path = `/collection/${encodeURIComponent(slug!)}/icons?limit=3&page=1`;
    const answer = await get(target, path);
    expect(answer).toMatchObject({ generated_at: GENERATED });
    const byId = await get(target, `/collection/${id}/icons?limit=3&page=1`);
    expect(idsOf(listOf(answer['icons']))).toEqual(idsOf(listOf(byId['icons'])));
  }),

  'v1 endpoints, row 5: GET /collections': legacy(async (target) => {
    const all = idsOf(listOf((await get(target, '/collections?limit=3'))['collections']));
    const second = await get(target, '/collections?limit=1&offset=1');
    expect(idsOf(listOf(second['collections']))).toEqual(all.slice(1, 2));
  }),

  'v1 endpoints, row 6: GET /icon/{id}': {
    'an icon with collections and tags': legacy(async (target) => {
      const { id } = await iconOf(target);
      const answer = await get(target, `/icon/${id}`);
      expect(answer).toMatchObject({
        icon: { id, collections: expect.any(Array), tags: expect.any(Array) },
      });
    }),
    'include_png_1200 adds the PNG of 1200 px': legacy(async (target, context) => {
      const { id } = await iconOf(target);
      const { icon } = await target.client.v1.icon(id, { include_png_1200: 1 });
      const addresses = Object.values(icon).filter(
        (value): value is string => typeof value === 'string' && /^https?:.*1200/.test(value),
      );
      if (addresses.length === 0 && !target.embedded)
        return context.skip('the field of its address is not shown');
      const file = await bytesOf(await target.fetchAsset(addresses[0]!));
      expect(sizeOfPng(file)).toEqual([1200, 1200]);
      expect(Object.keys(icon).length).toBeGreaterThan(
        Object.keys((await target.client.v1.icon(id)).icon).length,
      );
    }),
  },

  'v1 endpoints, row 7: GET /icon/{term}': legacy(async (target) => {
    const { term } = await iconOf(target);
    const { icon } = await target.client.v1.icon(term!);
    expect(icon.term!.toLowerCase()).toBe(term!.toLowerCase());
  }),

  'v1 endpoints, row 8: GET /icons/{term}': {
    'icons of a term': legacy(async (target) => {
      const answer = await get(target, `/icons/${WORD}?limit=4`);
      expect(answer).toMatchObject({ generated_at: GENERATED });
      expect(listOf(answer['icons'])).toHaveLength(4);
    }),
    'limited to the public domain': legacy(async (target) => {
      const { publicDomain } = await target.subjects();
      const query = { limit_to_public_domain: 1, limit: 20 };
      const { icons } = await target.client.v1.icons(publicDomain.term!, query);
      expect(icons.length).toBeGreaterThan(0);
      for (const icon of icons) expect(icon.license_description).toBe('public-domain');
    }),
  },

  'v1 endpoints, row 9: GET /oauth/usage': legacy(async (target) => {
    const usage = await get(target, '/oauth/usage');
    const count = expect.any(Number);
    expect(usage).toMatchObject({ usage: { hourly: count, daily: count, monthly: count } });
    for (const limit of Object.values(usage['limits'] as object))
      expect(limit === null || Number.isInteger(limit)).toBe(true);
  }),

  'v1 endpoints, row 10: GET /user/{username}/uploads': legacy(async (target) => {
    const { author } = await collectionOf(target);
    const path = `/user/${encodeURIComponent(author!.username!)}/uploads?limit=2&offset=1`;
    const answer = await get(target, path);
    expect(answer).toMatchObject({ generated_at: GENERATED });
    expect(listOf(answer['uploads'])).toHaveLength(2);
  }),

  'v1 endpoints, row 11: GET /user/{user_id}/collections': legacy(async (target) => {
    const { author_id, id } = await collectionOf(target);
    const { collections } = await get(target, `/user/${author_id}/collections`);
    expect(idsOf(listOf(collections))).toContain(id);
  }),

  'v1 endpoints, row 12: GET /user/{user_id}/collections/{slug}': {
    'the collection of a user': legacy(async (target) => {
      const { author_id, slug, id } = await collectionOf(target);
      const path = `/user/${author_id}/collections/${encodeURIComponent(slug!)}`;
      expect(await get(target, path)).toMatchObject({ collection: { id, slug } });
    }),
    'and nobody else’s': legacy(async (target) => {
      const { slug } = await collectionOf(target);
      expectRefusal(await target.ask(`/user/${NO_ID}/collections/${encodeURIComponent(slug!)}`));
    }),
  },

  'v1 paging: limit': legacy(async (target) => {
    for (const limit of [1, 5, 60])
      expect((await listed(target, `?limit=${limit}`)).length).toBe(limit);
  }),

  'v1 paging: offset': legacy(async (target) => {
    const all = await listed(target, '?limit=20');
    expect(await listed(target, '?limit=5&offset=3')).toEqual(all.slice(3, 8));
    expect(await listed(target, '?limit=20&offset=0')).toEqual(all);
  }),

  'v1 paging: page': legacy(async (target) => {
    const all = await listed(target, '?limit=20');
    expect(await listed(target, '?limit=5&page=2')).toEqual(all.slice(10, 15));
    expect(await listed(target, '?limit=5&page=0')).toEqual(all.slice(0, 5));
  }),

  'v1 paging: page overrides offset': legacy(async (target) => {
    const all = await listed(target, '?limit=20');
    expect(await listed(target, '?limit=4&page=2&offset=1')).toEqual(all.slice(8, 12));
    expect(await listed(target, '?offset=1&page=0&limit=4')).toEqual(all.slice(0, 4));
  }),

  'v1 paging: up to 50 without parameters': legacy(async (target) => {
    expect(await listed(target, '')).toHaveLength(50);
  }),

  'v1 paths: integers address by id, strings by slug or term': legacy(async (target) => {
    const { id, slug } = await collectionOf(target);
    const icon = await iconOf(target);
    expect((await target.client.v1.collection(id)).collection.slug).toBe(slug);
    expect((await target.client.v1.collection(slug!)).collection.id).toBe(id);
    expect((await target.client.v1.icon(icon.id)).icon.term).toBe(icon.term);
    // An integer that is no id is not searched for.
    expectRefusal(await target.ask(`/icon/${NO_ID}`));
    expectRefusal(await target.ask(`/collection/${NO_ID}`));
  }),

  'What the service does 8: v1 uploads and collections of a user': legacy(async (target) => {
    const { author, author_id } = await collectionOf(target);
    const { uploads } = await target.client.v1.userUploads(author!.username!, { limit: 5 });
    expect(uploads).toHaveLength(5);
    const { collections } = await target.client.v1.userCollections(author_id!);
    expect(collections.length).toBeGreaterThan(0);
  }),
});
