import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createCatalogClient,
  type CatalogClient,
  type IconsQuery,
  type PageToken,
} from '../../src/client.ts';
import { createCatalogServer } from '../../src/server.ts';
import { collectionId } from '../../src/server/ids.ts';
import { DOT, createFolder, fakeSet } from '../server/project.ts';

const KEY = { key: 'key-4711', secret: 'secret-0815' };
const LINE = '<path d="M1 1h9" fill="none" stroke="currentColor" stroke-width="2"/>';

/** How many icons each set has; the first is the one that is asked by its id. */
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const limits = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });

/** A catalog of sets of these sizes: every third icon a line, the last set in the public domain. */
async function openCatalog(counts: readonly number[]): Promise<CatalogClient> {
  const sets = counts.map((count, set) =>
    fakeSet(`set-${set}`, {
      icons: Object.fromEntries(
        Array.from({ length: count }, (_, icon) => [
          `thing-${icon}`,
          { body: icon % 3 === 0 ? LINE : DOT },
        ]),
      ),
      license:
        set === counts.length - 1
          ? { title: 'CC0 1.0', spdx: 'CC0-1.0' }
          : { title: 'MIT', spdx: 'MIT' },
    }),
  );
  const root = await createFolder(Object.assign({}, ...sets) as Record<string, string>);
  const keys = [{ ...KEY, monthlyLimit: 1_000_000 }];
  const server = createCatalogServer({ root, keys });
  return createCatalogClient({ baseUrl: 'http://catalog.test', ...KEY, fetch: server.fetch });
}

interface TokenPage {
  items: readonly { id: string }[];
  total?: number | undefined;
  next_page?: string | undefined;
  prev_page?: string | undefined;
}
type Tokens = { limit: number } & PageToken;
type TokenList = (client: CatalogClient, page: Tokens) => Promise<TokenPage>;

const icons =
  (filter: Omit<IconsQuery, keyof PageToken>): TokenList =>
  async (client, page) => {
    const answer = await client.icons({ ...filter, ...page });
    return { ...answer, items: answer.icons };
  };

const V2_LISTS: Record<string, TokenList> = {
  'all icons': icons({}),
  'a search': icons({ query: 'thing' }),
  'lines of a weight': icons({ styles: 'line', line_weight: '1-60' }),
  'the public domain': icons({ query: 'thing', limit_to_public_domain: 1 }),
  'without the blacklist': icons({ blacklist: 1 }),
  async collections(client, page) {
    const answer = await client.collections(page);
    return { ...answer, items: answer.collections };
  },
  async 'icons of a collection'(client, page) {
    const { collection, total } = await client.collection(collectionId('set-0'), page);
    // The interface shows a token forward only; ours goes back as well.
    const { prev_page } = collection as { prev_page?: string };
    return { items: collection.icons, total, next_page: collection.next_page, prev_page };
  },
};

/** Follows tokens to the end; the limit changes from page to page. */
async function walk(
  load: (page: Tokens) => Promise<TokenPage>,
  {
    direction,
    from,
    pages,
  }: { direction: 'next_page' | 'prev_page'; from?: string; pages: number[] },
): Promise<{ ids: string[][]; last: TokenPage | undefined }> {
  const ids: string[][] = [];
  let last: TokenPage | undefined;
  let token = from;
  for (let at = 0; at === 0 || token !== undefined; at++) {
    const limit = pages[at % pages.length] ?? 1;
    last = await load({ limit, ...(token !== undefined && { [direction]: token }) });
    expect(last.items.length).toBeLessThanOrEqual(limit);
    ids.push(last.items.map(({ id }) => id));
    token = last[direction];
  }
  return { ids, last };
}

