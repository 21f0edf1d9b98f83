import type { FetchPort } from '../types.ts';

/**
 * One exchange with the service, after signing. There are two implementations: sockets (undici) and a given `fetch`.
 */
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

/** The code of undici for answers over the limit; the connection through `fetch` uses it too. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

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

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies that the environment names; empty if it names none. Lower case wins, as with curl. */
export function proxiesOf(env: Environment): {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
} {
  return {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
}

export function namesProxy(env: Environment): boolean {
  const { httpProxy, httpsProxy } = proxiesOf(env);
  return httpProxy !== '' || httpsProxy !== '';
}
