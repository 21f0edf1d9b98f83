import { Buffer } from 'node:buffer';
import type { Agent, ClientRequest, IncomingMessage, request } from 'node:http';
import { IconCatalogError } from '../errors.ts';
import { isPublicHost } from '../untrusted.ts';
import type { Environment, FetchPort } from '../types.ts';
import type { Call } from './arguments.ts';
import { percentEncode } from './oauth.ts';

/** One exchange with the service, after signing: through connections of its own or a given `fetch`. */
export interface Wire {
  /** Resolves with the whole answer, whatever its status. A redirect is an answer. Rejects if there is no answer. */
  send(request: WireRequest): Promise<WireResponse>;
  /** Ends open exchanges and sockets. */
  close(): Promise<void>;
}

interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

export interface WireResponse {
  status: number;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Lower-case names of all headers. */
  headerNames(): string[];
  body: Uint8Array;
}

/** The size limit of an answer in bytes. */
export const MAX_RESPONSE_SIZE: number = 64 * 1024 * 1024;

/** Code of the error for an answer over the limit. */
export const TOO_LARGE = 'ERR_ANSWER_TOO_LARGE';

/** The connection through a `fetch` that the caller passes: an embedded catalog, a test, another HTTP client. */
export function createFetchWire(fetch: FetchPort): Wire {
  return {
    async send({ method, url, headers, body, signal }) {
      const request = new Request(url, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body !== undefined && { body }),
      });
      const response = await fetch(request);
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        headerNames: () => [...response.headers.keys()],
        body: await readBody(response),
      };
    },
    close: () => Promise.resolve(),
  };
}

async function readBody({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_SIZE) {
      throw Object.assign(new Error('The answer is too large.'), { code: TOO_LARGE });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const CONNECT_TIMEOUT = 5000;
/** Milliseconds without a call after which a connection is closed, as services and routers do unseen; a service may ask for less. */
const IDLE_TIMEOUT = 4000;

/** Bun’s `fetch` reads the proxies of the environment itself, and does not keep the process alive. */
const HAS_OWN_FETCH = 'Bun' in globalThis;

/**
 * Connections of one client that stay open between calls: at most `concurrency` to a host. Node’s own modules start in a
 * tenth of the time of an HTTP client from npm, and their parser is compiled already. Proxies come from `env`
 * (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, lower case first).
 */
export function createHttpWire(options: { concurrency: number; env: Environment }): Wire {
  if (HAS_OWN_FETCH) return createFetchWire((request) => fetch(request));
  const ways = new Map<string, Promise<Way>>();

  function wayTo(url: URL): Promise<Way> {
    const proxy = proxyOf(url, options.env);
    const key = `${url.protocol} ${proxy}`;
    const isHttps = url.protocol === 'https:';
    const way = ways.get(key) ?? openWay({ ...options, isHttps, proxy });
    ways.set(key, way);
    return way;
  }

  return {
    async send(request) {
      const { method, url, headers, signal } = request;
      const { open, agent } = await wayTo(url);
      signal.throwIfAborted();
      return exchange(open(url, { method, headers, agent }), request);
    },
    async close() {
      for (const way of await Promise.allSettled(ways.values()))
        if (way.status === 'fulfilled') way.value.agent.destroy();
    },
  };
}

/** Calls over http or over https, straight or through one proxy. */
interface Way {
  open: typeof request;
  agent: Agent;
}

/** @throws IconCatalogError OPTIONS_INVALID for a proxy of another kind, without its address: it may hold a password */
async function openWay({
  concurrency,
  isHttps,
  proxy,
}: {
  concurrency: number;
  isHttps: boolean;
  proxy: string;
}): Promise<Way> {
  const { request: open, Agent } = await (isHttps ? import('node:https') : import('node:http'));
  const options = { keepAlive: true, maxSockets: concurrency, timeout: IDLE_TIMEOUT };
  if (proxy === '') return { open, agent: new Agent(options) };
  if (!/^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : ''))
    throw new IconCatalogError('OPTIONS_INVALID', {
      message: `${isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY'} must be the address of an http or https proxy, such as http://proxy.example:3128.`,
      remedy: 'Correct the variable, or name the host of the catalog in NO_PROXY.',
    });
  const { HttpProxyAgent, HttpsProxyAgent } = await import('hpagent');
  return { open, agent: new (isHttps ? HttpsProxyAgent : HttpProxyAgent)({ ...options, proxy }) };
}

function exchange(
  sent: ClientRequest,
  { url, body, signal }: Parameters<Wire['send']>[0],
): ReturnType<Wire['send']> {
  return new Promise((resolve, reject) => {
    function fail(error: Error): void {
      signal.removeEventListener('abort', abort);
      reject(error);
      sent.destroy();
    }
    function abort(): void {
      fail(signal.reason as Error);
    }
    signal.addEventListener('abort', abort, { once: true });
    sent.on('error', fail);
    sent.on('socket', (socket) => {
      if (!socket.connecting) return;
      const late = setTimeout(() => fail(codedError('ETIMEDOUT')), CONNECT_TIMEOUT);
      const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      for (const event of [connected, 'close']) socket.once(event, () => clearTimeout(late));
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_RESPONSE_SIZE) fail(codedError(TOO_LARGE));
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        signal.removeEventListener('abort', abort);
        resolve(answerOf(response, Buffer.concat(chunks)));
      });
    });
    sent.end(body);
  });
}

