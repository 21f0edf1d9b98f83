import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage, prefixStorage } from 'unstorage';
import fsLite from 'unstorage/drivers/fs-lite';
import lruCache from 'unstorage/drivers/lru-cache';
import type { Options } from '../../../src/options/options.ts';
import { openFolderStorage } from '../../../src/store/shared-cache/open-storage.ts';
import { redisKinds, type RedisServer } from '../../support/redis-server.ts';
import { S3_KEYS, startS3Server } from '../../support/s3-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bytesOf, files, give, machine, take } from './support.ts';

type Place = () => Promise<{ sharedCache: NonNullable<Options['sharedCache']>; env?: Env }>;
type Env = Record<string, string>;

/** What every kind of storage must do; `place` gives one that is empty. */
function behaves(place: Place): void {
  it('hands to one machine what another one put there, byte for byte', async () => {
    const { sharedCache, env = {} } = await place();
    const one = machine(sharedCache, { env });
    const other = machine(sharedCache, { env });
    const given = files(6);
    await give(one, given);
    // All at once: from the bundle. One by one: each for itself.
    expect(await take(other, given)).toEqual(bytesOf(given));
    const third = machine(sharedCache, { env, project: 'another project' });
    expect(await take(third, given.slice(0, 2))).toEqual(bytesOf(given.slice(0, 2)));
    expect([...one.lines, ...other.lines, ...third.lines]).toEqual([]);
  });

  it('has nothing that was not put there, and says nothing', async () => {
    const { sharedCache, env = {} } = await place();
    const cache = machine(sharedCache, { env });
    expect(await take(cache, files(9))).toEqual(Array.from({ length: 9 }));
    expect(await cache.get('sha512-x')).toBeUndefined();
    expect(await cache.get('sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=')).toBeUndefined();
    expect(cache.lines).toEqual([]);
  });

  it('is not written in read-only mode', async () => {
    const { sharedCache, env = {} } = await place();
    const given = files(6);
    const reader = machine(sharedCache, {
      env: { ...env, ICON_CATALOG_SHARED_CACHE_READONLY: '1' },
    });
    await give(reader, given);
    const other = machine(sharedCache, { env });
    expect(await take(other, given)).toEqual(Array.from({ length: 6 }));
    await give(other, given);
    expect(await take(reader, given)).toEqual(bytesOf(given));
    expect(reader.lines).toEqual([]);
  });
}

describe.each(redisKinds)('a shared cache in $name', ({ start }) => {
  let server: RedisServer;
  let database = 0;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());
  behaves(async () => ({ sharedCache: `redis://127.0.0.1:${server.port}/${database++}` }));
});

describe('a shared cache in an S3-compatible bucket', () => {
  let server: Awaited<ReturnType<typeof startS3Server>>;
  let prefix = 0;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.close());
  behaves(async () => ({
    sharedCache: `s3://icons/team/${prefix++}?endpoint=${server.url}`,
    env: S3_KEYS,
  }));
});

describe('a shared cache in a folder', () => {
  behaves(async () => ({ sharedCache: await temporaryFolder() }));

  it('has whole files only, under their names, and none outside', async () => {
    const folder = join(await temporaryFolder(), 'ours');
    const storage = openFolderStorage(folder);
    const values = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(1_000_000));
    await storage.set('a:1:b', values[0] ?? '');
    const seen = new Set<unknown>();
    for (const value of values) {
      const writing = storage.set('a:1:b', value);
      for (let read = 0; read < 5; read += 1) seen.add(await storage.get('a:1:b'));
      await writing;
    }
    expect([...seen].filter((text) => !values.includes(String(text)))).toEqual([]);
    const names = await readdir(folder, { recursive: true });
    expect(names.map((name) => name.replaceAll('\\', '/'))).toEqual(['a', 'a/1', 'a/1/b']);
    // The layout is that of storages on files, so that a cache from before is still read.
    const before = createStorage({ driver: fsLite({ base: folder }) });
    expect(values).toContain(await before.getItemRaw('a:1:b').then(String));
    for (const key of ['../b', 'a:..:..:b', '/b', 'a:', ''])
      for (const use of [storage.get(key), storage.set(key, 'x')])
        await expect(use).rejects.toThrow('The key is not a name of a file.');
    expect(await readdir(join(folder, '..'))).toEqual(['ours']);
  });

  it('leaves nothing aside where a file cannot be written', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await expect(openFolderStorage(folder).set('a:b', 'x')).rejects.toThrow(
      /EISDIR|ENOTEMPTY|EPERM/,
    );
    await expect(openFolderStorage(folder).get('a:b')).rejects.toThrow('EISDIR');
    expect(await readdir(join(folder, 'a'))).toEqual(['b']);
  });
});

describe('a shared cache in an object of the project', () => {
  behaves(async () => {
    const texts = new Map<string, string>();
    return {
      sharedCache: {
        getItem: async (key) => texts.get(key),
        setItem: async (key, value) => texts.set(key, value),
      },
    };
  });
});

describe('a shared cache in a storage of unstorage', () => {
  describe('in memory', () => behaves(async () => ({ sharedCache: createStorage() })));
  describe('with a prefix', () =>
    behaves(async () => ({ sharedCache: prefixStorage(createStorage(), 'ours') })));
  describe('of least recently used', () =>
    behaves(async () => ({ sharedCache: createStorage({ driver: lruCache({}) }) })));
  describe('of files', () =>
    behaves(async () => ({
      sharedCache: createStorage({ driver: fsLite({ base: await temporaryFolder() }) }),
    })));
});
