import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RequestEvent, ResponseEvent, RetryEvent } from '../../src/client.ts';
import {
  KEY,
  SECRET,
  oauthParam,
  openSession,
  rejection,
  sendJson,
  startCatalog,
} from './support.ts';
import {
  USAGE,
  iconBody,
  iconRecord,
  iconsBody,
  v1CollectionRecord,
  v1UploadRecord,
} from './records.ts';

const NOW = Date.parse('2026-11-22T10:20:30.500Z');
const json = (body: unknown, init?: ResponseInit): Promise<Response> =>
  Promise.resolve(Response.json(body, init));

describe('options of a call', () => {
  it('override timeout and retries of the client', async () => {
    let calls = 0;
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      timeout: 60_000,
      retries: 5,
      fetch: () => {
        calls += 1;
        return new Promise(() => undefined);
      },
    });
    const error = await rejection(client.icon(1, {}, { timeout: 40, retries: 0 }));
    expect(String(error)).toContain('no complete answer came within 40 ms');
    expect(calls).toBe(1);
    for (const [options, path] of [
      [{ timeout: 0 }, 'timeout'],
      [{ retries: -1 }, 'retries'],
      [{ signal: 'now' as unknown as AbortSignal }, 'signal'],
    ] as const)
      expect(await rejection(client.usage(options))).toMatchObject({
        code: 'OPTIONS_INVALID',
        path,
      });
    expect(calls).toBe(1);
  });

  it('end a call with the reason of the signal: in flight, in the queue, before a further attempt, before it begins', async () => {
    const catalog = await startCatalog(({ url }, response) => {
      if (url === '/v2/icon/3') sendJson(response, {}, 503, { 'retry-after': '20' });
    });
    const { client } = openSession({ baseUrl: catalog.url, concurrency: 2 });
    const reason = new Error('The user left.');
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [1, 3, 2, 4].map((id) => rejection(client.icon(id, {}, { signal })));
    await expect.poll(() => catalog.seen.length).toBeGreaterThan(2);
    controller.abort(reason);
    expect(await Promise.all(calls)).toEqual([reason, reason, reason, reason]);
    expect(await rejection(client.icon(5, {}, { signal }))).toBe(reason);
    expect(catalog.seen.map(({ url }) => url)).not.toContain('/v2/icon/5');
  });

  it('reach every page of an iteration', async () => {
    const controller = new AbortController();
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: () => json(iconsBody([1, 2], { next_page: 'b' })),
    });
    const ids: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const { id } of client.iterateIcons({}, { signal: controller.signal })) {
        ids.push(id);
        if (ids.length === 2) controller.abort(new Error('enough'));
      }
    };
    expect(String(await rejection(walk()))).toContain('enough');
    expect(ids).toEqual(['1', '2']);
  });
});

describe('pages', () => {
  it('have totals and a token to resume from', async () => {
    const pages: Record<string, object> = {
      '': iconsBody([1, 2], { next_page: 'b', total: 3 }),
      b: iconsBody([2, 3], { total: 3 }),
    };
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: ({ url }) => json(pages[new URL(url).searchParams.get('next_page') ?? '']),
    });
    const seen: object[] = [];
    for await (const { items, total, next } of client.iterateIcons().pages())
      seen.push({ ids: items.map(({ id }) => id), total, next });
    expect(seen).toEqual([
      { ids: ['1', '2'], total: 3, next: 'b' },
      { ids: ['3'], total: 3, next: undefined },
    ]);
    const resumed: string[] = [];
    for await (const { id } of client.iterateIcons({ next_page: 'b' })) resumed.push(id);
    expect(resumed).toEqual(['2', '3']);
  });

  it('of v1 have the offset to resume from', async () => {
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: ({ url }) => {
        const offset = Number(new URL(url).searchParams.get('offset') ?? 0);
        return json({
          collections: [1, 2, 3].slice(offset, offset + 2).map((id) => v1CollectionRecord(id)),
        });
      },
    });
    const seen: object[] = [];
    for await (const { items, next } of client.v1.iterateCollections({ limit: 2 }).pages())
      seen.push([items.length, next]);
    expect(seen).toEqual([
      [2, 2],
      [1, 3],
    ]);
  });
});

