import { Buffer } from 'node:buffer';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Environment } from '../types.ts';
import { createFetchWire, MAX_RESPONSE_SIZE, proxyOf, TOO_LARGE, type Wire } from './wire.ts';

const CONNECT_TIMEOUT = 5000;

/** Bun’s `fetch` reads the proxies of the environment itself, and does not keep the process alive. */
const HAS_OWN_FETCH = 'Bun' in globalThis;

/**
 * Connections of one client that stay open between calls: at most `concurrency` to a host. Node’s own modules start in a
 * tenth of the time of an HTTP client from npm, and their parser is compiled already. Proxies come from `env`
 * (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, lower case first).
 */
export function createHttpWire(options: { concurrency: number; env: Environment }): Wire {
  if (HAS_OWN_FETCH) return createFetchWire((request) => fetch(request));
  const agents = new Map<string, Promise<Agent>>();

  function agentFor(url: URL): Promise<Agent> {
    const proxy = proxyOf(url, options.env);
    const key = `${url.protocol} ${proxy}`;
    const agent = agents.get(key) ?? createAgent(url, { ...options, proxy });
    agents.set(key, agent);
    return agent;
  }

  return {
    async send(request) {
      const { url } = request;
      const [{ request: open }, agent] = await Promise.all([modulesOf(url), agentFor(url)]);
      request.signal.throwIfAborted();
      const { method, headers } = request;
      return exchange(open(url, { method, headers, agent }), request);
    },
    async close() {
      for (const agent of await Promise.allSettled(agents.values()))
        if (agent.status === 'fulfilled') agent.value.destroy();
    },
  };
}

const modulesOf = ({ protocol }: URL) =>
  protocol === 'https:' ? import('node:https') : import('node:http');

async function createAgent(
  url: URL,
  { concurrency, proxy }: { concurrency: number; proxy: string },
): Promise<Agent> {
  const options = { keepAlive: true, maxSockets: concurrency };
  if (proxy === '') return new (await modulesOf(url)).Agent(options);
  const { HttpProxyAgent, HttpsProxyAgent } = await import('hpagent');
  return new (url.protocol === 'https:' ? HttpsProxyAgent : HttpProxyAgent)({ ...options, proxy });
}

function exchange(
  request: ClientRequest,
  { url, body, signal }: Parameters<Wire['send']>[0],
): ReturnType<Wire['send']> {
  return new Promise((resolve, reject) => {
    function fail(error: Error): void {
      signal.removeEventListener('abort', abort);
      reject(error);
      request.destroy();
    }
    function abort(): void {
      fail(signal.reason as Error);
    }
    signal.addEventListener('abort', abort, { once: true });
    request.on('error', fail);
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const late = setTimeout(() => fail(codedError('ETIMEDOUT')), CONNECT_TIMEOUT);
      const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
      for (const event of [connected, 'close']) socket.once(event, () => clearTimeout(late));
    });
    request.on('response', (response) => {
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
    request.end(body);
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
