import { EventEmitter, getEventListeners, on } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Retriable, withRetries } from '../../src/catalog/retry.ts';
import { createHttpWire } from '../../src/catalog/wire.ts';
import { IconCatalogError } from '../../src/errors.ts';
import {
  KEY,
  SECRET,
  isSigned,
  listen,
  oauthParam,
  openSession,
  rejection,
  sendJson,
  startCatalog,
  startProxy,
  type Handler,
} from './support.ts';
import { SVG, downloadBody, iconBody } from './records.ts';

/** The record that was asked for. */
const fine: Handler = ({ url = '' }, response) =>
  sendJson(response, iconBody(Number(/\/icon\/(\d+)/.exec(url)?.[1] ?? 1)));

/** Answers with one handler after the other; the last one stays. */
function inTurn(...handlers: Handler[]): Handler {
  return (request, response) =>
    (handlers.length > 1 ? handlers.shift() : handlers[0])?.(request, response);
}

const status =
  (code: number, body: unknown = {}, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    sendJson(response, body, code, headers);

const halfABody: Handler = (_, response) => {
  const text = JSON.stringify(downloadBody(SVG));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

const reset: Handler = ({ socket }) => socket.resetAndDestroy();
const stall: Handler = () => undefined;

it('a call leaves no listener on its signal, and one that is ended frees its socket', async () => {
  const catalog = await startCatalog(inTurn(fine, halfABody, stall, fine));
  const wire = createHttpWire({ concurrency: 1, env: {} });
  onTestFinished(() => wire.close());
  const { signal } = new AbortController();
  const ending = new AbortController();
  const send = (until: AbortSignal): ReturnType<typeof wire.send> =>
    wire.send({
      method: 'GET',
      url: new URL(`${catalog.url}/v2/icon/1`),
      headers: {},
      body: undefined,
      signal: until,
    });

  expect((await send(signal)).status).toBe(200);
  expect(await rejection(send(signal))).toBeInstanceOf(Error);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const stalled = rejection(send(ending.signal));
  while (catalog.seen.length < 3) await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error('enough');
  ending.abort(reason);
  expect(await stalled).toBe(reason);
  expect(await rejection(send(ending.signal))).toBe(reason);
  expect((await send(signal)).status).toBe(200);
});

it('a connection serves one call after the other, and is closed after four idle seconds', async () => {
  const server = createServer((request, response) => void fine(request, response));
  server.keepAliveTimeout = 0;
  let connections = 0;
  const ended = new Promise((resolve) =>
    server.on('connection', (socket) => {
      connections += 1;
      socket.once('end', resolve);
    }),
  );
  const { client } = openSession({ baseUrl: await listen(server) });
  for (const id of [1, 2, 3]) await client.icon(id);
  expect(connections).toBe(1);
  // Nothing else would close it.
  await ended;
});

describe('attempts', () => {
  it.each([
    ['500', status(500)],
    ['503 with Retry-After', status(503, {}, { 'retry-after': '0' })],
    ['408', status(408)],
    ['425', status(425)],
    ['a reset', reset],
    ['half a body', halfABody],
  ])('after %s are signed again', async (_, fault) => {
    const catalog = await startCatalog(inTurn(fault, fault, fine));
    const session = openSession({ baseUrl: catalog.url });

    await session.client.icon(1);

    expect(catalog.seen).toHaveLength(3);
    expect(session.calls()).toBe(3);
    expect(new Set(catalog.seen.map((call) => oauthParam(call, 'oauth_nonce'))).size).toBe(3);
    expect(catalog.seen.every((call) => isSigned(catalog.url, call))).toBe(true);
  });

  it.each([
    ['reset', reset, /reset|closed/],
    ['half a body', halfABody, /before the answer was complete/],
    ['500', status(500, { message: 'out of paper' }), /status 500, in 3 attempts.*out of paper/s],
    ['an error page', status(502), /status 502/],
  ])('end with CATALOG_UNAVAILABLE that names %s', async (_, fault, message) => {
    const catalog = await startCatalog(fault);
    const { client } = openSession({ baseUrl: catalog.url });

    const error = await rejection(client.icon(1));

    expect(error).toMatchObject({ code: 'CATALOG_UNAVAILABLE', icon: '1' });
    expect(String(error)).toMatch(message);
    expect(String(error)).toContain('3 attempts');
    expect(catalog.seen).toHaveLength(3);
  });

  it('end in time when the service stalls', async () => {
    const arrivals = new EventEmitter();
    const arrived = on(arrivals, 'call');
    const catalog = await startCatalog(() => arrivals.emit('call'));
    const { client } = openSession({ baseUrl: catalog.url, timeout: 60, retries: 1 });
    // Time passes only when a call has arrived: a busy machine may take longer than 60 ms to connect.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());

    let ended = false;
    const failure = rejection(client.icon(1)).finally(() => (ended = true));
    for (const attempt of [1, 2]) {
      await arrived.next();
      await vi.advanceTimersByTimeAsync(59);
      expect([catalog.seen.length, ended]).toEqual([attempt, false]);
      await vi.advanceTimersByTimeAsync(1);
    }

    const error = await failure;
    expect(error).toMatchObject({ code: 'CATALOG_UNAVAILABLE' });
    expect(String(error)).toContain('no complete answer came within 60 ms, in 2 attempts');
    expect(catalog.seen).toHaveLength(2);
  });

  it('end in time when the body trickles', async () => {
    const catalog = await startCatalog((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    const { client } = openSession({ baseUrl: catalog.url, timeout: 80, retries: 0 });

    expect(String(await rejection(client.icon(1)))).toContain('within 80 ms');
  });

  it('end in time when a given fetch minds no signal', async () => {
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      timeout: 30,
      retries: 0,
      fetch: () => new Promise(() => undefined),
    });

    expect(String(await rejection(client.icon(1)))).toContain('within 30 ms');
  });

  it('report a refused connection', async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { client } = openSession({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 });

    expect(String(await rejection(client.icon(1)))).toContain('the connection was refused');
  });

  it('wait as long as the service asks, but not for ever', async () => {
    const at = Date.parse('2026-11-21T09:00:00Z');
    const later = status(503, {}, { 'retry-after': new Date(at).toUTCString() });
    const catalog = await startCatalog(inTurn(later, fine));
    const { client } = openSession({ baseUrl: catalog.url, now: () => at - 150 });
    const start = performance.now();
    await client.icon(1);
    expect(performance.now() - start).toBeGreaterThan(140);

    const away = await startCatalog(status(503, {}, { 'retry-after': '3600' }));
    const error = await rejection(openSession({ baseUrl: away.url }).client.icon(1));
    expect(String(error)).toContain('It asks to wait 60 minutes');
    expect(away.seen).toHaveLength(1);
  });
});

describe('a wait that the service asks for', () => {
  /** One attempt that may be repeated, with this wait before the second. */
  function waiting(wait: number) {
    const controller = new AbortController();
    const error = new IconCatalogError('CATALOG_UNAVAILABLE', { message: 'Later.' });
    let attempts = 0;
    const result = withRetries(
      async () => {
        attempts += 1;
        throw new Retriable(error, wait);
      },
      { retries: 1, backoff: 0, random: () => 0, signal: controller.signal },
    ).catch((reason: unknown) => reason);
    return { result, error, controller, attempts: () => attempts };
  }

  it('is half a minute at the most', async () => {
    const tooLong = waiting(30_001);
    expect(await tooLong.result).toBe(tooLong.error);
    expect(tooLong.attempts()).toBe(1);

    const longest = waiting(30_000);
    await expect.poll(longest.attempts).toBe(1);
    // The attempt has failed, and a wait has begun instead of the end.
    const ended = await Promise.race([
      longest.result,
      new Promise((resolve) => setImmediate(resolve)),
    ]);
    expect(ended).toBeUndefined();
    const stop = new Error('stopped');
    longest.controller.abort(stop);
    expect(await longest.result).toBe(stop);
  });
});

describe('answers that are final', () => {
  it.each([
    [400, 'CATALOG_BAD_REQUEST'],
    [401, 'CATALOG_UNAUTHORIZED'],
    [402, 'CATALOG_FORBIDDEN'],
    [403, 'CATALOG_FORBIDDEN'],
    [404, 'CATALOG_NOT_FOUND'],
    [410, 'CATALOG_NOT_FOUND'],
    [422, 'CATALOG_BAD_REQUEST'],
    [429, 'CATALOG_USAGE_LIMIT'],
  ])('%i is %s after one call', async (code, expected) => {
    const catalog = await startCatalog(status(code, { message: 'because of\n\u001b[31m this' }));
    const { client } = openSession({ baseUrl: catalog.url });

    const error = await rejection(client.icon(1));

    expect(error).toMatchObject({ code: expected, status: code, icon: '1' });
    expect(String(error)).toContain('GET /v2/icon/1');
    expect(String(error)).toContain('because of [31m this');
    expect(catalog.seen).toHaveLength(1);
  });

  it('403 is reported with both of its readings', async () => {
    const catalog = await startCatalog(status(403));
    const error = String(await rejection(openSession({ baseUrl: catalog.url }).client.download(1)));
    expect(error).toContain('access level');
    expect(error).toContain('signature is wrong');
  });

  it.each([
    [
      'an HTML page',
      'text/html; charset=utf-8',
      '<!doctype html><title>Sign in</title>',
      /a web page/,
    ],
    ['another content type', 'image/png', '{}', /image\/png/],
    ['broken JSON', 'application/json', '{"icon": ', /broken or cut off/],
    ['an empty body', 'application/json', '', /is empty/],
    ['bytes that are no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), /broken/],
  ])('%s is CATALOG_MALFORMED', async (_, type, body, message) => {
    const catalog = await startCatalog((_request, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    });
    const error = await rejection(openSession({ baseUrl: catalog.url }).client.icon(1));
    expect(error).toMatchObject({ code: 'CATALOG_MALFORMED', icon: '1' });
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('Sign in');
    expect(catalog.seen).toHaveLength(1);
  });
});

describe('an answer without end', () => {
  it('is given up, whatever brings it', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let megabytes = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      megabytes += 1;
      controller.enqueue(chunk);
    };
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      fetch: () => Promise.resolve(new Response(new ReadableStream({ pull }))),
    });
    const error = await rejection(client.icon(1));
    expect(error).toMatchObject({ code: 'CATALOG_MALFORMED' });
    expect(String(error)).toContain('larger than 67108864 bytes');
    // A stream reads a little ahead.
    expect(megabytes).toBeGreaterThan(64);
    expect(megabytes).toBeLessThan(70);
  });

  it('is given up over a connection too, which is closed', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let closed!: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const catalog = await startCatalog((_, response) => {
      const write = (): void => void response.write(chunk, (error) => error ?? write());
      response.on('close', closed);
      write();
    });
    const { client } = openSession({ baseUrl: catalog.url, timeout: 60_000 });
    const error = await rejection(client.icon(1));
    expect(String(error)).toContain('larger than 67108864 bytes');
    expect(error).toMatchObject({ code: 'CATALOG_MALFORMED' });
    await isClosed;
    expect(catalog.seen).toHaveLength(1);
  });
});

