import type { Dispatcher } from 'undici';
import { namesProxy, proxiesOf, type Environment } from './environment.ts';
import { createFetchWire } from './fetch-wire.ts';
import { loadUndici, type Undici } from './load-undici.ts';
import { MAX_RESPONSE_SIZE, type Wire } from './wire.ts';

const CONNECT_TIMEOUT = 5000;

/**
 * Bun puts a stand-in of its own in undici's place, which knows neither dispatchers nor limits of size. Its `fetch`
 * reads the proxies of the environment itself, and keeps no process alive.
 */
const HAS_OWN_SOCKETS = 'Bun' in globalThis;

/** Loads what the first call needs. Where that fails, the call says so. */
export async function prepareSockets(): Promise<void> {
  if (!HAS_OWN_SOCKETS) await loadUndici().catch(() => undefined);
}

/**
 * Sockets of one client: at most `concurrency` of them, its own, never the process-wide dispatcher.
 * Proxies come from `env` (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, lower case first).
 */
export async function createUndiciWire(options: {
  concurrency: number;
  env: Environment;
}): Promise<Wire> {
  if (HAS_OWN_SOCKETS) return createFetchWire((request) => fetch(request));
  const undici = await loadUndici();
  const dispatcher = await createDispatcher(options, undici);
  return {
    async send({ method, url, headers, body, signal }) {
      const response = await undici.request.call(dispatcher, {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body: body ?? null,
        signal,
      });
      const bytes = new Uint8Array(await response.body.arrayBuffer());
      return {
        status: response.statusCode,
        header(name) {
          const value = response.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        headerNames: () => Object.keys(response.headers),
        body: bytes,
      };
    },
    close: () => dispatcher.destroy(),
  };
}

async function createDispatcher(
  { concurrency, env }: { concurrency: number; env: Environment },
  { Agent }: Undici,
): Promise<Dispatcher> {
  const connect = { timeout: CONNECT_TIMEOUT };
  const options = {
    connections: concurrency,
    connect,
    // Each call has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_RESPONSE_SIZE,
  };
  if (!namesProxy(env)) return new Agent(options);
  const { EnvHttpProxyAgent } = await import('undici');
  const { httpProxy, httpsProxy, noProxy } = proxiesOf(env);
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy,
    httpsProxy,
    noProxy,
    proxyTls: connect,
    requestTls: connect,
  });
}
