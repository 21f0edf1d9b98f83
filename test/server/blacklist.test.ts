import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectionId } from '../../src/server/ids.ts';
import { embeddedIconId } from '../../src/server.ts';
import { FREE, type Answer, createHarness } from './support.ts';
import { DOT, createFolder, fakeSet } from './project.ts';

const BUS = embeddedIconId('maki', 'bus');
const MAKI = collectionId('maki');
interface List {
  collection_ids: number[];
  icon_ids: number[];
  search_terms: string[];
}
const list = (answer: Answer): List => answer.body['blacklist'] as List;
const ids = (answer: Answer): number[] =>
  (answer.body['icons'] as { id: string }[]).map(({ id }) => Number(id));

describe('writing', () => {
  test('adds by default, replaces with overwrite, answers with the complete list', async () => {
    const { get, post } = createHarness({ sets: ['maki'] });
    const first = await post('/v2/client/blacklist/id', { blacklist: [1, 2, 2] });
    expect(first.body).toEqual({
      blacklist: { collection_ids: [], icon_ids: [1, 2], search_terms: [] },
      usage_limits: { monthly: { limit: 5000, usage: 1 } },
    });
    expect(
      list(await post('/v2/client/blacklist/id?type=icon', { blacklist: [3, 1], overwrite: false }))
        .icon_ids,
    ).toEqual([1, 2, 3]);
    expect(list(await post('/v2/client/blacklist/id?type=collection', { blacklist: [9] }))).toEqual(
      { collection_ids: [9], icon_ids: [1, 2, 3], search_terms: [] },
    );
    expect(
      list(await post('/v2/client/blacklist/term', { blacklist: ['a b'] })).search_terms,
    ).toEqual(['a b']);
    expect(
      list(await post('/v2/client/blacklist/id', { blacklist: [7], overwrite: true })),
    ).toEqual({ collection_ids: [9], icon_ids: [7], search_terms: ['a b'] });
    expect(
      list(await post('/v2/client/blacklist/term', { blacklist: [], overwrite: true }))
        .search_terms,
    ).toEqual([]);
    expect(list(await get('/v2/client/blacklist'))).toEqual({
      collection_ids: [9],
      icon_ids: [7],
      search_terms: [],
    });
  });

  test('is by key', async () => {
    const { get, post } = createHarness({ sets: ['maki'] });
    await post('/v2/client/blacklist/id', { blacklist: [1] });
    expect(list(await get('/v2/client/blacklist', { credentials: FREE })).icon_ids).toEqual([]);
  });

  test.each([
    ['/v2/client/blacklist/id', { blacklist: ['1'] }],
    ['/v2/client/blacklist/id', { blacklist: [1.5] }],
    ['/v2/client/blacklist/id', { blacklist: [-1] }],
    ['/v2/client/blacklist/id', { blacklist: 1 }],
    ['/v2/client/blacklist/id', {}],
    ['/v2/client/blacklist/id', []],
    ['/v2/client/blacklist/id', null],
    ['/v2/client/blacklist/id', { blacklist: [1], overwrite: 'yes' }],
    ['/v2/client/blacklist/id?type=term', { blacklist: [1] }],
    ['/v2/client/blacklist/term', { blacklist: [1] }],
    ['/v2/client/blacklist/term', { blacklist: [''] }],
  ])('%s %j is refused with 400 and changes nothing', async (path, body) => {
    const { get, post } = createHarness({ sets: ['maki'] });
    expect((await post(path, body)).status).toBe(400);
    expect(list(await get('/v2/client/blacklist'))).toEqual({
      collection_ids: [],
      icon_ids: [],
      search_terms: [],
    });
  });

  test('a body that is no JSON, or far too long, is refused', async () => {
    const { post, server } = createHarness({ sets: ['maki'] });
    expect(
      (await post('/v2/client/blacklist/term', { blacklist: ['x'.repeat(5 * 1024 * 1024)] }))
        .status,
    ).toBe(413);
    expect(
      (
        await server.fetch(
          new Request('http://catalog.test/v2/client/blacklist/id', { method: 'POST', body: '{' }),
        )
      ).status,
    ).toBe(401);
  });

  test('Unicode phrases come back as they went in', async () => {
    const { post } = createHarness({
      sets: ['maki'],
      keys: [{ key: 'test-key-paid', secret: 'test-secret-paid', monthlyLimit: 1e6 }],
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 20 }),
        async (blacklist) => {
          expect(
            list(await post('/v2/client/blacklist/term', { blacklist, overwrite: true }))
              .search_terms,
          ).toEqual(blacklist);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('limits by tier', () => {
  const range = (count: number, from = 1): number[] =>
    Array.from({ length: count }, (_, at) => at + from);

  test('paid: 1,000 in a request, 20,000 ids of both kinds together', async () => {
    const { get, post } = createHarness({ sets: ['maki'] });
    expect((await post('/v2/client/blacklist/id', { blacklist: range(1001) })).status).toBe(400);
    for (let thousand = 0; thousand < 20; thousand++) {
      const type = thousand % 2 ? 'icon' : 'collection';
      expect(
        (
          await post(`/v2/client/blacklist/id?type=${type}`, {
            blacklist: range(1000, thousand * 1000),
          })
        ).status,
      ).toBe(200);
    }
    expect((await post('/v2/client/blacklist/id', { blacklist: [99_999] })).status).toBe(400);
    const kept = list(await get('/v2/client/blacklist'));
    expect([kept.icon_ids.length, kept.collection_ids.length]).toEqual([10_000, 10_000]);
    expect((await post('/v2/client/blacklist/id', { blacklist: [1000] })).status).toBe(200);
    expect(
      (await post('/v2/client/blacklist/term', { blacklist: ['terms count apart'] })).status,
    ).toBe(200);
  });

  test('free: 5 in a request, 5 in all', async () => {
    const { post } = createHarness({ sets: ['maki'] });
    const write = async (path: string, blacklist: unknown[], overwrite = false): Promise<number> =>
      (await post(path, { blacklist, overwrite }, { credentials: FREE })).status;
    expect(await write('/v2/client/blacklist/id', range(6))).toBe(400);
    expect(await write('/v2/client/blacklist/id', range(3))).toBe(200);
    expect(await write('/v2/client/blacklist/id?type=collection', range(3))).toBe(400);
    expect(await write('/v2/client/blacklist/id?type=collection', range(2))).toBe(200);
    expect(await write('/v2/client/blacklist/id', range(3, 10), true)).toBe(200);
    expect(await write('/v2/client/blacklist/term', ['a', 'b', 'c', 'd', 'e'])).toBe(200);
    expect(await write('/v2/client/blacklist/term', ['f'])).toBe(400);
  });
});

test('GET is cached for ten minutes; writes and filters see changes at once', async () => {
  const { get, post, clock } = createHarness({ sets: ['maki'] });
  expect(list(await get('/v2/client/blacklist')).icon_ids).toEqual([]);
  expect(list(await post('/v2/client/blacklist/id', { blacklist: [BUS] })).icon_ids).toEqual([BUS]);
  expect((await get(`/v2/icon/${BUS}?blacklist=1`)).status).toBe(404);
  clock.now += 599_999;
  expect(list(await get('/v2/client/blacklist')).icon_ids).toEqual([]);
  clock.now += 1;
  expect(list(await get('/v2/client/blacklist')).icon_ids).toEqual([BUS]);
});

describe('removing', () => {
  test('by icon id, in lists and single items, only when asked', async () => {
    const { get, post } = createHarness({ sets: ['maki'] });
    const all = ids(await get('/v2/icon?query=bus'));
    expect(all).toContain(BUS);
    await post('/v2/client/blacklist/id', { blacklist: [BUS] });
    expect(ids(await get('/v2/icon?query=bus&blacklist=1'))).toEqual(
      all.filter((id) => id !== BUS),
    );
    expect(ids(await get('/v2/icon?query=bus'))).toEqual(all);
    expect(ids(await get('/v2/icon?query=bus&blacklist=0'))).toEqual(all);
    expect((await get(`/v2/icon/${BUS}?blacklist=1`)).status).toBe(404);
    expect((await get(`/v2/icon/${BUS}`)).status).toBe(200);
    const before = await get(`/v2/collection/${MAKI}`);
    const after = await get(`/v2/collection/${MAKI}?blacklist=1`);
    expect(Number(before.body['total']) - Number(after.body['total'])).toBe(1);
  });

  test('by collection id', async () => {
    const { get, post } = createHarness({ sets: ['maki', 'game-icons'] });
    await post('/v2/client/blacklist/id?type=collection', { blacklist: [MAKI] });
    expect((await get('/v2/collection?blacklist=1')).body).toMatchObject({
      total: 1,
      collections: [{ name: 'Game Icons' }],
    });
    expect((await get('/v2/collection')).body).toMatchObject({ total: 2 });
    expect((await get(`/v2/collection/${MAKI}?blacklist=1`)).status).toBe(404);
    expect(ids(await get('/v2/icon?query=bus&blacklist=1'))).not.toContain(BUS);
    expect((await get(`/v2/icon/${BUS}?blacklist=1`)).status).toBe(404);
  });

  test('by phrase: whole words side by side, any case and script, also in suggestions', async () => {
    const root = await createFolder(
      fakeSet('words', {
        icons: Object.fromEntries(
          ['red-cross', 'cross-red', 'redcross', 'straße-nord', 'ドラゴン-頭', 'cup'].map(
            (name) => [name, { body: DOT }],
          ),
        ),
      }),
    );
    const { get, post } = createHarness({ root });
    const names = async (blacklist: string[]): Promise<string[]> => {
      await post('/v2/client/blacklist/term', { blacklist, overwrite: true });
      const answer = await get('/v2/icon?blacklist=1');
      return (answer.body['icons'] as { term: string }[]).map(({ term }) => term);
    };
    const all = ['Red cross', 'Cross red', 'Redcross', 'Straße nord', 'ドラゴン 頭', 'Cup'];
    expect(await names([])).toEqual(all);
    expect(await names(['RED  cross'])).toEqual(all.filter((term) => term !== 'Red cross'));
    expect(await names(['STRASSE'])).toEqual(all);
    expect(await names(['Straße'])).toEqual(all.filter((term) => term !== 'Straße nord'));
    expect(await names(['ドラゴン'])).toEqual(all.filter((term) => term !== 'ドラゴン 頭'));
    expect(await names(['☕', ' ', 'cu'])).toEqual(all);
    await post('/v2/client/blacklist/term', { blacklist: ['red cross'], overwrite: true });
    const suggestions = await get('/v2/icon/autocomplete?query=red&blacklist=1');
    expect(suggestions.body['suggestions']).toEqual(['red', 'redcross', 'cross red']);
  });
});
