import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage, type Storage } from 'unstorage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONCURRENCY } from '../../../src/store/shared-cache/guard.ts';
import { sri512 } from '../../../src/store/hash.ts';
import { redisKinds, type RedisKind } from '../../support/redis-server.ts';
import { S3_KEYS, startS3Server } from '../../support/s3-server.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bytesOf, files, give, machine, take } from './support.ts';

const none = (count: number): undefined[] => Array.from({ length: count });
const SECRETS = /hunter2|127\.0\.0\.1|S3RVER|icon-catalog:1|AWS4|[0-9a-f]{64}/i;

async function lineTo(
  { start }: RedisKind,
  options: Parameters<RedisKind['start']>[0] = {},
): Promise<{ proxy: TcpProxy; url: string }> {
  const server = await start(options);
  onTestFinished(() => server.close());
  const proxy = await startTcpProxy(server.port);
  onTestFinished(() => proxy.close());
  return { proxy, url: `redis://127.0.0.1:${proxy.port}` };
}

describe.each(redisKinds)('a shared cache in $name', (kind) => {
  it('that is closed leaves no connection open', async () => {
    const { proxy, url } = await lineTo(kind);
    const cache = machine(url);
    await give(cache, files(2));
    expect(proxy.open).toBeGreaterThan(0);
    await cache.close();
    await expect.poll(() => proxy.open).toBe(0);
  });

  it('that goes away is left out after three failures, with one warning', async () => {
    const { proxy, url } = await lineTo(kind);
    const given = files(40);
    await give(machine(url), given);
    const cache = machine(url);
    expect(await take(cache, given.slice(0, 2))).toEqual(bytesOf(given.slice(0, 2)));

    proxy.mode = 'gone';
    proxy.drop();
    expect(await take(cache, given)).toEqual(none(40));
    await give(cache, files(5, 100));
    expect(cache.lines).toHaveLength(1);
    expect(cache.lines[0]).toMatch(
      /^warn The shared cache \(Redis\) is left out for the rest of this run: .+\. Icons that are not on this machine come from the catalog\.$/,
    );
    expect(cache.lines.join()).not.toMatch(SECRETS);

    // Neither asked again nor connected to again.
    const { connections } = proxy;
    expect(await take(cache, given)).toEqual(none(40));
    expect(proxy.connections).toBe(connections);
    expect(connections).toBeLessThan(8);
  });

  it('that goes away while it answers loses nothing else', async () => {
    const { proxy, url } = await lineTo(kind);
    const given = files(60);
    // Only single values, so that many answers are under way.
    await give(machine(url, { project: 'another' }), given);
    const cache = machine(url);
    let seen = 0;
    proxy.onData = () => {
      seen += 1;
      if (seen === 2) proxy.mode = 'gone';
    };
    const taken = await take(cache, given);
    for (const [index, bytes] of taken.entries()) {
      if (bytes !== undefined) expect(bytes).toEqual(given[index]?.bytes);
    }
    expect(taken).toContain(undefined);
    expect(cache.lines).toHaveLength(1);
  });

  it('whose idle connection was cut is connected to again, quietly', async () => {
    const { proxy, url } = await lineTo(kind);
    const given = files(3);
    await give(machine(url), given);
    const cache = machine(url);
    expect(await take(cache, given.slice(0, 1))).toEqual(bytesOf(given.slice(0, 1)));
    const before = proxy.connections;
    proxy.drop();
    // The client hears of it by and by.
    await expect.poll(async () => (await take(cache, given.slice(1)))[1]).toEqual(given[2]?.bytes);
    expect(proxy.connections).toBe(before + 1);
    expect(cache.lines).toEqual([]);
  });

  it('that does not answer costs its time-outs and no more', async () => {
    const { proxy, url } = await lineTo(kind);
    proxy.mode = 'stalled';
    const cache = machine(url, { timeout: 100 });
    expect(await take(cache, files(100))).toEqual(none(100));
    // The bundle is the first of three failures, and a file the second. The next of those that are asked for at a time may
    // be asked before another file is the third, in the next millisecond: the rest is not asked.
    expect(proxy.commands.length).toBeLessThanOrEqual(1 + CONCURRENCY + 1);
    expect(cache.lines.join()).toContain('no answer within 100 ms');
    expect(cache.lines).toHaveLength(1);
  });

  it('that asks for a password reports it, and takes the right one', async () => {
    const { proxy } = await lineTo(kind, { requirepass: 'hunter2' });
    const given = files(6);
    const at = (user: string): string => `redis://${user}127.0.0.1:${proxy.port}`;
    await give(machine(at(':hunter2@')), given);
    expect(await take(machine(at(':hunter2@')), given)).toEqual(bytesOf(given));

    const untrusted = machine(at(''));
    expect(await take(untrusted, given)).toEqual(none(6));
    expect(untrusted.lines.join()).toContain('it asks for a password (NOAUTH)');
    const wrong = machine(at(':hunter2x@'));
    expect(await take(wrong, given)).toEqual(none(6));
    expect(wrong.lines.join()).toContain('it does not know the user or password (WRONGPASS)');
    expect([...untrusted.lines, ...wrong.lines]).toHaveLength(2);
    expect([...untrusted.lines, ...wrong.lines].join()).not.toMatch(SECRETS);
  });

  it('that is full is read on, and written no more', async () => {
    const { url } = await lineTo(kind, { maxmemory: 4 * 1024 ** 2 });
    const given = files(6);
    const writer = machine(url);
    await give(writer, given);
    const large = files(4).map((_, index) => Buffer.alloc(3 * 1024 ** 2, index));
    await give(
      writer,
      large.map((bytes) => ({ integrity: sri512(bytes), bytes })),
    );
    expect(writer.lines).toEqual([
      'warn The shared cache (Redis) takes nothing new: it is full (OOM). It is only read for the rest of this run.',
    ]);
    expect(await take(writer, given)).toEqual(bytesOf(given));
    expect(await take(machine(url), given)).toEqual(bytesOf(given));
  });
});

