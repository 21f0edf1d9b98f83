import { createStorage } from 'unstorage';
import redisDriver from 'unstorage/drivers/redis';
import type { OpenStorage } from './open-storage.ts';

/** Milliseconds until a server must have taken the connection. */
const CONNECT_TIMEOUT = 3000;

/** What we need of a client of ioredis. */
interface RedisClient {
  readonly status: string;
  readonly stream?: { unref?(): void };
  connect(): Promise<unknown>;
  on(event: string, listener: (error: Error) => void): unknown;
}

/**
 * A Redis server. It connects with the first operation, keeps no process alive, and does not connect again by itself:
 * an operation that finds the connection closed tries once, and what fails counts.
 */
export function openRedisStorage(url: string): OpenStorage {
  const driver = redisDriver({
    url,
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    retryStrategy: () => null,
    reconnectOnError: null,
    maxRetriesPerRequest: 1,
    // Users who may only read and write a few keys may not call INFO and CLIENT.
    enableReadyCheck: false,
    disableClientInfo: true,
  });
  const client = driver.getInstance?.() as RedisClient;
  const storage = createStorage({ driver });
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
    get: (key) => run(() => storage.getItem(key)),
    set: (key, value) => run(() => storage.setItem(key, value)),
    async close() {
      await storage.dispose();
    },
  };
}
