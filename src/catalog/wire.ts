import type { FetchPort } from '../types.ts';

/** One exchange with the service, after signing. Two doors implement it: sockets (undici) and a given `fetch`. */
export interface Wire {
  /** Resolves with the whole answer, whatever its status. Redirects are answers. Rejects where there is none. */
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

/** Largest answer that is read, in bytes. */
export const MAX_RESPONSE_SIZE: number = 64 * 1024 * 1024;

/** The code that undici gives to answers past the limit; the fetch door uses it too. */
export const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** The door through a `fetch` that the caller gave: an embedded catalog, a test, another HTTP client. */
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

/** Proxies as the environment names them; empty where it names none. Lower case wins, as with curl. */
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
