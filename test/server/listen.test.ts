import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthorization } from '../../src/catalog/oauth.ts';
import { embeddedIconId } from '../../src/server.ts';
import { KEY, createHarness } from './support.ts';

const { server, clock } = createHarness({ sets: ['maki'], keys: [{ ...KEY, monthlyLimit: 1e6 }] });
let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ url, close } = await server.listen());
});
afterAll(() => close());

let count = 0;
async function call(
  path: string,
  init: { method?: string; body?: string } = {},
): Promise<Response> {
  const { method = 'GET' } = init;
  const authorization = createAuthorization({
    method,
    url: `${url}${path}`,
    ...KEY,
    nonce: `nonce-${count++}-port`,
    timestamp: Math.floor(clock.now / 1000),
  });
  return fetch(`${url}${path}`, { ...init, headers: { authorization } });
}

test('serves on a port of its own choice, on this machine only', () => {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('answers signed calls, and its asset addresses work', async () => {
  const response = await call(`/v2/icon/${embeddedIconId('maki', 'bus')}`);
  expect(response.status).toBe(200);
  const { icon } = (await response.json()) as { icon: { icon_url: string; thumbnail_url: string } };
  expect(icon.icon_url.startsWith(`${url}/asset/`)).toBe(true);
  expect(await (await fetch(icon.icon_url)).text()).toMatch(/^<svg /);
  expect((await fetch(icon.thumbnail_url)).headers.get('content-type')).toBe('image/png');
});

test('POST bodies arrive', async () => {
  const response = await call('/v2/client/blacklist/term', {
    method: 'POST',
    body: JSON.stringify({ blacklist: ['ß☕'] }),
  });
  expect(await response.json()).toMatchObject({ blacklist: { search_terms: ['ß☕'] } });
  expect((await call('/v2/client/blacklist/term', { method: 'POST', body: '{' })).status).toBe(400);
});

test('a body that is too long is 413, and the next call is answered', async () => {
  for (const size of [5, 12]) {
    const body = JSON.stringify({ blacklist: ['x'.repeat(size * 1024 ** 2)] });
    const response = await call('/v2/client/blacklist/term', { method: 'POST', body });
    expect([response.status, await response.json()]).toEqual([
      413,
      { message: 'The body is larger than 4194304 bytes.' },
    ]);
  }
  expect((await call('/collections')).status).toBe(200);
});

test('what is no request is 400, in JSON', async () => {
  const port = Number(new URL(url).port);
  for (const noise of [
    'GET / HTTP/1.0\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b c\r\nConnection: close\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(noise));
      let text = '';
      socket.on('data', (data) => (text += String(data)));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\{"message":"This is no request\."\}$/);
  }
});

test('unsigned calls are 401, unknown paths and HEAD 404, each in JSON', async () => {
  for (const [path, status, method] of [
    ['/v2/icon', 401, 'GET'],
    ['/x', 404, 'GET'],
    ['/%zz', 404, 'GET'],
    ['/icon/%zz', 401, 'GET'],
    ['/v2/icon', 404, 'HEAD'],
  ] as const) {
    const response = await fetch(`${url}${path}`, { method });
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get('content-type')).toMatch(/json/);
    await response.arrayBuffer();
  }
});

test('noise on the socket and aborted bodies leave the server standing', async () => {
  const port = Number(new URL(url).port);
  for (const noise of [
    '\0\0\0\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b c\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /v2/client/blacklist/id HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{',
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(noise));
      socket.on('close', () => resolve());
      socket.on('error', () => resolve());
      socket.resume();
    });
  }
  await new Promise<void>((resolve) => {
    const half = request(`${url}/v2/client/blacklist/id`, {
      method: 'POST',
      headers: { 'content-length': 100 },
    });
    half.on('error', () => resolve());
    half.write('{', () => half.destroy());
  });
  expect((await call('/collections')).status).toBe(200);
});

test('sixteen connections at once get sixteen right answers, many times', async () => {
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => call('/v2/icon?query=bus&limit=5')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  }
});

test('a taken port is an error, and close frees the port', async () => {
  const other = createHarness({ sets: ['maki'] }).server;
  const port = Number(new URL(url).port);
  await expect(other.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const second = await other
    .listen({ host: '::1' })
    .catch(() => other.listen({ host: 'localhost' }));
  await fetch(`${second.url}/x`).then((response) => response.text());
  await second.close();
  await expect(fetch(`${second.url}/x`)).rejects.toThrow();
});
