import { Buffer } from 'node:buffer';
import type { Agent, ClientRequest, IncomingMessage, request } from 'node:http';
import { IconCatalogError } from '../errors.ts';
import type { Environment } from '../types.ts';
import { createFetchWire, MAX_RESPONSE_SIZE, proxyOf, TOO_LARGE, type Wire } from './wire.ts';

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