describe('limits', () => {
  it('never has more calls in flight than `concurrency`', async () => {
    const held: (() => void)[] = [];
    const catalog = await startCatalog((request, response) => {
      held.push(() => fine(request, response));
      if (held.length === 3) for (const answer of held.splice(0)) answer();
    });
    const { client } = openSession({ baseUrl: catalog.url, concurrency: 3 });

    await Promise.all(Array.from({ length: 39 }, (_, index) => client.icon(index)));

    expect(catalog.seen).toHaveLength(39);
    expect(catalog.peak()).toBe(3);
  });

  it('sends nothing more after a 429: queued, later and repeated calls', async () => {
    let answered = 0;
    const catalog = await startCatalog((request, response) => {
      answered += 1;
      if (answered === 3)
        return sendJson(response, { message: 'enough' }, 429, { 'retry-after': '60' });
      fine(request, response);
    });
    const session = openSession({ baseUrl: catalog.url, concurrency: 1 });

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => session.client.icon(index)),
    );

    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      ...Array.from({ length: 18 }, () => 'rejected'),
    ]);
    expect(await rejection(session.client.usage())).toMatchObject({
      code: 'CATALOG_USAGE_LIMIT',
      status: 429,
    });
    expect(catalog.seen).toHaveLength(3);
    expect(session.calls()).toBe(3);

    session.resetBuild();
    expect((await session.client.icon(1)).icon.id).toBe('1');
    expect(session.calls()).toBe(1);
  });

  it('refuses everything that was queued in the same turn', async () => {
    const catalog = await startCatalog(status(429));
    const { client } = openSession({ baseUrl: catalog.url, concurrency: 1 });
    let refused = 0;
    const calls = Array.from({ length: 500 }, (_, index) =>
      client.icon(index).catch(() => (refused += 1)),
    );

    await calls[0];
    await new Promise((resolve) => setImmediate(resolve));

    expect(refused).toBe(500);
  });

  it('ends a wait for a further attempt when another call meets a 429', async () => {
    const catalog = await startCatalog(({ url }, response) =>
      url === '/v2/icon/1'
        ? sendJson(response, {}, 503, { 'retry-after': '25' })
        : sendJson(response, {}, 429),
    );
    const { client } = openSession({ baseUrl: catalog.url });
    const waiting = rejection(client.icon(1));
    await expect.poll(() => catalog.seen.length).toBe(1);

    await rejection(client.icon(2));

    expect(await waiting).toMatchObject({ code: 'CATALOG_USAGE_LIMIT', icon: '1' });
    expect(catalog.seen).toHaveLength(2);
  });

  it('delivers what was under way when a 429 came', async () => {
    const held: (() => void)[] = [];
    const catalog = await startCatalog(({ url }, response) => {
      if (url === '/v2/icon/2') return sendJson(response, {}, 429);
      held.push(() => sendJson(response, iconBody(1)));
    });
    const { client } = openSession({ baseUrl: catalog.url });
    const first = client.icon(1);
    await expect.poll(() => held.length).toBe(1);

    await rejection(client.icon(2));
    held[0]?.();

    expect((await first).icon.id).toBe('1');
  });

  it('stops before the call that would exceed the budget, repetitions included', async () => {
    const catalog = await startCatalog(inTurn(status(500), fine));
    const session = openSession({ baseUrl: catalog.url, concurrency: 1 }, { budget: 4 });

    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => session.client.icon(index)),
    );

    const codes = results.map((result) =>
      result.status === 'fulfilled' ? 'ok' : (result.reason as IconCatalogError).code,
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(3);
    expect(codes.filter((code) => code === 'BUDGET_EXCEEDED')).toHaveLength(2);
    expect(catalog.seen).toHaveLength(4);

    session.resetBuild();
    await session.client.icon(1);
    expect(catalog.seen).toHaveLength(5);
  });

  it('makes no call with a budget of 0', async () => {
    const catalog = await startCatalog(fine);
    const { client } = openSession({ baseUrl: catalog.url }, { budget: 0 });
    expect(await rejection(client.icon(1))).toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(catalog.seen).toHaveLength(0);
  });

  it('calls the hook for every call', async () => {
    const catalog = await startCatalog(inTurn(status(500), fine));
    let calls = 0;
    const { client } = openSession({ baseUrl: catalog.url }, { onCall: () => (calls += 1) });
    await client.icon(1);
    expect(calls).toBe(2);
  });
});

