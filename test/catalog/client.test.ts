import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { DownloadQuery } from '../../src/client.ts';
import { describe, expect, it } from 'vitest';
import {
  KEY,
  isSigned,
  oauthParam,
  openSession,
  rejection,
  sendJson,
  startCatalog,
} from './support.ts';
import {
  CREATOR,
  GENERATED_AT,
  PNG,
  SVG,
  USAGE,
  collectionRecord,
  downloadBody,
  iconBody,
  iconRecord,
  iconsBody,
} from './records.ts';

/** Blank text is refused before it is sent. */
const words = fc
  .string({ unit: 'binary', minLength: 1 })
  .filter((text) => text.trim() !== '' && text !== '.' && text !== '..');

describe('signed calls', () => {
  it('sends one-legged OAuth in the header, which an independent reading accepts', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, iconBody(1)));
    const { client } = openSession({ baseUrl: catalog.url });

    await client.icon(1, { thumbnail_size: 84, blacklist: true });

    const [call] = catalog.seen;
    expect(call?.url).toBe('/v2/icon/1?thumbnail_size=84&blacklist=1');
    expect(isSigned(catalog.url, call!)).toBe(true);
    expect(oauthParam(call!, 'oauth_consumer_key')).toBe(KEY);
    expect(oauthParam(call!, 'oauth_signature_method')).toBe('HMAC-SHA1');
    expect(oauthParam(call!, 'oauth_version')).toBe('1.0');
    expect(oauthParam(call!, 'oauth_nonce').length).toBeGreaterThanOrEqual(8);
    expect(call?.authorization).not.toContain('oauth_token');
  });

  it('signs with the given clock and nonce', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, USAGE));
    const now = (): number => 1_318_622_958_999;
    const { client } = openSession({ baseUrl: catalog.url, now, nonce: () => 'given-nonce' });

    await client.usage();

    expect(oauthParam(catalog.seen[0]!, 'oauth_timestamp')).toBe('1318622958');
    expect(oauthParam(catalog.seen[0]!, 'oauth_nonce')).toBe('given-nonce');
  });

  it('keeps the path of a base address and minds no slash at its end', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, USAGE));
    const { client } = openSession({ baseUrl: `${catalog.url}/api/catalog//` });

    await client.usage();

    expect(catalog.seen[0]?.url).toBe('/api/catalog/v2/client/usage');
    expect(isSigned(catalog.url, catalog.seen[0]!)).toBe(true);
  });

  it('writes any Unicode query so that it arrives unchanged and signed', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, iconsBody([])));
    const { client } = openSession({ baseUrl: catalog.url });

    await fc.assert(
      fc.asyncProperty(words, async (query) => {
        await client.icons({ query });
        const call = catalog.seen.at(-1)!;
        expect(new URL(call.url, catalog.url).searchParams.get('query')).toBe(query);
        expect(call.url).not.toContain('+');
        expect(isSigned(catalog.url, call)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('writes any term as one segment of the path', async () => {
    const catalog = await startCatalog((_, response) =>
      sendJson(response, { generated_at: '', icons: [] }),
    );
    const { client } = openSession({ baseUrl: catalog.url });
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        await client.v1.icons(text);
        const call = catalog.seen.at(-1)!;
        expect(call.url.split('/').slice(2).map(decodeURIComponent)).toEqual([text]);
        expect(isSigned(catalog.url, call)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('does not sign a JSON body as parameters', async () => {
    const blacklist = { collection_ids: [], icon_ids: [1, 2], search_terms: [] };
    const catalog = await startCatalog((_, response) =>
      sendJson(response, { blacklist, usage_limits: USAGE }),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    const answer = await client.blacklistIds([1, '2'], { type: 'icon', overwrite: true });

    expect(answer.blacklist.icon_ids).toEqual([1, 2]);
    const [call] = catalog.seen;
    expect(call).toMatchObject({ method: 'POST', url: '/v2/client/blacklist/id?type=icon' });
    expect(call?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(call!.body)).toEqual({ blacklist: [1, 2], overwrite: true });
    expect(isSigned(catalog.url, call!)).toBe(true);
  });

  it('sends a blacklist of as many entries as one request may have', async () => {
    const ids = Array.from({ length: 1000 }, (_, at) => at);
    const blacklist = { collection_ids: [], icon_ids: ids, search_terms: [] };
    const catalog = await startCatalog((_request, response) =>
      sendJson(response, { blacklist, usage_limits: USAGE }),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    await client.blacklistIds(ids);

    expect(JSON.parse(catalog.seen[0]!.body)).toEqual({ blacklist: ids });
  });

  it('takes a fetch in place of sockets', async () => {
    const requests: Request[] = [];
    const { client } = openSession({
      baseUrl: 'http://embedded.invalid',
      fetch: async (request) => {
        requests.push(request);
        return Response.json(iconBody(5));
      },
    });

    expect((await client.icon(5)).icon.id).toBe('5');
    const [request] = requests;
    const seen = {
      method: 'GET',
      url: '/v2/icon/5',
      authorization: request?.headers.get('authorization') ?? '',
      headers: {},
      body: '',
    };
    expect(isSigned('http://embedded.invalid', seen)).toBe(true);
  });
});

describe('raw calls', () => {
  it('are signed and sent as they are written', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, { any: 'thing' }));
    const session = openSession({ baseUrl: `${catalog.url}/base` });

    const path = '/v3/new thing?a=b%20c';
    expect(await session.send({ method: 'GET', path, query: [['d', 'é']] })).toEqual({
      any: 'thing',
    });
    await session.send({ method: 'POST', path: '/x', query: [], body: { list: [1] } });

    expect(catalog.seen.map(({ url }) => url)).toEqual([
      '/base/v3/new%20thing?a=b%20c&d=%C3%A9',
      '/base/x',
    ]);
    expect(catalog.seen.every((call) => isSigned(catalog.url, call))).toBe(true);
    expect(JSON.parse(catalog.seen[1]!.body)).toEqual({ list: [1] });
  });

  it.each(['@other.invalid/v2/icon', '.other.invalid/', ':81/', ''])(
    'never leave the host: %s',
    async (path) => {
      const session = openSession({
        baseUrl: 'http://catalog.invalid',
        fetch: () => Promise.reject(new Error('It was sent.')),
      });
      expect(await rejection(session.send({ method: 'GET', path, query: [] }))).toMatchObject({
        code: 'CATALOG_BAD_REQUEST',
        path: 'path',
      });
    },
  );
});

describe('answers', () => {
  it('are the records of the wire, unknown fields included', async () => {
    const body = {
      ...iconBody(1, { mood: 'good', icon_url: 'https://assets.example/1.svg' }),
      extra: [1],
    };
    const catalog = await startCatalog((_, response) => sendJson(response, body));
    const { client } = openSession({ baseUrl: catalog.url });

    expect(await client.icon('1')).toEqual(body);
  });

  it('may lack the address of a file, and say null for tokens', async () => {
    const catalog = await startCatalog((_, response) =>
      sendJson(response, iconsBody([1], { next_page: null, prev_page: '' })),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    const { icons, next_page, prev_page } = await client.icons({ query: 'x' });

    expect([icons[0]?.icon_url, next_page, prev_page]).toEqual([undefined, undefined, undefined]);
  });

  it('leave out styles that say nothing', async () => {
    const styles = [{}, { style: 'solid', line_weight: null }, { style: 'line', line_weight: 4 }];
    const catalog = await startCatalog((_, response) =>
      sendJson(response, iconBody(1, { styles })),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    const { icon } = await client.icon(1);

    expect(icon.styles).toEqual([{ style: 'solid' }, { style: 'line', line_weight: 4 }]);
  });

  it('need not have what neither drawing nor credit needs', async () => {
    const bare = {
      license_description: undefined,
      attribution: null,
      collections: undefined,
      styles: undefined,
      tags: undefined,
      thumbnail_url: undefined,
    };
    const catalog = await startCatalog((_, response) =>
      sendJson(response, { ...iconBody(1, bare), generated_at: undefined, total: undefined }),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    const { icon, total, generated_at } = await client.icon(1);

    expect(icon.id).toBe('1');
    for (const field of Object.keys(bare))
      expect(icon).not.toHaveProperty(field, expect.anything());
    expect([total, generated_at]).toEqual([undefined, undefined]);
  });

  it('are malformed without the list that was asked for, whatever else is there', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, { total: 0 }));
    const { client } = openSession({ baseUrl: catalog.url });
    for (const [path, asking] of [
      ['icons', () => client.icons({ query: 'house' })],
      ['collections', () => client.collections({ query: 'house' })],
      ['suggestions', () => client.autocomplete('house')],
      ['collection', () => client.collection(1)],
    ] as const)
      expect(await rejection(asking())).toMatchObject({ code: 'CATALOG_MALFORMED', path });
  });

  it.each([
    ['icon', { ...iconBody(1), icon: undefined }],
    ['icon.creator.name', iconBody(1, { creator: { ...CREATOR, name: 5 } })],
    ['icon.id', iconBody(1, { id: undefined })],
    ['icon.term', iconBody(1, { term: 5 })],
    ['icon.tags.1', iconBody(1, { tags: ['a', 7] })],
    ['icon.collections', iconBody(1, { collections: 'none' })],
    ['total', { ...iconBody(1), total: '1' }],
  ])('with a fault at %s are CATALOG_MALFORMED there', async (path, body) => {
    const catalog = await startCatalog((_, response) => sendJson(response, body));
    const { client } = openSession({ baseUrl: catalog.url });

    expect(await rejection(client.icon(1))).toMatchObject({
      code: 'CATALOG_MALFORMED',
      path,
      icon: '1',
    });
    expect(catalog.seen).toHaveLength(1);
  });

  it('hand usage to the hook, whatever its form', async () => {
    const bodies = [
      { monthly: { limit: 100, usage: 7 }, plan: 'new' },
      { limits: { monthly: null }, usage: { monthly: 8 } },
      { plan: 'other' },
      [],
      { monthly: { usage: { icon: 0, service: 3 }, cost: '1.50' } },
    ];
    const catalog = await startCatalog((_, response) => sendJson(response, bodies.shift()));
    const usages: object[] = [];
    const { client } = openSession(
      { baseUrl: catalog.url },
      { onUsage: (monthly) => usages.push(monthly) },
    );

    expect(await client.usage()).toEqual({ monthly: { limit: 100, usage: 7 }, plan: 'new' });
    expect((await client.usage()).monthly).toEqual({ limit: Infinity, usage: 8 });
    expect(await client.usage()).toEqual({ monthly: {}, plan: 'other' });
    expect((await client.usage()).monthly).toEqual({});
    const kinds = { usage: { icon: 0, service: 3 }, cost: '1.50' };
    expect(await client.usage()).toEqual({ monthly: kinds });
    expect(usages).toEqual([
      { limit: 100, usage: 7 },
      { limit: Infinity, usage: 8 },
    ]);
  });

  it('do not fail for usage limits that are missing', async () => {
    const catalog = await startCatalog((_, response) =>
      sendJson(response, { ...iconBody(1), usage_limits: undefined }),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    expect((await client.icon(1)).icon.id).toBe('1');
  });
});

describe('download', () => {
  async function download(body: unknown, query?: DownloadQuery) {
    const catalog = await startCatalog((_, response) => sendJson(response, body));
    const { client } = openSession({ baseUrl: catalog.url });
    return { catalog, result: client.download(9, query) };
  }

  it('gives the bytes of an svg', async () => {
    const { catalog, result } = await download(downloadBody(), { color: '#FF00aa' });
    const { bytes, base64_encoded_file } = await result;
    expect(Buffer.from(bytes).toString()).toBe(SVG);
    expect(Buffer.from(base64_encoded_file, 'base64').toString()).toBe(SVG);
    expect(catalog.seen[0]?.url).toBe('/v2/icon/9/download?color=FF00aa&filetype=svg');
  });

  it('gives the bytes of a png', async () => {
    const { catalog, result } = await download(downloadBody(PNG, { content_type: 'image/png' }), {
      filetype: 'png',
      size: 20,
    });
    expect(Buffer.from((await result).bytes).equals(PNG)).toBe(true);
    expect(catalog.seen[0]?.url).toBe('/v2/icon/9/download?filetype=png&size=20');
  });

  it.each([
    [
      'no base64 at all',
      downloadBody(SVG, { base64_encoded_file: '%%% no base64 %%%' }),
      'base64_encoded_file',
    ],
    [
      'base64 cut off',
      downloadBody(SVG, { base64_encoded_file: 'PHN2Zy8' }),
      'base64_encoded_file',
    ],
    [
      'base64url',
      downloadBody(SVG, { base64_encoded_file: 'PD94bWw_Pj4-' }),
      'base64_encoded_file',
    ],
    ['an empty file', downloadBody(''), 'base64_encoded_file'],
    ['another content type', downloadBody(SVG, { content_type: 'text/html' }), 'content_type'],
    ['a png instead of an svg', downloadBody(PNG, { content_type: 'image/png' }), 'content_type'],
    ['a png called svg', downloadBody(PNG), 'base64_encoded_file'],
    ['a web page called svg', downloadBody('<!DOCTYPE html><html></html>'), 'base64_encoded_file'],
    ['no file', { content_type: 'image/svg+xml', usage_limits: USAGE }, 'base64_encoded_file'],
  ])('refuses %s', async (_, body, path) => {
    const { result } = await download(body);
    expect(await rejection(result)).toMatchObject({ code: 'CATALOG_MALFORMED', path, icon: '9' });
  });

  it('refuses an svg called png', async () => {
    const { result } = await download(downloadBody(SVG, { content_type: 'image/png' }), {
      filetype: 'png',
    });
    expect(await rejection(result)).toMatchObject({ code: 'CATALOG_MALFORMED' });
  });
});

describe('arguments', () => {
  const untyped: { [Method in string]?: (...args: unknown[]) => Promise<unknown> } = {};
  const cases: [string, string, (client: Record<string, (typeof untyped)[string]>) => unknown][] = [
    ['size below 20', 'size', (c) => c['download']?.(1, { filetype: 'png', size: 19 })],
    ['size above 1200', 'size', (c) => c['download']?.(1, { filetype: 'png', size: 1201 })],
    ['size that is no integer', 'size', (c) => c['download']?.(1, { filetype: 'png', size: 20.5 })],
    ['size with svg', 'size', (c) => c['download']?.(1, { filetype: 'svg', size: 64 })],
    ['size without a filetype', 'size', (c) => c['download']?.(1, { size: 64 })],
    ['unknown filetype', 'filetype', (c) => c['download']?.(1, { filetype: 'gif' })],
    ['colour by name', 'color', (c) => c['download']?.(1, { color: 'red' })],
    ['colour of 4 digits', 'color', (c) => c['download']?.(1, { color: '#ff00' })],
    ['id that is text', 'icon_id', (c) => c['icon']?.('star')],
    ['id with a fraction', 'icon_id', (c) => c['icon']?.(1.5)],
    ['negative id', 'collection_id', (c) => c['collection']?.(-1)],
    ['thumbnail size 100', 'thumbnail_size', (c) => c['icons']?.({ thumbnail_size: 100 })],
    ['unknown style', 'styles', (c) => c['icons']?.({ styles: 'solid,dotted' })],
    ['line weight 0', 'line_weight', (c) => c['icons']?.({ line_weight: 0 })],
    ['line weight 61', 'line_weight', (c) => c['icons']?.({ line_weight: '4-61' })],
    ['line weight backwards', 'line_weight', (c) => c['icons']?.({ line_weight: '10-4' })],
    ['limit 0', 'limit', (c) => c['icons']?.({ limit: 0 })],
    ['suggestions above 10', 'limit', (c) => c['autocomplete']?.('a', { limit: 11 })],
    ['unknown parameter', 'colour', (c) => c['download']?.(1, { colour: 'ff0000' })],
    ['a limit that is true', 'limit', (c) => c['icons']?.({ limit: true })],
    ['a query that is an object', 'query', (c) => c['icons']?.({ query: {} })],
    ['a parameter of every object', 'toString', (c) => c['icons']?.({ toString: 'a' })],
    ['two tokens', 'prev_page', (c) => c['icons']?.({ next_page: 'a', prev_page: 'b' })],
    [
      'two tokens of icons',
      'prev_page',
      (c) => c['collection']?.(1, { next_page: 'a', prev_page: 'b' }),
    ],
    ['a blank query', 'query', (c) => c['icons']?.({ query: ' ' })],
    ['suggestions for nothing', 'query', (c) => c['autocomplete']?.()],
    ['suggestions for blanks', 'query', (c) => c['autocomplete']?.('  ')],
    ['half a surrogate pair', 'query', (c) => c['icons']?.({ query: 'a\ud83d' })],
    [
      '1001 ids',
      'blacklist',
      (c) => c['blacklistIds']?.(Array.from({ length: 1001 }, (_, i) => i)),
    ],
    ['an id that is text', 'blacklist.1', (c) => c['blacklistIds']?.([1, 'x'])],
    ['an empty term', 'blacklist.0', (c) => c['blacklistTerms']?.([' '])],
    ['blacklist of another type', 'type', (c) => c['blacklistIds']?.([1], { type: 'user' })],
  ];

  it.each(cases)(
    'out of the limits are refused before anything is sent: %s',
    async (_, path, act) => {
      const session = openSession({
        baseUrl: 'http://never.invalid',
        fetch: () => Promise.reject(new Error('It was sent.')),
      });
      const client: unknown = session.client;

      const error = await rejection(
        Promise.resolve(act(client as Record<string, (typeof untyped)[string]>)),
      );

      expect(error).toMatchObject({ code: 'CATALOG_BAD_REQUEST', path });
      expect(session.calls()).toBe(0);
    },
  );

  it('at the limits are sent', async () => {
    const catalog = await startCatalog((_, response) => sendJson(response, iconsBody([])));
    const { client } = openSession({ baseUrl: catalog.url });

    await client.icons({
      styles: ['solid', 'line'],
      line_weight: '1-60',
      thumbnail_size: 42,
      limit: 1,
    });
    await client.icons({ styles: 'line', line_weight: 7, include_svg: false, query: undefined });

    expect(catalog.seen.map(({ url }) => url)).toEqual([
      '/v2/icon?styles=solid%2Cline&line_weight=1-60&thumbnail_size=42&limit=1',
      '/v2/icon?styles=line&line_weight=7',
    ]);
  });
});

describe('iterators', () => {
  const PAGES: Record<string, { ids: number[]; next?: string | null }> = {
    '': { ids: [1, 2, 3], next: 'b' },
    b: { ids: [4], next: 'c' },
    c: { ids: [4, 5, 6], next: null },
  };

  async function collect<Item extends { id: string }>(
    items: AsyncIterable<Item>,
  ): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of items) ids.push(id);
    return ids;
  }

  async function startPages(pages: typeof PAGES) {
    return startCatalog(({ url }, response) => {
      const { pathname, searchParams } = new URL(url ?? '', 'http://x');
      const { ids, next } = pages[searchParams.get('next_page') ?? ''] ?? { ids: [] };
      if (pathname === '/v2/icon') return sendJson(response, iconsBody(ids, { next_page: next }));
      const envelope = { generated_at: GENERATED_AT, total: 6, usage_limits: USAGE };
      if (pathname === '/v2/collection') {
        const collections = ids.map((id) => collectionRecord(id));
        return sendJson(response, { ...envelope, collections, next_page: next });
      }
      const collection = collectionRecord(8, {
        icons: ids.map((id) => iconRecord(id)),
        next_page: next,
      });
      return sendJson(response, { ...envelope, collection });
    });
  }

  it('give every item of every page once, one call a page', async () => {
    const catalog = await startPages(PAGES);
    const { client } = openSession({ baseUrl: catalog.url });
    const all = ['1', '2', '3', '4', '5', '6'];

    expect(await collect(client.iterateIcons({ query: 'a b', limit: 3 }))).toEqual(all);
    expect(catalog.seen).toHaveLength(3);
    expect(await collect(client.iterateCollections())).toEqual(all);
    expect(catalog.seen).toHaveLength(6);
    expect(await collect(client.iterateCollectionIcons(8))).toEqual(all);
    expect(catalog.seen).toHaveLength(9);
  });

  it('ask for no page that is not wanted', async () => {
    const catalog = await startPages(PAGES);
    const { client } = openSession({ baseUrl: catalog.url });

    for await (const { id } of client.iterateIcons()) if (id === '3') break;

    expect(catalog.seen).toHaveLength(1);
  });

  it('end at a token that comes again, and at an empty page', async () => {
    const circle = await startPages({ '': { ids: [1], next: 'b' }, b: { ids: [2], next: 'b' } });
    expect(await collect(openSession({ baseUrl: circle.url }).client.iterateIcons())).toEqual([
      '1',
      '2',
    ]);
    expect(circle.seen).toHaveLength(2);

    const empty = await startPages({ '': { ids: [1], next: 'b' }, b: { ids: [], next: 'c' } });
    expect(await collect(openSession({ baseUrl: empty.url }).client.iterateIcons())).toEqual(['1']);
    expect(empty.seen).toHaveLength(2);
  });

  it('go past a page that the blacklist emptied', async () => {
    const catalog = await startPages({
      '': { ids: [1], next: 'b' },
      b: { ids: [], next: 'c' },
      c: { ids: [2] },
    });
    const { client } = openSession({ baseUrl: catalog.url });

    expect(await collect(client.iterateIcons({ blacklist: true }))).toEqual(['1', '2']);
  });

  it('yield each item once for any list and any size of page', async () => {
    const lists: number[] = [];
    const catalog = await startCatalog(({ url }, response) => {
      const { searchParams } = new URL(url ?? '', 'http://x');
      const start = Number(searchParams.get('next_page') ?? 0);
      const limit = Number(searchParams.get('limit'));
      const end = Math.min(start + limit, lists.length);
      sendJson(
        response,
        iconsBody(lists.slice(start, end), end < lists.length ? { next_page: String(end) } : {}),
      );
    });
    const { client } = openSession({ baseUrl: catalog.url });

    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 23 }),
        fc.integer({ min: 1, max: 9 }),
        async (length, limit) => {
          lists.splice(0, Infinity, ...Array.from({ length }, (_, index) => index + 1));
          const before = catalog.seen.length;
          expect(await collect(client.iterateIcons({ limit }))).toEqual(lists.map(String));
          expect(catalog.seen.length - before).toBe(Math.max(1, Math.ceil(length / limit)));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('options', () => {
  it.each([
    ['baseUrl', { baseUrl: 'ftp://catalog.example' }],
    ['baseUrl', { baseUrl: 'https://user:word@catalog.example' }],
    ['baseUrl', { baseUrl: 'https://catalog.example/?a=1' }],
    ['baseUrl', { baseUrl: 'catalog.example' }],
    ['key', { key: '' }],
    ['secret', { secret: '' }],
    ['concurrency', { concurrency: 0 }],
    ['retries', { retries: -1 }],
    ['timeout', { timeout: NaN }],
  ])('out of bounds are OPTIONS_INVALID: %s %o', (path, options) => {
    const open = (): unknown => openSession({ baseUrl: 'http://catalog.invalid', ...options });
    expect(open).toThrow(expect.objectContaining({ code: 'OPTIONS_INVALID', path }));
  });

  it('refuse a nonce that is too short', async () => {
    const session = openSession({ baseUrl: 'http://catalog.invalid', nonce: () => 'short' });
    expect(await rejection(session.client.usage())).toMatchObject({
      code: 'OPTIONS_INVALID',
      path: 'nonce',
    });
  });
});

it('shows an example of every method where editors show its documentation', () => {
  const source = readFileSync(
    new URL('../../src/catalog/client-types.ts', import.meta.url),
    'utf8',
  );
  for (const name of ['CatalogClient', 'CatalogClientV1']) {
    const [, body = ''] = source.split(`export interface ${name} {`);
    const [members = ''] = body.split('\n}');
    const member = /^(?: {2}\/\*\*(?:(?!\*\/)[^])*\*\/\n)? {2}(\w+)\(/gm;
    const found = [...members.matchAll(member)];
    expect(found.length).toBeGreaterThanOrEqual(12);
    const without = found.filter(([text]) => !text.includes('@example'));
    expect(without.map(([, method]) => method)).toEqual([]);
  }
});

it('shows a text for every parameter of a query and every option of a call', () => {
  const source = readFileSync(new URL('../../src/catalog/queries.ts', import.meta.url), 'utf8');
  const member = /^(?<text> +\/\*\*[^\n]*\*\/\n)? +(?<name>\w+)\??: (?!undefined;)/gm;
  const found = [...source.matchAll(member)].map(({ groups }) => groups ?? {});
  expect(found.length).toBeGreaterThan(25);
  expect(found.filter(({ text }) => text === undefined).map(({ name }) => name)).toEqual([]);
});
