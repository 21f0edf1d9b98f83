import { randomUUID } from 'node:crypto';
import { createAuthorization } from '../../src/catalog/oauth.ts';
import { type CatalogServer, createCatalogServer } from '../../src/server.ts';
import type { EmbeddedOptions } from '../../src/options/options.ts';

export const KEY = { key: 'test-key-paid', secret: 'test-secret-paid' };
export const FREE = { key: 'test-key-free', secret: 'test-secret-free', access: 'free' as const };
/** 2026-03-04 05:06:07.089 UTC. */
export const NOW: number = Date.UTC(2026, 2, 4, 5, 6, 7, 89);
export const ORIGIN = 'http://catalog.test';

export interface Clock {
  now: number;
}

export interface Harness {
  server: CatalogServer;
  clock: Clock;
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
}

export interface CallOptions {
  credentials?: { key: string; secret: string };
  nonce?: string;
  timestamp?: number;
  /** Where the request goes; it is signed for that address. */
  origin?: string;
}

/** A JSON answer; tests read the fields that they expect and fail where those are not there. */
export interface Body extends Record<string, unknown> {
  message: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** The icon sets that the tests count. */
const SETS: string[] = ['game-icons', 'maki', 'tabler'];

export function createHarness(options: EmbeddedOptions = {}): Harness {
  const clock = { now: NOW };
  // By name: what else is installed beside them is none of the tests'.
  const isOwn = ['folders', 'root', 'sets'].some((name) => name in options);
  const server = createCatalogServer({
    keys: [KEY, FREE],
    now: () => clock.now,
    ...(!isOwn && { sets: SETS }),
    ...options,
  });

  async function call(
    method: string,
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    const {
      credentials = KEY,
      nonce = randomUUID(),
      timestamp = Math.floor(clock.now / 1000),
      origin = ORIGIN,
    } = options;
    const url = `${origin}${path}`;
    const authorization = createAuthorization({ method, url, ...credentials, nonce, timestamp });
    const response = await server.fetch(
      new Request(url, {
        method,
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Body,
    };
  }

  return {
    server,
    clock,
    get: (path, callOptions) => call('GET', path, undefined, callOptions),
    post: (path, body, callOptions) => call('POST', path, body, callOptions),
  };
}