describe('hooks', () => {
  it('see each request, answer and wait, and nothing of the credentials', async () => {
    let answered = 0;
    const catalog = await startCatalog(({ headers }, response) => {
      answered += 1;
      const echo = {
        'x-request-id': `r${answered}`,
        'x-ratelimit-remaining': '7',
        'set-cookie': 'session=1',
        'www-authenticate': String(headers.authorization),
        server: String(headers.authorization),
        'x-signed': 'https://assets.example/1.svg?Signature=c2ln',
      };
      sendJson(response, iconBody(1), answered === 1 ? 500 : 200, echo);
    });
    const requests: RequestEvent[] = [];
    const responses: ResponseEvent[] = [];
    const retries: RetryEvent[] = [];
    const { client } = openSession({
      baseUrl: catalog.url,
      onRequest: (event) => requests.push(event),
      onResponse: (event) => responses.push(event),
      onRetry: (event) => retries.push(event),
    });

    const { data, response } = await client.icon(1, { thumbnail_size: 84 }).withResponse();

    const call = { method: 'GET', path: '/v2/icon/1', query: { thumbnail_size: '84' } };
    expect(requests).toEqual([
      { ...call, attempt: 1 },
      { ...call, attempt: 2 },
    ]);
    expect(responses).toMatchObject([
      { ...call, attempt: 1, status: 500, requestId: 'r1' },
      { ...call, attempt: 2, status: 200, requestId: 'r2' },
    ]);
    expect(retries).toMatchObject([
      { ...call, attempt: 1, error: { code: 'CATALOG_UNAVAILABLE', requestId: 'r1' } },
    ]);
    expect(retries[0]?.delay).toBeGreaterThan(0);
    expect(data.icon.id).toBe('1');
    expect(response).toMatchObject({ status: 200, requestId: 'r2' });
    expect(response.headers['x-ratelimit-remaining']).toBe('7');
    expect(Object.keys(response.headers)).not.toContain('set-cookie');

    const shown = inspect([requests, responses, retries, response], {
      depth: null,
      showHidden: true,
    });
    for (const seen of catalog.seen)
      for (const secret of [
        KEY,
        SECRET,
        encodeURIComponent(SECRET),
        oauthParam(seen, 'oauth_nonce'),
        oauthParam(seen, 'oauth_signature'),
        'c2ln',
        'session=1',
      ])
        expect(shown).not.toContain(secret);
  });

  it('that throw end the call with what they throw', async () => {
    const thrown = new Error('not on Sundays');
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: () => Promise.reject(new Error('It was sent.')),
      onRequest: () => {
        throw thrown;
      },
    });
    expect(await rejection(client.usage())).toBe(thrown);
  });
});

describe('an error', () => {
  it('has status, headers and request id of the answer', async () => {
    const headers = { 'x-request-id': 'r9', 'retry-after': '90', 'set-cookie': 'a=1' };
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: ({ url }) =>
        url.endsWith('/1') ? json({}, { status: 503, headers }) : json({ icon: {} }, { headers }),
      retries: 0,
    });
    expect(await rejection(client.icon(1))).toMatchObject({
      status: 503,
      requestId: 'r9',
      retryAfter: 90,
      headers: { 'retry-after': '90' },
    });
    const malformed = await rejection(client.icon(2));
    expect(malformed).toMatchObject({ code: 'CATALOG_MALFORMED', status: 200, requestId: 'r9' });
    expect(inspect(malformed, { showHidden: true })).not.toContain('set-cookie');
  });

  it('that is a page of another server advises to check the address', async () => {
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: ({ url }) =>
        url.endsWith('/1')
          ? json({ message: 'Icon 1 was not found' }, { status: 404 })
          : Promise.resolve(new Response('<html>Not found</html>', { status: 404 })),
    });
    expect(await rejection(client.icon(1))).not.toHaveProperty(
      'remedy',
      expect.stringContaining('ICON_CATALOG_URL'),
    );
    expect(await rejection(client.usage())).toHaveProperty(
      'remedy',
      expect.stringContaining(
        'check ICON_CATALOG_URL: paths such as /v2/icon are added to http://catalog.invalid',
      ),
    );
  });

  it('that is not awaited twice is one unhandled rejection, and none where only the response is awaited', async () => {
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: () => json({}, { status: 404 }),
    });
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      await rejection(client.icon(1).withResponse());
      await rejection(client.download(1).withResponse());
      await rejection(client.icon(1).finally(() => undefined));
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
});

