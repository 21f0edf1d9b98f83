import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createStorage } from 'unstorage';
import { createIcons, type Icons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { redis, redisKinds, type RedisServer } from '../support/redis-server.ts';
import { S3_KEYS, startS3Server } from '../support/s3-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeFiles } from '../support/write-project.ts';

const SPECIFIERS = iconIds('tabler', 25).map((id, index) =>
  index === 0 ? `icon:${id}?filetype=png&size=64&as=data` : `icon:${id}?title=x`,
);
/** A record and a file an icon. */
const CALLS = 2 * SPECIFIERS.length;

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog({ sets: ['tabler'] });
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

interface Machine {
  root: string;
  icons: Icons;
  lines: string[];
  /** Code of every module, in the order of SPECIFIERS. */
  build(): Promise<string[]>;
}

/** A machine with an empty cache that has checked out the project, with the lock of another machine if there is one. */
async function machine(
  options: Options,
  {
    lockOf,
    env = {},
    root,
  }: { lockOf?: Machine; env?: Record<string, string>; root?: string } = {},
): Promise<Machine> {
  const folder = root ?? (await temporaryFolder());
  if (root === undefined) {
    await writeFile(join(folder, 'package.json'), '{"name":"shop"}');
    if (lockOf) await copyFile(join(lockOf.root, 'icons.lock'), join(folder, 'icons.lock'));
  }
  const { url: baseUrl, key, secret } = catalog;
  const log = recordingLog();
  const icons = createIcons(
    { catalog: { baseUrl, key, secret }, retries: 0, cacheDir: join(folder, 'cache'), ...options },
    { root: folder, env, log },
  );
  async function build(): Promise<string[]> {
    const loaded = await Promise.all(SPECIFIERS.map((specifier) => icons.load(specifier)));
    await icons.close();
    return loaded.map(({ code }) => code);
  }
  return { root: folder, icons, lines: log.lines, build };
}

/** `catalog: undefined` would be taken for the option; this machine has no credentials at all. */
const WITHOUT_CATALOG = { catalog: undefined as never };

async function lineTo(server: RedisServer): Promise<{ proxy: TcpProxy; sharedCache: string }> {
  const proxy = await startTcpProxy(server.port);
  onTestFinished(() => proxy.close());
  return { proxy, sharedCache: `redis://127.0.0.1:${proxy.port}` };
}

async function startRedis(start = redis.start): Promise<RedisServer> {
  const server = await start();
  onTestFinished(() => server.close());
  return server;
}

describe.each(redisKinds)('a fleet with $name', ({ start }) => {
  it('downloads each icon once', async () => {
    const { proxy, sharedCache } = await lineTo(await startRedis(start));
    const first = await machine({ sharedCache });
    const made = await first.build();
    expect(catalog.calls).toHaveLength(CALLS);

    catalog.reset();
    proxy.commands.length = 0;
    const second = await machine({ sharedCache }, { lockOf: first });
    expect(await second.build()).toEqual(made);
    expect(catalog.calls).toEqual([]);
    expect(proxy.commands).toEqual(['get']);

    // In CI, where there are no credentials.
    proxy.commands.length = 0;
    const third = await machine(
      { sharedCache, mode: 'locked', ...WITHOUT_CATALOG },
      { lockOf: first },
    );
    expect(await third.build()).toEqual(made);
    expect(third.icons.credits()).toEqual(first.icons.credits());
    expect(catalog.calls).toEqual([]);
    // What the catalog is called, the few icons that were asked for before there were many, and the bundle.
    expect(proxy.commands.length).toBeLessThanOrEqual(5);
    expect([...first.lines, ...second.lines, ...third.lines]).toEqual([]);
  });
});

describe('a shared cache', () => {
  it('is not connected to by a build that has everything, and by none that is offline', async () => {
    const { proxy, sharedCache } = await lineTo(await startRedis());
    const first = await machine({ sharedCache });
    const made = await first.build();
    const { connections } = proxy;
    const warm = await machine({ sharedCache }, { root: first.root });
    expect(await warm.build()).toEqual(made);
    const offline = await machine({ sharedCache, mode: 'offline' }, { lockOf: first });
    await expect(offline.build()).rejects.toThrow('OFFLINE_MISSING');
    expect(proxy.connections).toBe(connections);
  });

  it('is only read by pull requests', async () => {
    const { proxy, sharedCache } = await lineTo(await startRedis());
    const first = await machine({ sharedCache: `${sharedCache}?readonly` });
    await first.build();
    expect(proxy.commands).not.toContain('set');
    const second = await machine(
      { sharedCache },
      { lockOf: first, env: { ICON_CATALOG_SHARED_CACHE_READONLY: '1' } },
    );
    await second.build();
    expect(proxy.commands).not.toContain('set');
    expect([...first.lines, ...second.lines]).toEqual([]);
  });

  it('that is poisoned changes no build, and is healed by the next', async () => {
    const storage = createStorage();
    const first = await machine({ sharedCache: storage });
    const made = await first.build();
    const poison = `base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`;
    for (const key of await storage.getKeys()) await storage.setItem(key, poison);

    catalog.reset();
    const second = await machine({ sharedCache: storage }, { lockOf: first });
    expect(await second.build()).toEqual(made);
    expect(catalog.calls).toHaveLength(SPECIFIERS.length);
    expect(second.lines).toEqual([
      'warn The shared cache holds other bytes than its keys say. They are left aside, and the icons come from the catalog; see who may write to the cache.',
    ]);

    catalog.reset();
    const third = await machine({ sharedCache: storage }, { lockOf: first });
    expect(await third.build()).toEqual(made);
    expect(catalog.calls).toEqual([]);
    expect(third.lines).toEqual([]);
  });

  it('that goes away in the middle of a build costs one warning', async () => {
    const { proxy, sharedCache } = await lineTo(await startRedis());
    const first = await machine({ sharedCache });
    const made = await first.build();
    catalog.reset();
    const second = await machine({ sharedCache }, { lockOf: first });
    let seen = 0;
    proxy.onData = () => {
      seen += 1;
      if (seen === 1) proxy.mode = 'gone';
    };
    expect(await second.build()).toEqual(made);
    expect(catalog.calls).toHaveLength(SPECIFIERS.length);
    expect(second.lines).toHaveLength(1);
    expect(second.lines[0]).toContain('is left out for the rest of this run');
  });

  it('fills a fleet from a bucket, and from a folder named in the environment', async () => {
    const server = await startS3Server();
    onTestFinished(() => server.close());
    const folder = await temporaryFolder();
    for (const env of [
      { ...S3_KEYS, ICON_CATALOG_SHARED_CACHE: `s3://icons/shop?endpoint=${server.url}` },
      { ICON_CATALOG_SHARED_CACHE: folder },
    ]) {
      catalog.reset();
      const first = await machine({}, { env });
      const made = await first.build();
      expect(catalog.calls).toHaveLength(CALLS);
      catalog.reset();
      const second = await machine({}, { env, lockOf: first });
      expect(await second.build()).toEqual(made);
      expect(catalog.calls).toEqual([]);
      expect([...first.lines, ...second.lines]).toEqual([]);
    }
  });

  it('has a bundle for each root of each package', async () => {
    const shared = await temporaryFolder();
    for (const [name, site] of [
      ['shop', 'src'],
      ['blog', 'src'],
      ['shop', 'admin'],
    ] as const) {
      const folder = await temporaryFolder();
      const root = join(folder, site);
      await writeFiles(folder, { 'package.json': JSON.stringify({ name }), [`${site}/a.js`]: '' });
      const { build } = await machine({}, { env: { ICON_CATALOG_SHARED_CACHE: shared }, root });
      await build();
    }
    const bundles = [...(await readTree(shared)).keys()].filter((path) => path.includes('bundle'));
    expect(bundles).toHaveLength(3);
  });

  it('is in no file that is written', async () => {
    const secret = 'hunter2';
    const server = await redis.start({ requirepass: secret });
    onTestFinished(() => server.close());
    const sharedCache = `redis://:${secret}@127.0.0.1:${server.port}`;
    const first = await machine({ sharedCache });
    await first.build();
    expect(first.lines).toEqual([]);
    for (const [path, bytes] of await readTree(first.root)) {
      expect({
        path,
        reported: bytes.includes(secret) || bytes.includes(`:${server.port}`),
      }).toEqual({
        path,
        reported: false,
      });
    }
    expect(await readFile(join(first.root, 'icons.lock'), 'utf8')).not.toContain('redis');
  });
});