describe('a clock that is wrong', () => {
  const NOW = Date.parse('2026-11-21T09:00:00Z');

  /** Refuses timestamps more than five minutes off, and says what time it is. */
  const strict: Handler = (request, response) => {
    const timestamp = Number(
      /oauth_timestamp="(\d+)"/.exec(request.headers.authorization ?? '')?.[1],
    );
    const date = { date: new Date(NOW).toUTCString() };
    if (Math.abs(timestamp * 1000 - NOW) > 300_000) return sendJson(response, {}, 401, date);
    sendJson(response, iconBody(1), 200, date);
  };

  it('is corrected by one more call, and stays so', async () => {
    const catalog = await startCatalog(strict);
    const session = openSession({ baseUrl: catalog.url, now: () => NOW - 3_600_000 });

    await session.client.icon(1);
    expect(catalog.seen.map((call) => oauthParam(call, 'oauth_timestamp'))).toEqual([
      String((NOW - 3_600_000) / 1000),
      String(NOW / 1000),
    ]);
    await session.client.icon(1);
    expect(session.calls()).toBe(3);
  });

  it('is not blamed for a wrong key', async () => {
    const catalog = await startCatalog(status(401, {}, { date: new Date(NOW).toUTCString() }));

    const right = openSession({ baseUrl: catalog.url, now: () => NOW });
    expect(await rejection(right.client.icon(1))).toMatchObject({ code: 'CATALOG_UNAUTHORIZED' });
    expect(right.calls()).toBe(1);

    const wrong = openSession({ baseUrl: catalog.url, now: () => NOW + 900_000 });
    expect(await rejection(wrong.client.icon(1))).toMatchObject({ code: 'CATALOG_UNAUTHORIZED' });
    expect(wrong.calls()).toBe(2);
  });

  it('is used again once a correction has not helped', async () => {
    const own = NOW - 3_600_000;
    const catalog = await startCatalog(status(401, {}, { date: new Date(NOW).toUTCString() }));
    const { client } = openSession({ baseUrl: catalog.url, now: () => own });

    await rejection(client.icon(1));
    await rejection(client.icon(1));

    const times = catalog.seen.map((call) => Number(oauthParam(call, 'oauth_timestamp')) * 1000);
    expect(times).toEqual([own, NOW, own, NOW]);
  });
});