describe('a server that does not run', () => {
  it.each(['redis://', 's3://icons?endpoint=http://'])('is a warning: %s', async (start) => {
    const closed = await startTcpProxy(0);
    await closed.close();
    const cache = machine(`${start}127.0.0.1:${closed.port}`, { env: S3_KEYS });
    expect(await take(cache, files(12))).toEqual(none(12));
    await give(cache, files(2));
    expect(cache.lines).toHaveLength(1);
    expect(cache.lines[0]).toContain('ECONNREFUSED');
    expect(cache.lines[0]).not.toMatch(SECRETS);
  });
});

describe('a bucket', () => {
  async function bucket(): Promise<string> {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    return server.url;
  }

  it('that knows other keys, or is not there, is a warning without keys and addresses', async () => {
    const endpoint = await bucket();
    const env = { ...S3_KEYS, AWS_ACCESS_KEY_ID: 'hunter2' };
    const wrong = machine(`s3://icons?endpoint=${endpoint}`, { env });
    expect(await take(wrong, files(12))).toEqual(none(12));
    expect(wrong.lines.join()).toContain('HTTP 403');
    const missing = machine(`s3://nowhere?endpoint=${endpoint}`, { env: S3_KEYS });
    await give(missing, files(2));
    expect(missing.lines.join()).toContain('takes nothing new: HTTP 404');
    expect([...wrong.lines, ...missing.lines]).toHaveLength(2);
    expect([...wrong.lines, ...missing.lines].join()).not.toMatch(SECRETS);
  });

  it('that answers with anything else is never followed and never believed', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('base64,AAAA');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    onTestFinished(() => void elsewhere.close());
    const port = (server: typeof elsewhere): number => {
      const address = server.address();
      return typeof address === 'object' ? (address?.port ?? 0) : 0;
    };
    const redirecting = createServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port(elsewhere)}/x` }).end();
    }).listen(0, '127.0.0.1');
    await once(redirecting, 'listening');
    onTestFinished(() => void redirecting.close());

    const cache = machine(`s3://icons?endpoint=http://127.0.0.1:${port(redirecting)}`, {
      env: S3_KEYS,
    });
    expect(await take(cache, files(9))).toEqual(none(9));
    expect(cache.lines.join()).toContain('HTTP 307');
    expect(asked).toEqual([]);
    const lying = machine(`s3://icons?endpoint=http://127.0.0.1:${port(elsewhere)}`, {
      env: S3_KEYS,
    });
    expect(await take(lying, files(9))).toEqual(none(9));
    expect(lying.lines).toEqual([
      'warn The shared cache holds other bytes than its keys say. They are left aside, and the icons come from the catalog; see who may write to the cache.',
    ]);
  });
});