describe('a usage limit', () => {
  const limited = { monthly: { limit: 5000, usage: 5000 } };
  const lists = {
    limits: { hourly: 100, daily: 900, monthly: null },
    usage: { hourly: 100, daily: 900, monthly: 901 },
  };

  it.each<[string, object, Record<string, string>, string]>([
    ['Retry-After in seconds', {}, { 'retry-after': '90' }, '2026-11-22T10:22:00.500Z'],
    [
      'Retry-After as a date',
      { usage_limits: limited },
      { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT' },
      '2026-11-22T11:00:00.000Z',
    ],
    // No date can hold this many seconds; a year is the longest wait that means anything.
    [
      'a Retry-After of ages',
      {},
      { 'retry-after': '99999999999999999' },
      '2027-11-23T10:20:30.500Z',
    ],
    ['the month', { usage_limits: limited }, {}, '2026-12-01T00:00:00.000Z'],
    ['the day', { usage_limits: lists }, {}, '2026-11-23T00:00:00.000Z'],
    [
      'the hour',
      {
        usage_limits: {
          limits: { hourly: 100, daily: 900, monthly: null },
          usage: { hourly: 100, daily: 300, monthly: 901 },
        },
      },
      {},
      '2026-11-22T11:00:00.000Z',
    ],
    ['nothing that is stated: the hour', {}, {}, '2026-11-22T11:00:00.000Z'],
  ])('is over by %s', async (_, body, headers, renewsAt) => {
    let now = NOW;
    let calls = 0;
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      now: () => now,
      fetch: () => {
        calls += 1;
        return calls === 1 ? json(body, { status: 429, headers }) : json(USAGE);
      },
    });

    const error = await rejection(client.usage());
    const end = Date.parse(renewsAt);
    expect(error).toMatchObject({
      code: 'CATALOG_USAGE_LIMIT',
      renewsAt: new Date(renewsAt),
      retryAfter: Math.ceil((end - NOW) / 1000),
    });
    now = end - 1;
    expect(await rejection(client.usage())).toMatchObject({
      code: 'CATALOG_USAGE_LIMIT',
      renewsAt: new Date(renewsAt),
    });
    expect(calls).toBe(1);
    now = end;
    expect(await client.usage()).toEqual(USAGE);
  });

  it('is known from the answer before, and forgotten by reset()', async () => {
    let calls = 0;
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      now: () => NOW,
      fetch: () => {
        calls += 1;
        return calls === 2
          ? json({}, { status: 429 })
          : json({ ...iconBody(1), usage_limits: limited });
      },
    });
    await client.icon(1);
    expect(await rejection(client.icon(1))).toMatchObject({
      renewsAt: new Date('2026-12-01T00:00:00.000Z'),
    });
    client.reset();
    expect((await client.icon(1)).icon.id).toBe('1');
  });

  it('stops a build for good', async () => {
    let now = NOW;
    let calls = 0;
    const session = openSession(
      {
        baseUrl: 'http://catalog.invalid',
        now: () => now,
        fetch: () => {
          calls += 1;
          return json({}, { status: 429, headers: { 'retry-after': '1' } });
        },
      },
      { isBuild: true },
    );
    await rejection(session.client.icon(1));
    now += 3_600_000;
    await rejection(session.client.icon(1));
    expect([calls, session.isStopped()]).toEqual([1, true]);
  });
});

describe('a catalog that is dead', () => {
  const build = (answer: () => Promise<Response>, options: object = {}) => {
    let calls = 0;
    const session = openSession(
      {
        baseUrl: 'http://catalog.invalid',
        now: () => NOW,
        fetch: () => {
          calls += 1;
          return answer();
        },
        ...options,
      },
      { isBuild: true },
    );
    return { session, calls: () => calls };
  };
  const refuse = (): Promise<Response> =>
    Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));

  it('is asked no further after as many failures in a row as calls are in flight', async () => {
    for (const [concurrency, most] of [
      [8, 8],
      [1, 3],
    ] as const) {
      const { session, calls } = build(refuse, { concurrency });
      const all = await Promise.allSettled(
        Array.from({ length: 100 }, (_, id) => session.client.icon(id)),
      );
      expect(all.every(({ status }) => status === 'rejected')).toBe(true);
      expect(calls()).toBeLessThan(most + concurrency);
      expect(session.isStopped()).toBe(true);
    }
  });

  it('is asked no further once three calls, one after the other, had no answer for half a minute', async () => {
    let now = NOW;
    const hang = (): Promise<Response> => {
      now += 15_000;
      return refuse();
    };
    const { session, calls } = build(hang, { concurrency: 8, now: () => now });
    await rejection(session.client.icon(1));
    expect([calls(), session.isStopped()]).toEqual([3, true]);

    // As many failures in a moment are no silence.
    const quick = build(refuse, { concurrency: 8 });
    await rejection(quick.session.client.icon(1));
    expect([quick.calls(), quick.session.isStopped()]).toEqual([3, false]);
  });

  it('is asked again after half a minute, as a dev server may wait for its network', async () => {
    let now = NOW;
    let answer = refuse;
    const { session } = build(() => answer(), { concurrency: 1, now: () => now });
    await rejection(session.client.icon(1));
    answer = () => json(iconBody(1));
    expect(String(await rejection(session.client.icon(1)))).toContain('3 calls in a row failed');
    now += 30_000;
    expect((await session.client.icon(1)).icon.id).toBe('1');
  });

  it('is none that answers in between, and none for a client that is no build', async () => {
    let calls = 0;
    const flaky = build(() => ((calls += 1) % 3 === 0 ? json(iconBody(1)) : refuse()), {
      concurrency: 1,
    });
    for (let round = 0; round < 4; round += 1) await flaky.session.client.icon(1);

    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: refuse,
      retries: 9,
    });
    expect(String(await rejection(client.icon(1)))).toContain('in 10 attempts');
  });
});

