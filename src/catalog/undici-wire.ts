import type { Agent, Dispatcher } from 'undici';
import {
  createFetchWire,
  type Environment,
  MAX_RESPONSE_SIZE,
  namesProxy,
  proxiesOf,
  type Wire,
} from './wire.ts';

const CONNECT_TIMEOUT = 5000;

/**
 * Bun replaces undici by its own version, which has neither dispatchers nor limits of size. Its `fetch` reads the
 * proxies of the environment itself, and does not keep the process alive.
 */
const HAS_OWN_SOCKETS = 'Bun' in globalThis;

/** Loads what the first call needs. If that fails, the call reports it. */
export async function prepareSockets(): Promise<void> {
  if (!HAS_OWN_SOCKETS) await loadUndici().catch(() => undefined);
}

/**
 * Sockets of one client: at most `concurrency`, and never those of the process-wide dispatcher. Proxies come from `env`
 * (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, lower case first).
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
    // Each call has its own deadline.
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

export interface Undici {
  Agent: typeof Agent;
  /** The dispatcher's own `request`; `this` is the dispatcher. */
  request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
}

/**
 * The parts of undici that calls need. Its index loads WebSockets, caches, mocks and `fetch` besides, which costs a
 * cold run about 60 ms before its first call. If a version keeps the parts elsewhere, all of it is loaded.
 */
export async function loadUndici(): Promise<Undici> {
  try {
    const [{ default: agent }, { default: request }] = await Promise.all([
      import('undici/lib/dispatcher/agent.js'),
      import('undici/lib/api/api-request.js'),
    ]);
    // Loaders that turn `import()` into `require` provide no default export.
    if (agent !== undefined) return { Agent: agent, request };
  } catch {
    // This is another version.
  }
  const undici = await import('undici');
  return { Agent: undici.Agent, request: undici.Dispatcher.prototype.request };
}
