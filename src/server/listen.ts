import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenOptions {
  /** @default 0: any free port */
  port?: number;
  /** @default '127.0.0.1': this machine only */
  host?: string;
}

export interface Listening {
  /** `http://127.0.0.1:41873`, without a trailing slash. */
  url: string;
  /** Ends open connections and resolves when the port is free. */
  close(): Promise<void>;
}

/** Serves a `fetch` function on a port. Rejects if the port is in use. */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  options: ListenOptions = {},
): Promise<Listening> {
  const { port = 0, host = '127.0.0.1' } = options;
  const server = createServer((incoming, outgoing) => {
    void respond(incoming, outgoing, fetch);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/**
 * The number of bytes of a body that are read. A longer body is passed on cut, and is too long for
 * the application as well.
 */
const LONGEST_BODY = 8 * 1024 * 1024;

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    const body = await readBody(incoming);
    const request = toRequest(incoming, body);
    const response =
      request === undefined
        ? Response.json({ message: 'This is no request.' }, { status: 400 })
        : await fetch(request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    outgoing.writeHead(response.status, { ...headers, 'content-length': bytes.byteLength });
    outgoing.end(bytes);
  } catch {
    // The client went away before its request was whole.
    outgoing.destroy();
  }
}

async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size <= LONGEST_BODY) parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * `undefined` if it cannot be a request: the host is invalid, or `Request` does not accept the
 * method.
 */
function toRequest(incoming: IncomingMessage, body: Uint8Array<ArrayBuffer>): Request | undefined {
  const { headers: given, method = 'GET', url: target = '/' } = incoming;
  const address = target.startsWith('/') ? `http://${given.host}${target}` : target;
  if (given.host === undefined || !URL.canParse(address)) return undefined;
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(given))
      for (const each of [value ?? []].flat()) headers.append(name, each);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    return new Request(address, { method, headers, ...(hasBody && { body }) });
  } catch {
    return undefined;
  }
}