describe('an answer about another one', () => {
  it.each<[string, object, (client: ReturnType<typeof openSession>['client']) => Promise<unknown>]>(
    [
      ['icon.id', iconBody(2), (client) => client.icon(1)],
      ['icon.id', iconBody(2), (client) => client.icon('01')],
      ['collection.id', { collection: { id: '2', icons: [] } }, (client) => client.collection(1)],
      ['icon.id', { icon: v1UploadRecord(2) }, (client) => client.v1.icon(1)],
      [
        'collection.id',
        { collection: v1CollectionRecord(2) },
        (client) => client.v1.collection('1'),
      ],
      [
        'icon_id',
        { base64_encoded_file: 'PHN2Zy8+', content_type: 'image/svg+xml', icon_id: 2 },
        (client) => client.download(1),
      ],
    ],
  )('is CATALOG_MALFORMED at %s', async (path, body, call) => {
    const { client } = openSession({ baseUrl: 'http://catalog.invalid', fetch: () => json(body) });
    const error = await rejection(call(client));
    expect(error).toMatchObject({ code: 'CATALOG_MALFORMED', path });
    expect(String(error)).toContain('is 2, and');
  });
});

describe('an answer that is too large', () => {
  const read = async (body: unknown): Promise<unknown> => {
    const { client } = openSession({ baseUrl: 'http://catalog.invalid', fetch: () => json(body) });
    return client.icons().then(
      () => 'taken',
      (error: { code: string; path: string }) => `${error.code} ${error.path}`,
    );
  };
  const list = (extra: object): object => ({ icons: [iconRecord(1), iconRecord(2, extra)] });

  it.each<[string, object, string]>([
    ['a term of 8 kB', { term: 'x'.repeat(8192) }, 'taken'],
    ['a longer term', { term: 'x'.repeat(8193) }, 'CATALOG_MALFORMED icons.1.term'],
    ['a tag', { tags: ['a', 'x'.repeat(9000)] }, 'CATALOG_MALFORMED icons.1.tags.1'],
    [
      'many tags',
      { tags: Array.from({ length: 30_000 }, (_, at) => `tag ${at}`) },
      'CATALOG_MALFORMED icons.1.tags',
    ],
    ['some tags', { tags: Array.from({ length: 5000 }, (_, at) => `tag ${at}`) }, 'taken'],
    [
      'a field of no meaning',
      { more: { text: 'x'.repeat(9000) } },
      'CATALOG_MALFORMED icons.1.more.text',
    ],
    [
      'many fields',
      Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`field-${at}`, at])),
      'CATALOG_MALFORMED icons.1.field',
    ],
    [
      'many collections',
      {
        collections: Array.from({ length: 9000 }, (_, at) => ({
          id: String(at),
          name: `Collection ${at}`,
        })),
      },
      'CATALOG_MALFORMED icons.1.collections',
    ],
    [
      'a deep field',
      { more: Array.from({ length: 50 }).reduce((inner: object) => ({ inner }), {}) },
      'CATALOG_MALFORMED icons.1.more.inner',
    ],
  ])('for %s', async (_, extra, expected) => {
    expect(await read(list(extra))).toContain(expected);
  });

  it('is a matter of each record: 5,000 of them are taken', async () => {
    const icons = Array.from({ length: 5000 }, (_, at) => iconRecord(at + 1));
    expect(await read({ icons })).toBe('taken');
  });
});

it('a malformed answer is blamed on the address only until an answer was right', async () => {
  const bodies = [{ icon: {} }, iconBody(1), { icon: {} }];
  const { client } = openSession({
    baseUrl: 'http://catalog.invalid',
    fetch: () => json(bodies.shift()),
  });
  expect(String(await rejection(client.icon(1)))).toContain('ICON_CATALOG_URL');
  await client.icon(1);
  const later = String(await rejection(client.icon(1)));
  expect(later).not.toContain('ICON_CATALOG_URL');
  expect(later).toContain('Other answers of this catalog were right');
});