describe('v2 tokens', () => {
  test.each(Object.entries(V2_LISTS))('%s: each item once, forward and back', (_, list) =>
    fc.assert(
      fc.asyncProperty(sizes, limits, async (counts, pages) => {
        const client = await openCatalog(counts);
        await client.blacklistTerms(['thing 1', 'thing 7'], { overwrite: true });
        const load = (page: Tokens): Promise<TokenPage> => list(client, page);
        const whole = await load({ limit: 1000 });
        const all = whole.items.map(({ id }) => id);
        expect([new Set(all).size, whole.next_page]).toEqual([whole.total, undefined]);

        const forward = await walk(load, { direction: 'next_page', pages });
        expect(forward.ids.flat()).toEqual(all);

        const from = forward.last?.prev_page;
        if (from === undefined) return;
        const back = await walk(load, { direction: 'prev_page', from, pages });
        expect([...back.ids.toReversed().flat(), ...(forward.ids.at(-1) ?? [])]).toEqual(all);
      }),
      { numRuns: 12 },
    ),
  );
});

interface OffsetPage {
  limit: number;
  offset?: number;
  page?: number;
}
type OffsetList = (client: CatalogClient, page: OffsetPage) => Promise<readonly { id: string }[]>;

const V1_LISTS: Record<string, OffsetList> = {
  'icons of a term': async ({ v1 }, page) => (await v1.icons('thing', page)).icons,
  'icons of the public domain': async ({ v1 }, page) =>
    (await v1.icons('thing', { ...page, limit_to_public_domain: 1 })).icons,
  'icons of a collection': async ({ v1 }, page) => (await v1.collectionIcons('set-0', page)).icons,
  collections: async ({ v1 }, page) => (await v1.collections(page)).collections,
  uploads: async ({ v1 }, page) => (await v1.userUploads('set-0', page)).uploads,
};

describe('v1 offsets and pages', () => {
  test.each(Object.entries(V1_LISTS))('%s: each item once', (_, list) =>
    fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 60 }), async (counts, limit) => {
        const client = await openCatalog(counts);
        const all = (await list(client, { limit: 1000 })).map(({ id }) => id);
        expect([all.length > 0, new Set(all).size]).toEqual([true, all.length]);
        const [byOffset, byPage]: [string[], string[]] = [[], []];
        for (let page = 0; page * limit <= all.length; page++) {
          const skipped = await list(client, { limit, offset: page * limit });
          byOffset.push(...skipped.map(({ id }) => id));
          // A page wins over an offset that stands beside it.
          const paged = await list(client, { limit, page, offset: 3 });
          byPage.push(...paged.map(({ id }) => id));
        }
        expect(byOffset).toEqual(all);
        expect(byPage).toEqual(all);
      }),
      { numRuns: 12 },
    ),
  );
});

describe('iterators of the client', () => {
  const collection = collectionId('set-0');
  const ITERATORS: Record<
    string,
    (client: CatalogClient, limit: number) => AsyncIterable<{ id: string }>
  > = {
    iterateIcons: (client, limit) => client.iterateIcons({ query: 'thing', limit }),
    iterateCollections: (client, limit) => client.iterateCollections({ limit }),
    iterateCollectionIcons: (client, limit) => client.iterateCollectionIcons(collection, { limit }),
    'v1.iterateIcons': ({ v1 }, limit) => v1.iterateIcons('thing', { limit }),
    'v1.iterateCollections': ({ v1 }, limit) => v1.iterateCollections({ limit }),
    'v1.iterateCollectionIcons': ({ v1 }, limit) => v1.iterateCollectionIcons('set-0', { limit }),
    'v1.iterateUserUploads': ({ v1 }, limit) => v1.iterateUserUploads('set-0', { limit }),
  };

  test.each(Object.entries(ITERATORS))('%s yields what one long page holds', (_, iterate) =>
    fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 60 }), async (counts, limit) => {
        const client = await openCatalog(counts);
        const idsOf = async (items: AsyncIterable<{ id: string }>): Promise<string[]> => {
          const ids: string[] = [];
          for await (const { id } of items) ids.push(id);
          return ids;
        };
        const ids = await idsOf(iterate(client, limit));
        expect([ids.length > 0, new Set(ids).size]).toEqual([true, ids.length]);
        expect(ids).toEqual(await idsOf(iterate(client, 1000)));
      }),
      { numRuns: 10 },
    ),
  );
});