describe('a folder', () => {
  it('that cannot be one is a warning', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const cache = machine(file);
    await give(cache, files(2));
    expect(cache.lines).toHaveLength(1);
    expect(cache.lines[0]).toMatch(
      /The shared cache \(a folder\) takes nothing new: E[A-Z]+, a file lies where a folder should be\./,
    );
    expect(cache.lines[0]).not.toContain(file);
  });
});

describe('a poisoned cache', () => {
  /** Replaces every value that was put there. */
  async function poison(storage: Storage, poisoned: (value: unknown) => unknown): Promise<void> {
    for (const key of await storage.getKeys()) {
      await storage.setItemRaw(key, poisoned(await storage.getItem(key)));
    }
  }

  it.each<[string, (value: unknown) => unknown]>([
    ['another icon', () => 'base64,PHN2Zy8+'],
    ['no text of ours', () => '<svg/>'],
    ['nothing', () => 'base64,'],
    ['a number', () => 42],
    ['a list', () => [1, 2]],
    ['an object', () => ({ __proto__: null, toString: 'x', value: 'base64,AAAA' })],
    ['null', () => null],
    ['half of it', (value) => String(value).slice(0, 30)],
    ['one bit', (value) => String(value).replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))],
    ['bytes', () => new Uint8Array([1, 2, 3])],
  ])('can only miss, and is healed by the next machine that writes: %s', async (_, poisoned) => {
    const storage = createStorage();
    const given = files(12);
    await give(machine(storage), given);
    await poison(storage, poisoned);
    const second = machine(storage);
    const taken = await take(second, given);
    for (const [index, bytes] of taken.entries()) {
      if (bytes !== undefined) expect(bytes).toEqual(given[index]?.bytes);
    }
    expect(second.lines.length).toBeLessThanOrEqual(1);
    await give(
      second,
      given.filter((_, index) => taken[index] === undefined),
    );
    expect(await take(machine(storage), given)).toEqual(bytesOf(given));
    for (const { integrity, bytes } of given) {
      expect([undefined, bytes]).toContainEqual(await machine(storage).get(integrity));
    }
  });

  it('can only miss where two icons were exchanged', async () => {
    const storage = createStorage();
    const given = files(2);
    await give(machine(storage), given);
    const [one = '', other = ''] = (await storage.getKeys()).filter((key) =>
      key.includes(':icon:'),
    );
    const [first, second] = [await storage.getItem(one), await storage.getItem(other)];
    await storage.setItem(one, second);
    await storage.setItem(other, first);
    const cache = machine(storage);
    expect(await take(cache, given)).toEqual(none(2));
    expect(cache.lines).toHaveLength(1);
  });
});

describe('a storage of the project', () => {
  it('that takes each file slowly holds the end of a build up for a while only', async () => {
    let written = 0;
    const slow: Storage = {
      ...createStorage(),
      setItem: async () => {
        await new Promise<void>((resolve) => setTimeout(resolve, 50));
        written += 1;
      },
    };
    const cache = machine(slow, { timeout: 300 });
    // 32 at a time: some three seconds, where four times the time-out is waited for.
    await give(cache, files(2000));
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(2000);
    expect(cache.lines).toEqual([]);
  });

  function broken(error: unknown): Storage {
    const fail = (): never => {
      throw error;
    };
    return { ...createStorage(), getItem: async () => fail(), setItem: async () => fail() };
  }

  it.each([
    ['an error with a secret', new Error('connect redis://:hunter2@127.0.0.1 failed')],
    ['no error at all', undefined],
    ['a text', 'hunter2'],
    ['an error with an odd code', Object.assign(new Error('x'), { code: 'hunter2 failed' })],
  ])('that fails with %s is a warning that repeats none of it', async (_, error) => {
    const cache = machine(broken(error));
    expect(await take(cache, files(12))).toEqual(none(12));
    expect(cache.lines).toHaveLength(1);
    expect(cache.lines[0]).not.toMatch(SECRETS);
  });

  it('that fails at once, or hands errors back, fails all the same', async () => {
    const rude: Storage = {
      ...createStorage(),
      getItem: () => {
        throw new Error('at once');
      },
    };
    const odd: Storage = { ...createStorage(), getItem: async () => new Error('handed') as never };
    for (const storage of [rude, odd]) {
      const cache = machine(storage);
      expect(await take(cache, files(12))).toEqual(none(12));
      expect(cache.lines).toHaveLength(1);
    }
  });
});
