import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { collectionId } from '../../src/server/ids.ts';
import { type Answer, type Harness, createHarness } from './support.ts';

let harness: Harness;
beforeAll(() => {
  harness = createHarness({
    sets: ['maki'],
    keys: [{ key: 'test-key-paid', secret: 'test-secret-paid', monthlyLimit: 1e6 }],
  });
});

interface List {
  path: string;
  page(answer: Answer): { ids: string[]; next: string | undefined; prev: string | undefined };
}
const of = (answer: Answer, inner: Record<string, unknown>, ids: unknown) => ({
  ids: (ids as { id: string }[]).map(({ id }) => id),
  next: inner['next_page'] as string | undefined,
  prev: inner['prev_page'] as string | undefined,
});
const LISTS: Record<string, List> = {
  icons: {
    path: '/v2/icon?query=ba',
    page: (answer) => of(answer, answer.body, answer.body['icons']),
  },
  'all icons': {
    path: '/v2/icon?styles=solid',
    page: (answer) => of(answer, answer.body, answer.body['icons']),
  },
  collections: {
    path: '/v2/collection?query=',
    page: (answer) => of(answer, answer.body, answer.body['collections']),
  },
  collection: {
    path: `/v2/collection/${collectionId('maki')}?thumbnail_size=42`,
    page: (answer) => {
      const collection = answer.body['collection'] as Record<string, unknown>;
      return of(answer, collection, collection['icons']);
    },
  },
};

async function walk(
  { path, page }: List,
  limits: () => number,
): Promise<{ ids: string[]; last: string }> {
  const ids: string[] = [];
  let token = '';
  let last = '';
  for (;;) {
    const answer = await harness.get(`${path}&limit=${limits()}${token}`);
    expect(answer.status, answer.body.message).toBe(200);
    const { ids: some, next, prev } = page(answer);
    ids.push(...some);
    if (prev !== undefined) last = prev;
    if (next === undefined) return { ids, last };
    expect(some.length).toBeGreaterThan(0);
    token = `&next_page=${encodeURIComponent(next)}`;
  }
}

test.each(Object.entries(LISTS))(
  '%s: pages of any length hold each item once, forward and back',
  async (_, list) => {
    const whole = list.page(await harness.get(`${list.path}&limit=1000`)).ids;
    expect(whole.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 7, max: 400 }), { minLength: 1 }),
        async (limits) => {
          let at = 0;
          const { ids, last } = await walk(list, () => limits[at++ % limits.length] ?? 50);
          expect(ids).toEqual(whole);
          let prev: string | undefined = last || undefined;
          const back: string[] = [];
          while (prev !== undefined) {
            const answer = list.page(
              await harness.get(
                `${list.path}&limit=${limits[at++ % limits.length]}&prev_page=${prev}`,
              ),
            );
            back.unshift(...answer.ids);
            ({ prev } = answer);
          }
          expect(back).toEqual(whole.slice(0, back.length));
          expect(last === '' || back.length > 0).toBe(true);
        },
      ),
      { numRuns: 15 },
    );
  },
);

test('tokens are of one list: others refuse them, made-up ones are refused, both at once too', async () => {
  const { body } = await harness.get('/v2/icon?query=bus&limit=1');
  const token = String(body['next_page']);
  const status = async (path: string): Promise<number> => (await harness.get(path)).status;
  expect(await status(`/v2/icon?query=bus&limit=2&next_page=${token}`)).toBe(200);
  expect(await status(`/v2/icon?query=bar&next_page=${token}`)).toBe(400);
  expect(await status(`/v2/icon?query=bus&styles=line&next_page=${token}`)).toBe(400);
  expect(await status(`/v2/collection?query=bus&next_page=${token}`)).toBe(400);
  expect(await status(`/v2/icon?query=bus&prev_page=${token}`)).toBe(400);
  expect(await status(`/v2/icon?query=bus&next_page=${token}&prev_page=${token}`)).toBe(400);
  expect(await status(`/v2/icon?query=bus&next_page=${token}A`)).toBe(400);
  expect(await status(`/v2/icon?query=bus&next_page=${token.slice(1)}`)).toBe(400);
});

test('v1: 50 by default, offset skips, page overrides offset', async () => {
  const path = '/collection/maki/icons';
  const ids = async (query: string): Promise<string[]> =>
    ((await harness.get(`${path}?${query}`)).body['icons'] as { id: string }[]).map(({ id }) => id);
  const all = await ids('limit=1000');
  expect(await ids('')).toEqual(all.slice(0, 50));
  expect(await ids('offset=10')).toEqual(all.slice(10, 60));
  expect(await ids('limit=7&offset=3')).toEqual(all.slice(3, 10));
  expect(await ids('limit=7&page=2')).toEqual(all.slice(14, 21));
  expect(await ids('limit=7&page=2&offset=3')).toEqual(all.slice(14, 21));
  expect(await ids('page=0&offset=3')).toEqual(all.slice(0, 50));
  expect(await ids('offset=100000')).toEqual([]);
  for (const bad of ['limit=0', 'offset=-1', 'page=-1', 'page=x']) {
    expect((await harness.get(`${path}?${bad}`)).status).toBe(400);
  }
});