function answerOf(
  { statusCode = 0, headers }: IncomingMessage,
  body: Buffer,
): Awaited<ReturnType<Wire['send']>> {
  return {
    status: statusCode,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    headerNames: () => Object.keys(headers),
    body,
  };
}

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * Address of the proxy that the environment names for a host; empty if it names none. Lower case wins, as with curl. An
 * address without `http://` counts as one with it. Hosts of `NO_PROXY` are reached without a proxy: `*` stands for all; names
 * and addresses count with all names below them and, if they state a port, on that port alone.
 */
export function proxyOf({ protocol, hostname, port }: URL, env: Environment): string {
  const named = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? '';
  const isHttps = protocol === 'https:';
  const proxy = named(isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY').trim();
  const isExempt = named('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, host = '', only = ''] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (host === '*') return true;
      const isHost = host !== '' && (hostname === host || hostname.endsWith(`.${host}`));
      return isHost && (only === '' || only === (port || (isHttps ? '443' : '80')));
    });
  if (proxy === '' || isExempt) return '';
  return /^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`;
}

/**
 * The base address without a trailing slash. @throws IconCatalogError OPTIONS_INVALID, without the address: it may hold
 * a password
 */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const plain =
    url !== undefined && url.username === '' && url.password === '' && !/[?#]/.test(baseUrl);
  if (!plain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new IconCatalogError('OPTIONS_INVALID', {
      message:
        'The base address of the catalog must be an http or https address without user, query and fragment.',
      path: 'baseUrl',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Whether an asset address of a record may be fetched. A record is untrusted: without `assetHosts` any https host counts, and
 * hosts of this machine and of private networks only if the catalog itself is on such a host.
 */
export function mayFetchAsset(
  address: string,
  { baseUrl, assetHosts }: { baseUrl: string; assetHosts?: readonly string[] | undefined },
): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, host, origin, username } = new URL(address);
  if (!/^https?:$/.test(protocol) || username !== '') return false;
  const catalog = new URL(baseUrl);
  if (origin === catalog.origin) return true;
  if (assetHosts !== undefined)
    return assetHosts.some((allowed) => allowed === hostname || allowed === host);
  if (!isPublicHost(hostname)) return !isPublicHost(catalog.hostname);
  return protocol === 'https:';
}

/**
 * A space is written `%20`, never `+`: servers answer the latter with 401.
 * @throws IconCatalogError CATALOG_BAD_REQUEST for a path that would lead to another host
 */
export function addressOf(base: string, { path, query }: Call): URL {
  if (!path.startsWith('/')) {
    const message = 'The path of a call must begin with "/". Nothing was sent.';
    throw new IconCatalogError('CATALOG_BAD_REQUEST', { message, path: 'path' });
  }
  const pairs = query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`);
  const separator = path.includes('?') ? '&' : '?';
  return new URL(`${base}${path}${pairs.length === 0 ? '' : `${separator}${pairs.join('&')}`}`);
}
