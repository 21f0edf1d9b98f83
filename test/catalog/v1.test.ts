import { describe, expect, it } from 'vitest';
import { openSession, rejection, sendJson, startCatalog } from './support.ts';
import { v1CollectionRecord, v1UploadRecord } from './records.ts';

const DATE = 'Sat, 21 Nov 2026 09:10:11 GMT';

const icon = (id: number): object => ({
  ...v1UploadRecord(id),
  collections: [v1CollectionRecord(3)],
  tags: [{ id: '9', slug: 'house' }],
});

describe('v1 methods', () => {
  it('address by id and by name, and send what the interface lists', async () => {
    const catalog = await startCatalog(({ url = '' }, response) => {
      const path = url.split('?')[0] ?? '';
      if (path === '/oauth/usage') {
        const limits = { daily: null, hourly: 100, monthly: 5000 };
        return sendJson(response, { limits, usage: { daily: 1, hourly: 1, monthly: 9 } });
      }
      if (path.endsWith('/uploads')) {
        return sendJson(response, { generated_at: DATE, uploads: [v1UploadRecord(1)] });
      }
      if (path.endsWith('collections'))
        return sendJson(response, { collections: [v1CollectionRecord(3)] });
      if (path.includes('icons'))
        return sendJson(response, { generated_at: DATE, icons: [icon(1)] });
      if (path.startsWith('/icon/')) return sendJson(response, { icon: icon(1) });
      sendJson(response, { collection: v1CollectionRecord(3, { icon_count: '12' }) });
    });
    const { v1 } = openSession({ baseUrl: catalog.url }).client;

    expect((await v1.collection(3)).collection.icon_count).toBe('12');
    expect((await v1.collection('my set/é')).collection.slug).toBe('set-3');
    expect((await v1.collectionIcons('12', { limit: 5, page: 2 })).icons[0]?.term).toBe('Icon 1');
    expect((await v1.collectionIcons('slug', { offset: 0 })).generated_at).toBe(DATE);
    expect((await v1.collections()).collections[0]?.id).toBe('3');
    expect((await v1.icon(1, { include_png_1200: true })).icon.tags).toEqual([
      { id: '9', slug: 'house' },
    ]);
    expect((await v1.icon('star')).icon.collections?.[0]?.slug).toBe('set-3');
    expect((await v1.icons('a b', { limit_to_public_domain: 1 })).icons).toHaveLength(1);
    expect((await v1.usage()).limits).toEqual({ daily: null, hourly: 100, monthly: 5000 });
    expect((await v1.userUploads('ada', { limit: 2 })).uploads[0]).not.toHaveProperty('tags');
    expect((await v1.userCollections(5)).collections).toHaveLength(1);
    expect((await v1.userCollection(5, 'my-set')).collection.id).toBe('3');

    expect(catalog.seen.map(({ url }) => url)).toEqual([
      '/collection/3',
      '/collection/my%20set%2F%C3%A9',
      '/collection/12/icons?limit=5&page=2',
      '/collection/slug/icons?offset=0',
      '/collections',
      '/icon/1?include_png_1200=1',
      '/icon/star',
      '/icons/a%20b?limit_to_public_domain=1',
      '/oauth/usage',
      '/user/ada/uploads?limit=2',
      '/user/5/collections',
      '/user/5/collections/my-set',
    ]);
  });

  it('take what services really send', async () => {
    const odd = {
      ...v1UploadRecord(1, { uploader: {}, year: 0, icon_url: undefined, term_id: 77, more: true }),
      tags: [{ id: 9, slug: 'house' }],
    };
    const catalog = await startCatalog((_, response) => sendJson(response, { icon: odd }));
    const { v1 } = openSession({ baseUrl: catalog.url }).client;

    const answer = await v1.icon(1);

    expect(answer.icon).toMatchObject({
      year: 0,
      term_id: 77,
      more: true,
      tags: [{ id: '9', slug: 'house' }],
    });
    expect(answer.icon.icon_url).toBeUndefined();
    expect(answer.icon.uploader).toBeUndefined();
  });

  it.each([
    ['icon.uploader', { uploader: 'ada' }],
    ['icon.is_active', { is_active: true }],
    ['icon.year', { year: '2012' }],
    ['icon.id', { id: undefined }],
    ['icon.preview_url_84', { preview_url_84: {} }],
  ])('find a fault at %s', async (path, fault) => {
    const catalog = await startCatalog((_, response) =>
      sendJson(response, { icon: v1UploadRecord(1, fault) }),
    );
    const { v1 } = openSession({ baseUrl: catalog.url }).client;

    expect(await rejection(v1.icon(1))).toMatchObject({ code: 'CATALOG_MALFORMED', path });
  });

  it('refuse names that no address can hold, and a query for terms', async () => {
    const session = openSession({
      baseUrl: 'http://never.invalid',
      fetch: () => Promise.reject(new Error()),
    });
    const { v1 } = session.client;

    for (const term of ['', ' ', '.', '..', 'a\udc00']) {
      expect(await rejection(v1.icons(term))).toMatchObject({
        code: 'CATALOG_BAD_REQUEST',
        path: 'term',
      });
    }
    expect(await rejection(v1.icon('star', { include_png_1200: 1 }))).toMatchObject({
      code: 'CATALOG_BAD_REQUEST',
      path: 'include_png_1200',
    });
    expect(await rejection(v1.userCollections('ada'))).toMatchObject({ path: 'user_id' });
    expect(session.calls()).toBe(0);
  });
});

