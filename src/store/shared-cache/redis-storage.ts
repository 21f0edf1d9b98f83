import type { Redis } from 'ioredis';
import type { OpenStorage } from './parse-address.ts';

/** Milliseconds until a server must have taken the connection. */
const CONNECT_TIMEOUT = 3000;

/**
 * A Redis server. It connects with the first operation, keeps no process alive, and does not connect again by itself:
 * an operation that finds the connection closed tries once, and what fails counts.
 */
export function openRedisStorage(url: string, Client: typeof Redis): OpenStorage {
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    retryStrategy: () => null,
    reconnectOnError: null,
    maxRetriesPerRequest: 1,
    // Users who may only read and write a few keys may not call INFO and CLIENT.
    enableReadyCheck: false,
    disableClientInfo: true,
  });
  let lastError: Error | undefined;
  let connecting: Promise<unknown> | undefined;
  // Without a listener the library writes to the console.
  client.on('error', (error) => (lastError = error));
  client.on('connect', () => client.stream?.unref?.());

  async function connected(): Promise<void> {
    if (client.status !== 'end') return;
    connecting ??= client.connect().finally(() => (connecting = undefined));
    await connecting;
  }

  async function run<Result>(operation: () => Promise<Result>): Promise<Result> {
    try {
      await connected();
      return await operation();
    } catch (error) {
      // A closed connection says nothing; what closed it does.
      const isClosed = error instanceof Error && /connection is closed/i.test(error.message);
      throw isClosed && lastError !== undefined ? lastError : error;
    }
  }

  return {
    name: 'Redis',
    get: (key) => run(() => client.get(key)),
    set: (key, value) => run(async () => void (await client.set(key, value))),
    async close() {
      client.disconnect();
    },
  };
}
