import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { selfSigned } from '../support/certificate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { iconBody } from './records.ts';
import {
  isSigned,
  KEY,
  listen,
  openSession,
  rejection,
  SECRET,
  sendJson,
  startProxy,
} from './support.ts';
import type { Seen } from './support.ts';

const CLIENT = pathToFileURL(join(process.cwd(), 'dist/client.js')).href;
/** Two calls, one after the other, in a process that trusts what its environment names. */
const SCRIPT = `
import { createCatalogClient } from ${JSON.stringify(CLIENT)};
const [baseUrl, key, secret] = process.argv.slice(1);
const client = createCatalogClient({ baseUrl, key, secret, retries: 0 });
try {
  for (const id of [1, 2]) console.log((await client.icon(id)).icon.id);
} catch (error) {
  console.log(String(error));
}
await client.close();
`;

let cert: string;
let key: string;
let trusted: string;
beforeAll(async () => {
  ({ cert, key } = selfSigned());
  let remove!: () => unknown;
  trusted = join(await temporaryFolder((handler) => (remove = handler)), 'trusted.pem');
  await writeFile(trusted, cert);
  return async () => void (await remove());
});

async function startTlsCatalog(): Promise<{ url: string; seen: Seen[]; connections(): number }> {
  const seen: Seen[] = [];
  let connections = 0;
  const server = createTlsServer({ cert, key }, ({ method = '', url = '', headers }, response) => {
    seen.push({ method, url, authorization: headers.authorization ?? '', headers, body: '' });
    sendJson(response, iconBody(Number(url.split('/').at(-1))));
  });
  server.on('secureConnection', () => (connections += 1));
  const url = (await listen(server)).replace('http:', 'https:');
  return { url, seen, connections: () => connections };
}

async function callTwice(url: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', SCRIPT, url, KEY, SECRET],
    { env: { PATH: process.env['PATH'] ?? '', ...env } },
  );
  return stdout;
}

it('a catalog over TLS is asked by signed calls on one connection', async () => {
  const catalog = await startTlsCatalog();
  expect(await callTwice(catalog.url, { NODE_EXTRA_CA_CERTS: trusted })).toBe('1\n2\n');
  expect(catalog.seen.map(({ url }) => url)).toEqual(['/v2/icon/1', '/v2/icon/2']);
  expect(catalog.seen.every((call) => isSigned(catalog.url, call))).toBe(true);
  expect(catalog.connections()).toBe(1);
});

it('a proxy sees the host of a catalog over TLS, and its own password, and nothing else', async () => {
  const catalog = await startTlsCatalog();
  const { url, tunnels } = await startProxy();
  const proxy = url.replace('//', '//ada:l%40ce@');
  const env = { NODE_EXTRA_CA_CERTS: trusted, HTTPS_PROXY: proxy };
  expect(await callTwice(catalog.url, env)).toBe('1\n2\n');
  const own = `Basic ${Buffer.from('ada:l@ce').toString('base64')}`;
  expect(
    tunnels.map((asked) => [
      asked.url,
      asked.headers['proxy-authorization'],
      asked.headers.authorization,
    ]),
  ).toEqual([[new URL(catalog.url).host, own, undefined]]);
  expect(catalog.seen.map(({ headers }) => headers['proxy-authorization'])).toEqual([
    undefined,
    undefined,
  ]);
  expect(catalog.connections()).toBe(1);
});

it('a certificate that nobody vouches for is refused, and nothing is sent', async () => {
  const catalog = await startTlsCatalog();
  expect(await callTwice(catalog.url, {})).toMatch(
    /CATALOG_UNAVAILABLE.*its TLS certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  );
  expect(catalog.seen).toEqual([]);
});

it('a host that never answers the handshake is given up after five seconds', async () => {
  let arrive!: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const url = (await listen(createTcpServer((socket) => socket.once('data', arrive)))).replace(
    'http:',
    'https:',
  );
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client } = openSession({ baseUrl: url, retries: 0, timeout: 60_000 });
  let ended = false;
  const failure = rejection(client.icon(1)).finally(() => (ended = true));
  await arrived;
  await vi.advanceTimersByTimeAsync(4999);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(String(await failure)).toContain('no connection was made in time');
});
