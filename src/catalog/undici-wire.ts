import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import type { Environment } from '../types.ts';
import { createFetchWire, MAX_RESPONSE_SIZE, namesProxy, proxiesOf, type Wire } from './wire.ts';

const CONNECT_TIMEOUT = 5000;

/**
 * Bun replaces undici by its own version, which has neither dispatchers nor limits of size. Its `fetch` reads the
 * proxies of the environment itself, and does not keep the process alive.
 */
const HAS_OWN_SOCKETS = 'Bun' in globalThis;

/** Loads what the first call needs. If that fails, the call reports it. */
export async function prepareSockets(): Promise<void> {
  if (!HAS_OWN_SOCKETS) await import('undici').catch(() => undefined);
}

/** A program that is bundled by esbuild gets what CommonJS exports as the default alone. */
async function loadUndici(): Promise<Pick<typeof Undici, 'Agent' | 'EnvHttpProxyAgent'>> {
  const loaded = await import('undici');
  return 'Agent' in loaded ? loaded : (loaded as { default: typeof Undici }).default;
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
  const dispatcher = await createDispatcher(options);
  return {
    send: (request) => dispatch(dispatcher, request),
    close: () => dispatcher.destroy(),
  };
}

/** `request` of undici would make a stream of each answer, which takes as long as the rest of the call. */
function dispatch(
  dispatcher: Dispatcher,
  { method, url, headers: sent, body, signal }: Parameters<Wire['send']>[0],
): ReturnType<Wire['send']> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    let forget = (): void => undefined;
    const options = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: sent,
      body: body ?? null,
    };
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        forget();
        const abort = (): void => controller.abort(signal.reason as Error);
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort, { once: true });
        forget = () => signal.removeEventListener('abort', abort);
      },
      onResponseStart(_, statusCode, received) {
        status = statusCode;
        headers = received;
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        forget();
        resolve({
          status,
          header(name) {
            const value = headers[name];
            return Array.isArray(value) ? value[0] : value;
          },
          headerNames: () => Object.keys(headers),
          body: Buffer.concat(chunks),
        });
      },
      onResponseError(_, error) {
        forget();
        reject(error);
      },
    });
  });
}

async function createDispatcher({
  concurrency,
  env,
}: {
  concurrency: number;
  env: Environment;
}): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await loadUndici();
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