describe('redirects', () => {
  it('are followed within the origin, signed for the new address', async () => {
    const catalog = await startCatalog(({ url }, response) =>
      url?.startsWith('/new/')
        ? sendJson(response, iconBody(1))
        : sendJson(response, {}, 302, { location: `/new${url}` }),
    );
    const session = openSession({ baseUrl: catalog.url });

    await session.client.icon(1, { thumbnail_size: 42 });

    expect(catalog.seen.map(({ url }) => url)).toEqual([
      '/v2/icon/1?thumbnail_size=42',
      '/new/v2/icon/1?thumbnail_size=42',
    ]);
    expect(catalog.seen.every((call) => isSigned(catalog.url, call))).toBe(true);
    expect(session.calls()).toBe(2);
  });

  it('bring no user, password or fragment of their own', async () => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      asked.push(String(url instanceof Request ? url.url : url));
      const location = 'https://ada:lovelace@catalog.example/new/1#top';
      if (asked.length === 1) return new Response('{}', { status: 302, headers: { location } });
      return Response.json(iconBody(1));
    };
    const { client } = openSession({ baseUrl: 'https://catalog.example', fetch });
    await client.icon(1);
    expect(asked).toEqual(['https://catalog.example/v2/icon/1', 'https://catalog.example/new/1']);
  });

  it('to another origin are refused, and nothing is sent there', async () => {
    const other = await startCatalog(fine);
    const catalog = await startCatalog(
      status(307, {}, { location: `${other.url}/v2/icon/1?Signature=abc` }),
    );
    const { client } = openSession({ baseUrl: catalog.url });

    const error = await rejection(client.icon(1));

    expect(error).toMatchObject({ code: 'CATALOG_UNAVAILABLE', status: 307 });
    expect(String(error)).toContain(other.url);
    expect(String(error)).not.toContain('Signature');
    expect(other.seen).toHaveLength(0);
    expect(catalog.seen).toHaveLength(1);
  });

  it('from https to http on the same host are refused, and nothing is sent there', async () => {
    const seen: string[] = [];
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      seen.push(String(url instanceof Request ? url.url : url));
      return new Response('{}', {
        status: 302,
        headers: { location: 'http://catalog.example/v2/icon/1' },
      });
    };
    const { client } = openSession({ baseUrl: 'https://catalog.example', fetch, retries: 0 });

    const error = await rejection(client.icon(1));

    expect(error).toMatchObject({ code: 'CATALOG_UNAVAILABLE', status: 302 });
    expect(String(error)).toContain('http://catalog.example, where no signed request is sent');
    expect(seen).toEqual(['https://catalog.example/v2/icon/1']);
  });

  it('to what is no address are refused', async () => {
    const catalog = await startCatalog(status(302, {}, { location: 'http://[::x' }));
    const { client } = openSession({ baseUrl: catalog.url });
    expect(await rejection(client.icon(1))).toMatchObject({
      code: 'CATALOG_UNAVAILABLE',
      message: expect.stringContaining('the new address is not an address'),
    });
    expect(catalog.seen).toHaveLength(1);
  });

  it('in a circle end', async () => {
    const catalog = await startCatalog(({ url }, response) =>
      sendJson(response, {}, 302, { location: url ?? '' }),
    );
    const { client } = openSession({ baseUrl: catalog.url });
    expect(String(await rejection(client.icon(1)))).toContain('more than 5 redirects');
    expect(catalog.seen).toHaveLength(6);
  });

  it('never turn a write into a read', async () => {
    const catalog = await startCatalog(status(303, {}, { location: '/v2/client/blacklist' }));
    const { client } = openSession({ baseUrl: catalog.url });
    expect(await rejection(client.blacklistTerms(['a']))).toMatchObject({
      code: 'CATALOG_UNAVAILABLE',
    });
    expect(catalog.seen).toHaveLength(1);
  });
});

