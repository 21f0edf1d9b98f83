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
