import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  createCatalogSession,
  type CatalogSession,
  type SessionHooks,
} from '../../src/catalog/session.ts';
import type { CatalogClientOptions } from '../../src/client.ts';

export const KEY = 'client-key-4711';
export const SECRET = 'secret+of/the=key 0815';

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** One request as the service saw it. */
export interface Seen {
  method: string;
  /** Path and query, as written on the wire. */
  url: string;
  authorization: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Catalog {
  url: string;
  seen: Seen[];
  /** Most requests that were open at the same time. */
  peak(): number;
}

/** A service on a free port of this machine, gone when the test is. */
export async function startCatalog(handler: Handler): Promise<Catalog> {
  const seen: Seen[] = [];
  let open = 0;
  let peak = 0;
  const answer: Handler = async (request, response) => {
    open += 1;
    peak = Math.max(peak, open);
    response.on('close', () => (open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(chunks).toString();
    seen.push({ method, url, authorization: headers.authorization ?? '', headers, body });
    await handler(request, response);
  };
  const url = await listen(createServer((request, response) => void answer(request, response)));
  return { url, seen, peak: () => peak };
}

export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) =>
    sockets.add(socket.on('close', () => sockets.delete(socket))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy on a free port of this machine that leads wherever it is asked to. */
export async function startProxy(): Promise<{
  url: string;
  /** The requests for a tunnel. */
  tunnels: Pick<IncomingMessage, 'url' | 'headers'>[];
}> {
  const tunnels: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const server = createServer();
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket, head: Buffer) => {
    tunnels.push({ url, headers });
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    onTestFinished(() => void upstream.destroy());
  });
  return { url: await listen(server), tunnels };
}

/** A session that tries again at once and knows no proxy; closed when the test is done. */
export function openSession(
  options: Partial<CatalogClientOptions> & { baseUrl: string },
  hooks: SessionHooks = {},
): CatalogSession {
  const session = createCatalogSession(
    { key: KEY, secret: SECRET, timeout: 5000, ...options },
    { env: {}, backoff: 1, ...hooks },
  );
  onTestFinished(() => session.close());
  return session;
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** OAuth 1.0a by the letter of RFC 5849, sharing nothing with the code that it checks. */
export function isSigned(
  origin: string,
  { method, url, authorization }: Seen,
  secret: string = SECRET,
): boolean {
  const encode = (text: string): string =>
    [...Buffer.from(text)]
      .map((byte) => {
        const character = String.fromCharCode(byte);
        return /[\w.~-]/.test(character) && byte < 128
          ? character
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      })
      .join('');
  const [path = '', query = ''] = url.split('?');
  const header = [...authorization.matchAll(/(\w+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const,
  );
  const signature = header.find(([name]) => name === 'oauth_signature')?.[1];
  const pairs = [
    ...header.filter(([name]) => name !== 'oauth_signature'),
    ...query
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        return [
          decodeURIComponent(pair.slice(0, at)),
          decodeURIComponent(pair.slice(at + 1)),
        ] as const;
      }),
  ];
  const sorted = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const base = [method, encode(`${origin}${path}`), encode(sorted.join('&'))].join('&');
  return (
    signature ===
    createHmac('sha1', `${encode(secret)}&`)
      .update(base)
      .digest('base64')
  );
}

/** A parameter of the Authorization header. */
export function oauthParam({ authorization }: Seen, name: string): string {
  const value = new RegExp(`${name}="([^"]*)"`).exec(authorization)?.[1];
  return decodeURIComponent(value ?? '');
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It was expected to reject.');
    },
    (error: unknown) => error,
  );
}
