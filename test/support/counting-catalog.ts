import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createCatalogServer } from '../../src/server.ts';
import type { EmbeddedKey, EmbeddedOptions } from '../../src/options/options.ts';

export interface CountingCatalog {
  url: string;
  key: string;
  secret: string;
  /** `GET /v2/icon/123/download` of every request that arrived, in order. */
  calls: string[];
  /** Most requests that were open at the same time. */
  peak: number;
  /** Answers in place of the catalog while it returns true. */
  intercept:
    | ((path: string, response: ServerResponse, request: IncomingMessage) => boolean)
    | undefined;
  /** What each answer waits for. */
  hold: ((path: string) => Promise<void> | undefined) | undefined;
  reset(): void;
  close(): Promise<void>;
}

const KEY: EmbeddedKey = {
  key: 'counting-key',
  secret: 'counting-secret',
  monthlyLimit: 1_000_000,
};

/** The embedded catalog on a port of its own, slowed down by `latency` ms and counting what arrives. `now` is its clock. */
export async function startCountingCatalog({
  latency = 0,
  ...options
}: EmbeddedOptions & { latency?: number } = {}): Promise<CountingCatalog> {
  const [key = KEY] = options.keys ?? [];
  const catalog = createCatalogServer({
    sets: ['tabler', 'maki', 'game-icons'],
    ...options,
    keys: options.keys ?? [KEY],
  });
  let open = 0;

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    counting.calls.push(`${method} ${url.split('?')[0]}`);
    open += 1;
    counting.peak = Math.max(counting.peak, open);
    try {
      if (latency > 0) await wait(latency);
      await counting.hold?.(url);
      if (counting.intercept?.(url, response, request)) return;
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const answered = await catalog.fetch(new Request(counting.url + url, { method, headers }));
      if (options.now !== undefined)
        response.setHeader('date', new Date(options.now()).toUTCString());
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(Buffer.from(await answered.arrayBuffer()));
    } finally {
      open -= 1;
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const counting: CountingCatalog = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: key.key,
    secret: key.secret,
    calls: [],
    peak: 0,
    intercept: undefined,
    hold: undefined,
    reset() {
      counting.calls.length = 0;
      counting.peak = 0;
      counting.intercept = undefined;
      counting.hold = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return counting;
}
