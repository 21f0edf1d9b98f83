import fc from 'fast-check';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sri512 } from '../../../src/store/hash.ts';
import { packBundle, unpackBundle } from '../../../src/store/shared-cache/create-shared-cache.ts';
import { redis, redisKinds } from '../../support/redis-server.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { onTestFinished } from 'vitest';
import { bytesOf, files, give, machine, take } from './support.ts';

const named = (list: Uint8Array[]): Map<string, Uint8Array> =>
  new Map(list.map((bytes) => [sri512(bytes), bytes]));

describe('a bundle', () => {
  it('gives back what it was made of, whatever the order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array()), async (list) => {
        const icons = named(list);
        const packed = await packBundle(icons);
        expect(packed).toEqual(await packBundle(new Map([...icons].toReversed())));
        const unpacked = await unpackBundle(packed);
        expect(unpacked.size).toBe(icons.size);
        for (const [integrity, bytes] of icons) {
          expect(Buffer.from(unpacked.get(integrity) ?? [])).toEqual(Buffer.from(bytes));
        }
      }),
    );
  });

  it('never fails on what others wrote, and is whole up to the damage', async () => {
    const icons = new Map(files(8).map(({ integrity, bytes }) => [integrity, bytes]));
    const text = gunzipSync(await packBundle(icons));
    for (let at = 0; at < text.length; at += 1) {
      const cut = await unpackBundle(gzipSync(text.subarray(0, at)));
      for (const [integrity, bytes] of cut) expect(sri512(bytes)).toBe(integrity);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(text);
        damaged[at] = value;
        expect((await unpackBundle(gzipSync(damaged))).size).toBeLessThanOrEqual(9);
      }),
    );
    expect((await unpackBundle(Buffer.from('no gzip'))).size).toBe(0);
  });

  it('is not blown up by a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2));
    expect((await unpackBundle(bomb)).size).toBe(0);
  });

  it('leaves out files that are not what their name says', async () => {
    const [good, bad] = files(2);
    if (good === undefined || bad === undefined) throw new Error('no files');
    const packed = await packBundle(
      new Map([
        [good.integrity, good.bytes],
        [bad.integrity, Buffer.from('something else')],
      ]),
    );
    expect([...(await unpackBundle(packed)).keys()]).toEqual([good.integrity]);
  });

  it('leaves the largest files to their own values where all would be too much', async () => {
    const large = Array.from({ length: 9 }, (_, index) => Buffer.alloc(2 * 1024 ** 2, index));
    const small = Buffer.from('small');
    const unpacked = await unpackBundle(await packBundle(named([...large, small])));
    expect(unpacked.size).toBe(8);
    expect(unpacked.has(sri512(small))).toBe(true);
  });
});

describe.each(redisKinds)('operations on $name', ({ start }) => {
  async function counted(): Promise<{ url: string; commands: string[] }> {
    const server = await start();
    onTestFinished(() => server.close());
    const proxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    return { url: `redis://127.0.0.1:${proxy.port}`, commands: proxy.commands };
  }

  it('are one for all icons of a project', async () => {
    const { url, commands } = await counted();
    const given = files(200);
    await give(machine(url), given);
    commands.length = 0;
    expect(await take(machine(url), given)).toEqual(bytesOf(given));
    expect(commands).toEqual(['get']);
  });

  it('are one for one icon, without the bundle of all', async () => {
    const { url, commands } = await counted();
    const given = files(20);
    await give(machine(url), given);
    commands.length = 0;
    expect(await take(machine(url), given.slice(3, 4))).toEqual(bytesOf(given.slice(3, 4)));
    expect(commands).toEqual(['get']);
  });

  it('fall back to the single icons that a bundle lacks, and repair it', async () => {
    const { url, commands } = await counted();
    const given = files(20);
    await give(machine(url), given.slice(0, 18));
    await give(machine(url, { project: 'another' }), given.slice(18));
    commands.length = 0;
    const second = machine(url);
    expect(await take(second, given)).toEqual(bytesOf(given));
    expect(commands).toEqual(['get', 'get', 'get']);
    await second.flush();
    expect(commands).toEqual(['get', 'get', 'get', 'set']);
    await second.flush();

    commands.length = 0;
    expect(await take(machine(url), given)).toEqual(bytesOf(given));
    expect(commands).toEqual(['get']);
  });

  it('do not write a bundle that would not change', async () => {
    const { url, commands } = await counted();
    const given = files(20);
    await give(machine(url), given);
    commands.length = 0;
    await give(machine(url), given.slice(0, 2));
    expect(commands.filter((name) => name === 'set')).toHaveLength(2);
  });
});

describe('the bundle of a project that changes', () => {
  it('keeps the icons of other branches until they are the larger part', async () => {
    const server = await redis.start();
    onTestFinished(() => server.close());
    const proxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    const url = `redis://127.0.0.1:${proxy.port}`;
    const given = files(30);
    const lock = (from: number, to: number): (() => ReadonlySet<string>) => {
      const digests = new Set(given.slice(from, to).map(({ integrity }) => integrity));
      return () => digests;
    };
    await give(machine(url, { wanted: lock(0, 10) }), given.slice(0, 10));
    await give(machine(url, { wanted: lock(5, 15) }), given.slice(10, 15));
    proxy.commands.length = 0;
    expect(await take(machine(url), given.slice(0, 15))).toEqual(bytesOf(given.slice(0, 15)));
    expect(proxy.commands).toHaveLength(1);

    await give(machine(url, { wanted: lock(24, 30) }), given.slice(24));
    proxy.commands.length = 0;
    expect(await take(machine(url), given.slice(24))).toEqual(bytesOf(given.slice(24)));
    expect(proxy.commands).toHaveLength(1);
    // Gone from the bundle, not from the cache.
    expect(await take(machine(url), given.slice(0, 10))).toEqual(bytesOf(given.slice(0, 10)));
    expect(proxy.commands).toHaveLength(1 + 11);
  });
});