describe('v1 iterators', () => {
  async function collect(items: AsyncIterable<{ id: string }>): Promise<number[]> {
    const ids: number[] = [];
    for await (const { id } of items) ids.push(Number(id));
    return ids;
  }

  /** A list of 23 that gives at most 5 a page and leaves out what `shown` refuses, after it has cut the page. */
  async function startList(shown: (id: number) => boolean = () => true) {
    const all = Array.from({ length: 23 }, (_, index) => index + 1);
    return startCatalog(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      const offset = Number(searchParams.get('offset') ?? 0);
      const limit = Math.min(Number(searchParams.get('limit') ?? 5), 5);
      const ids = all.slice(offset, offset + limit).filter(shown);
      if (pathname === '/collections') {
        return sendJson(response, { collections: ids.map((id) => v1CollectionRecord(id)) });
      }
      const uploads = ids.map((id) => v1UploadRecord(id));
      sendJson(response, { generated_at: DATE, icons: uploads, uploads });
    });
  }

  const ALL = Array.from({ length: 23 }, (_, index) => index + 1);

  it('give everything once where a service gives less than was asked for', async () => {
    const catalog = await startList();
    const { v1 } = openSession({ baseUrl: catalog.url }).client;

    expect(await collect(v1.iterateIcons('a', { limit: 50 }))).toEqual(ALL);
    expect(catalog.seen.map(({ url }) => url)).toEqual([
      '/icons/a?limit=50',
      ...[5, 10, 15, 20, 23].map((offset) => `/icons/a?limit=50&offset=${offset}`),
    ]);
    expect(await collect(v1.iterateCollections())).toEqual(ALL);
    expect(await collect(v1.iterateCollectionIcons('set'))).toEqual(ALL);
    expect(await collect(v1.iterateUserUploads('ada', { offset: 20 }))).toEqual([21, 22, 23]);
  });

  it('give everything once where pages are filtered', async () => {
    const odd = (id: number): boolean => id % 4 !== 0;
    const catalog = await startList(odd);
    const { v1 } = openSession({ baseUrl: catalog.url }).client;

    expect(await collect(v1.iterateIcons('a'))).toEqual(ALL.filter(odd));
  });

  it('give nothing for a search that the service answers with 404', async () => {
    const catalog = await startCatalog((_, response) =>
      sendJson(response, { message: 'no hits' }, 404),
    );
    const { v1 } = openSession({ baseUrl: catalog.url }).client;

    expect(await collect(v1.iterateIcons('a'))).toEqual([]);
    expect(await rejection(collect(v1.iterateUserUploads('nobody')))).toMatchObject({
      code: 'CATALOG_NOT_FOUND',
    });
  });
});