describe('proxies', () => {
  it('come from the environment', async () => {
    const catalog = await startCatalog(fine);
    const proxy = await startProxy();
    const { client } = openSession({ baseUrl: catalog.url }, { env: { HTTP_PROXY: proxy.url } });

    await client.icon(1);

    expect(proxy.tunnels).toHaveLength(1);
    expect(isSigned(catalog.url, catalog.seen[0]!)).toBe(true);
  });

  it('that refuse are named as such, without their address', async () => {
    const server = createServer();
    server.on('connect', (_, socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    const proxy = new URL(await listen(server));
    proxy.username = 'ada';
    proxy.password = 'hidden';
    const env = { https_proxy: '', HTTP_PROXY: proxy.href };
    const { client } = openSession({ baseUrl: 'http://catalog.invalid', retries: 0 }, { env });

    const error = await rejection(client.icon(1));

    expect(String(error)).toContain('the proxy refused with status 407');
    expect(inspect(error, { showHidden: true, depth: 10 })).not.toContain('hidden');
  });

  it.each(['socks5://ada:hidden@127.0.0.1:1080', 'http://ada:hidden@'])(
    'of another kind are refused: %s',
    async (HTTP_PROXY) => {
      const env = { HTTP_PROXY };
      const { client } = openSession({ baseUrl: 'http://catalog.invalid' }, { env });
      const error = await rejection(client.icon(1));
      expect(error).toMatchObject({ code: 'OPTIONS_INVALID' });
      expect(String(error)).toMatch(
        /HTTP_PROXY must be the address of an http or https proxy.*or name the host .* in NO_PROXY/s,
      );
      expect(inspect(error, { showHidden: true, depth: 10 })).not.toContain('hidden');
    },
  );

  it('that never answer are given up before the call is', async () => {
    const server = createServer();
    server.on('connect', () => undefined);
    const env = { HTTP_PROXY: await listen(server) };
    const catalog = { baseUrl: 'http://catalog.invalid', retries: 0, timeout: 60_000 };
    const error = await rejection(openSession(catalog, { env }).client.icon(1));
    expect(String(error)).toContain('the proxy did not answer in time');
  });

  it('are left out for hosts of NO_PROXY', async () => {
    const catalog = await startCatalog(fine);
    const proxy = await startProxy();
    const env = { http_proxy: proxy.url, no_proxy: 'localhost,127.0.0.1' };

    await openSession({ baseUrl: catalog.url }, { env }).client.icon(1);

    expect(proxy.tunnels).toHaveLength(0);
  });
});

describe('closing', () => {
  it('ends calls under way and refuses later ones', async () => {
    const catalog = await startCatalog(stall);
    const session = openSession({ baseUrl: catalog.url, concurrency: 1 });
    const open = [session.client.icon(1), session.client.icon(2)].map(rejection);
    await expect.poll(() => catalog.seen.length).toBe(1);

    await session.close();

    const closed = { code: 'CATALOG_UNAVAILABLE', message: expect.stringContaining('was closed') };
    expect(await open[0]).toMatchObject(closed);
    expect(await open[1]).toMatchObject(closed);
    expect(await rejection(session.client.icon(3))).toMatchObject(closed);
    expect(catalog.seen).toHaveLength(1);
  });
});

describe('secrets', () => {
  /** A service that tells all it knows. */
  const gossip =
    (code: number): Handler =>
    (request, response) => {
      const { authorization = '' } = request.headers;
      const message = `${authorization} for ${KEY}:${SECRET} at https://assets.example/a.svg?Signature=Zm9v&Expires=1`;
      const all = /oauth_(?:nonce|signature)="([^"]*)"/g;
      const values = [...authorization.matchAll(all)].map(([, value = '']) =>
        decodeURIComponent(value),
      );
      sendJson(response, { message: code === 401 ? values.join(' ') : message }, code);
    };

  const faults: [string, Handler][] = [
    ...[301, 400, 401, 403, 404, 429, 500].map((code): [string, Handler] => [
      String(code),
      gossip(code),
    ]),
    ['malformed record', status(200, { icon: { id: SECRET, term: KEY } })],
    [
      'signed address in a wrong field',
      status(200, iconBody(1, { tags: 'https://a.example/?Signature=Zm9v' })),
    ],
    ['broken JSON', (_, response) => response.end(`{"${SECRET}${KEY}`)],
    ['reset', reset],
    ['half a body', halfABody],
    ['stall', stall],
  ];

  it.each(faults)('are in no part of an error: %s', async (_, fault) => {
    const catalog = await startCatalog(fault);
    const { client } = openSession({ baseUrl: catalog.url, retries: 1, timeout: 200 });

    const error = await rejection(client.icon(1));

    expect(error).toBeInstanceOf(IconCatalogError);
    const shown = inspect(error, { showHidden: true, depth: 10, getters: true });
    for (const call of catalog.seen) {
      for (const secret of [
        KEY,
        SECRET,
        encodeURIComponent(SECRET),
        ...['oauth_nonce', 'oauth_signature'].map((name) => oauthParam(call, name)),
      ]) {
        expect(shown).not.toContain(secret);
      }
    }
    expect(shown).not.toContain('Zm9v');
    expect(shown).not.toContain('authorization');
  });

  it('are in no part of an error of a given fetch', async () => {
    const { client } = openSession({
      baseUrl: 'http://catalog.invalid',
      retries: 0,
      fetch(request) {
        const header = request.headers.get('authorization') ?? '';
        const inner = Object.assign(new Error(`${SECRET} ${header}`), { request });
        return Promise.reject(new TypeError(`fetch failed for ${KEY}`, { cause: inner }));
      },
    });

    const shown = inspect(await rejection(client.icon(1)), { showHidden: true, depth: 10 });

    expect(shown).toContain('fetch failed for …');
    expect(shown).not.toMatch(new RegExp(`${KEY}|0815|oauth_signature="[^"…]`));
  });
});
