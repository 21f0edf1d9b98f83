import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readTree, writeFiles } from '../support/write-project.ts';

const SPECIFIERS = iconIds('maki', 6).map((id) => `icon:${id}?color=0a0`);

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

async function build(
  cacheDir: string,
  root = `${cacheDir}-project`,
): Promise<{ codes: string[]; log: string[] }> {
  const { url: baseUrl, key, secret } = catalog;
  const log = recordingLog();
  const icons = createIcons(
    { catalog: { baseUrl, key, secret }, cacheDir },
    { root, env: {}, log },
  );
  const modules = await Promise.all(SPECIFIERS.map((specifier) => icons.load(specifier)));
  await icons.close();
  return { codes: modules.map(({ code }) => code), log: log.lines };
}

describe('a cache that is damaged', () => {
  it('is noticed and replaced, wherever a byte is flipped, and never shipped', async () => {
    const cacheDir = await temporaryFolder();
    const { codes: right } = await build(cacheDir);
    const whole = await readTree(cacheDir);
    let places = 0;
    for (const [path, bytes] of whole) {
      // Records and bytes of all icons are lines of one file: each of them is hit.
      const parts = path.startsWith('content/') ? 2 * SPECIFIERS.length : 1;
      for (let part = 0; part < parts; part += 1) {
        const damaged = Buffer.from(bytes);
        const at = Math.floor((bytes.length * (part + 0.5)) / parts);
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        await writeFile(join(cacheDir, path), damaged);
        const { codes } = await build(cacheDir);
        expect(codes, `${path} byte ${at}`).toEqual(right);
        for (const [name, original] of whole) await writeFile(join(cacheDir, name), original);
        places += 1;
      }
    }
    expect(places).toBeGreaterThan(12);
  });

  it('heals: the build after next asks for nothing', async () => {
    const cacheDir = await temporaryFolder();
    await build(cacheDir);
    for (const [path, bytes] of await readTree(cacheDir)) {
      if (path.startsWith('projects/')) continue;
      await writeFile(join(cacheDir, path), bytes.subarray(0, bytes.length >> 1));
    }
    catalog.reset();
    await build(cacheDir);
    expect(catalog.calls).not.toEqual([]);
    catalog.reset();
    await build(cacheDir);
    expect(catalog.calls).toEqual([]);
  });

  it('serves the bytes to another project without a call', async () => {
    const cacheDir = await temporaryFolder();
    const { codes } = await build(cacheDir, '/one');
    catalog.reset();
    expect((await build(cacheDir, '/two')).codes).toEqual(codes);
    expect(catalog.calls).toEqual([]);
  });
});

it('a cache serves options that draw otherwise, and neither takes the drawings of the other', async () => {
  const { url: baseUrl, key, secret } = catalog;
  const cacheDir = await temporaryFolder();
  const load = async (cache: string, optimize: boolean): Promise<string[]> => {
    const icons = createIcons(
      { catalog: { baseUrl, key, secret }, cacheDir: cache, svg: { optimize } },
      { root: `${cacheDir}-project`, env: {}, log: recordingLog() },
    );
    const modules = await Promise.all(SPECIFIERS.map((specifier) => icons.load(specifier)));
    await icons.close();
    return modules.map(({ svg = '' }) => svg);
  };
  const optimised = await load(cacheDir, true);
  catalog.reset();
  const plain = await load(cacheDir, false);
  expect(catalog.calls).toEqual([]);
  expect(plain).not.toEqual(optimised);
  expect(plain).toEqual(await load(await temporaryFolder(), false));
  expect(await load(cacheDir, true)).toEqual(optimised);
});

describe('a cache that cannot be written', () => {
  it('is a warning and not a failure', async () => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { cache: 'a file where the folder should be' });
    const { codes, log } = await build(join(folder, 'cache'));
    expect(codes).toHaveLength(SPECIFIERS.length);
    expect(log.filter((line) => line.startsWith('warn '))).not.toEqual([]);
    expect(log.filter((line) => line.startsWith('error '))).toEqual([]);
    expect(await readFile(join(folder, 'cache'), 'utf8')).toBe('a file where the folder should be');
  });
});
