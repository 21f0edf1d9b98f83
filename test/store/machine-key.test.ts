import { fork } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { cacheKeySource, createSign, readCacheKey } from '../../src/store/packs.ts';
import { buildProcess, createFolder, exitOf } from './support.ts';

const silent = (): void => undefined;

describe('the key of this machine', () => {
  it('lies in a file of the owner alone, outside of the cache folder', async () => {
    await using folder = await createFolder();
    const { file = '' } = cacheKeySource({ XDG_CONFIG_HOME: folder.path });
    expect(file).toBe(folder.join('unplugin-icon-catalog', 'cache.key'));
    const key = await readCacheKey({ secret: undefined, file }, silent);
    expect(key).toHaveLength(32);
    expect(await readFile(file, 'latin1')).toBe(`${Buffer.from(key).toString('hex')}\n`);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.join('unplugin-icon-catalog'))).toEqual(['cache.key']);
  });

  it('is one key if many processes create it at once, whatever lay in its place', async () => {
    await using folder = await createFolder();
    const script = folder.join('reader.cjs');
    await buildProcess(
      script,
      `import { readCacheKey } from './packs.ts';
       readCacheKey({ secret: undefined, file: process.argv[2] }, () => process.exit(3))
         .then((key) => { process.send(Buffer.from(key).toString('hex')); process.disconnect(); });`,
    );
    const file = folder.join('config', 'cache.key');
    const children = Array.from({ length: 6 }, () => fork(script, [file]));
    const keys = new Set<unknown>();
    for (const child of children) child.on('message', (key) => keys.add(key));
    expect(await Promise.all(children.map(exitOf))).toEqual([0, 0, 0, 0, 0, 0]);
    expect([...keys]).toEqual([(await readFile(file, 'latin1')).trim()]);

    const damaged = folder.join('damaged.key');
    await writeFile(damaged, 'no key');
    const key = await readCacheKey({ secret: undefined, file: damaged }, silent);
    expect(await readFile(damaged, 'latin1')).toBe(`${Buffer.from(key).toString('hex')}\n`);
  });

  it('is that of ICON_CATALOG_CACHE_KEY, and no file is written', async () => {
    await using folder = await createFolder();
    const env = { XDG_CONFIG_HOME: folder.path, ICON_CATALOG_CACHE_KEY: 'a'.repeat(32) };
    const key = await readCacheKey(cacheKeySource(env), silent);
    expect(
      await readCacheKey(cacheKeySource({ ...env, XDG_CONFIG_HOME: '/other' }), silent),
    ).toEqual(key);
    const other = { ...env, ICON_CATALOG_CACHE_KEY: 'b'.repeat(32) };
    expect(await readCacheKey(cacheKeySource(other), silent)).not.toEqual(key);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('must not be one that can be guessed, and the message does not show it', () => {
    const guess = (): unknown => cacheKeySource({ ICON_CATALOG_CACHE_KEY: 'hunter2' });
    expect(guess).toThrow(/OPTIONS_INVALID.*ICON_CATALOG_CACHE_KEY has 7 characters/s);
    expect(guess).not.toThrow('hunter2');
  });

  it('is one of this process if no file can be had, with one warning', async () => {
    await using folder = await createFolder();
    await writeFile(folder.join('file'), '');
    await mkdir(folder.join('folder'));
    for (const file of [folder.join('file', 'cache.key'), folder.join('folder'), undefined]) {
      const warnings: string[] = [];
      const read = (): Promise<Uint8Array> =>
        readCacheKey({ secret: undefined, file }, (message) => void warnings.push(message));
      const key = await read();
      expect(key).toHaveLength(32);
      expect(await read()).toEqual(key);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/neither read nor created.*Set ICON_CATALOG_CACHE_KEY/);
    }
  });

  it('signs differently for each purpose and each content', () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const signatures = [
      createSign(key, 'a')('text'),
      createSign(key, 'b')('text'),
      createSign(other, 'a')('text'),
      createSign(key, 'a')('texts'),
    ];
    expect(new Set(signatures).size).toBe(4);
    expect(createSign(key, 'a')('te', Buffer.from('xt'))).toBe(signatures[0]);
  });
});
