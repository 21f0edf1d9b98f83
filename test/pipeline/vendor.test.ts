import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { parseLockfile } from '../../src/store/parse-lockfile.ts';
import { createVendorFile } from '../../src/store/vendor-file.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProject } from '../support/write-project.ts';

const LOCK = 'icons.lock';
const VENDOR = 'icons.vendor.ndjson';
const [one = 0, two = 0, three = 0] = iconIds('maki', 3);
const SPECIFIERS = [
  `icon:${one}`,
  `icon:${two}?color=f00`,
  `icon:${three}?filetype=png&size=32&as=data`,
];

let catalog: CountingCatalog;
beforeAll(async () => {
  catalog = await startCountingCatalog();
});
afterAll(() => catalog.close());
beforeEach(() => catalog.reset());

interface Built {
  codes: string[];
  log: string[];
}

async function build(
  root: string,
  options: Options,
  { specifiers = SPECIFIERS, configured = true } = {},
): Promise<Built> {
  const { url: baseUrl, key, secret } = catalog;
  const log = recordingLog();
  const icons = createIcons(
    { ...(configured && { catalog: { baseUrl, key, secret } }), vendor: true, ...options },
    { root, env: {}, log },
  );
  const modules = await Promise.all(specifiers.map((specifier) => icons.load(specifier)));
  await icons.close();
  return { codes: modules.map(({ code }) => code), log: log.lines };
}

const textOf = (root: string, name = VENDOR): Promise<string> => readFile(join(root, name), 'utf8');

/** Digests that the lock names, the catalog's description included. */
async function locked(root: string): Promise<string[]> {
  const { entries, catalog } = parseLockfile(await readFile(join(root, LOCK)), LOCK);
  const digests = [...entries.values()].map(({ integrity }) => integrity ?? '');
  return [...digests, catalog ?? ''].filter((digest) => digest !== '').toSorted();
}

async function vendored(root: string): Promise<string[]> {
  const file = createVendorFile({ file: join(root, VENDOR), name: VENDOR });
  await file.open();
  expect(file.problems()).toEqual([]);
  return file.integrities();
}

describe('the vendor file of a project', () => {
  it('holds what the lock names, and is left alone by a build that changes nothing', async () => {
    const root = await writeProject({});
    const cacheDir = await temporaryFolder();
    await build(root, { cacheDir });
    expect(await vendored(root)).toEqual(await locked(root));
    expect(await vendored(root)).toHaveLength(4);
    const before = await stat(join(root, VENDOR));
    for (const mode of ['online', 'locked', 'offline'] as const)
      expect((await build(root, { cacheDir, mode })).log).toEqual([]);
    expect((await stat(join(root, VENDOR))).mtimeMs).toBe(before.mtimeMs);
  });

  it('alone is enough to build the same without catalog, cache and credentials', async () => {
    const root = await writeProject({});
    const online = await build(root, { cacheDir: await temporaryFolder() });
    catalog.reset();
    for (const mode of ['offline', 'locked'] as const) {
      const cacheDir = await temporaryFolder();
      const built = await build(root, { cacheDir, mode }, { configured: false });
      expect(built).toEqual({ codes: online.codes, log: [] });
    }
    expect(catalog.calls).toEqual([]);
  });

  it('is filled from the cache where it comes later, also for icons that the render pack has', async () => {
    const root = await writeProject({});
    const cacheDir = await temporaryFolder();
    await build(root, { cacheDir, vendor: false });
    await expect(textOf(root)).rejects.toThrow('ENOENT');
    catalog.reset();
    expect((await build(root, { cacheDir })).log).toEqual([]);
    expect(await vendored(root)).toEqual(await locked(root));
    expect(catalog.calls).toEqual([]);
  });

  it('is reported as incomplete where no place has the bytes', async () => {
    const root = await writeProject({});
    const cacheDir = await temporaryFolder();
    await build(root, { cacheDir });
    await rm(join(root, VENDOR));
    await rm(join(cacheDir, 'content'), { recursive: true });
    const { log } = await build(root, { cacheDir }, { specifiers: SPECIFIERS.slice(0, 2) });
    expect(log).toEqual([
      `warn ${VENDOR} lacks 3 files of ${LOCK} that no cache has. Run \`npx icon-catalog sync\` to fetch them.`,
    ]);
  });

  it('grows by what another branch pinned, and by nothing that no line of the lock is about', async () => {
    const root = await writeProject({});
    const cacheDir = await temporaryFolder();
    await build(root, { cacheDir }, { specifiers: SPECIFIERS.slice(0, 1) });
    const other = await writeProject({});
    await build(other, { cacheDir }, { specifiers: SPECIFIERS.slice(1) });
    await writeFile(join(root, VENDOR), (await textOf(root)) + (await textOf(other)));
    await build(root, { cacheDir }, { specifiers: SPECIFIERS.slice(1, 2) });
    // What exists already stays: `icon-catalog prune` removes.
    expect(await vendored(root)).toHaveLength(4);
    expect(await locked(root)).toHaveLength(3);
  });

  it('stops the build with file and line where it is damaged', async () => {
    const root = await writeProject({});
    await build(root, { cacheDir: await temporaryFolder() });
    const text = await textOf(root);
    const at = text.split('\n').findIndex((line) => line.includes('<svg')) + 1;
    await writeFile(join(root, VENDOR), text.replace('<svg', '<svG'));
    for (const mode of ['online', 'locked', 'offline'] as const) {
      const cacheDir = await temporaryFolder();
      await expect(build(root, { cacheDir, mode }), mode).rejects.toThrow(
        `Line ${at} of ${VENDOR} holds other bytes than its digest says.`,
      );
    }
    expect(await textOf(root)).toBe(text.replace('<svg', '<svG'));
  });

  it('stops it also where a cache has its icons, until it is whole again', async () => {
    const root = await writeProject({});
    const cacheDir = await temporaryFolder();
    await build(root, { cacheDir });
    await build(root, { cacheDir, mode: 'locked' });
    const text = await textOf(root);
    const damaged: [string, string][] = [
      [text.replace('<svg', '<svG'), 'holds other bytes than its digest says'],
      [text.slice(0, -20), 'is no line of a vendor file'],
    ];
    for (const [changed, expected] of damaged)
      for (const mode of ['online', 'locked', 'offline'] as const) {
        await writeFile(join(root, VENDOR), changed);
        // A second build is no more content with it than the first.
        for (let at = 0; at < 2; at += 1)
          await expect(build(root, { cacheDir, mode }), mode).rejects.toThrow(expected);
        expect(await textOf(root)).toBe(changed);
      }
    await writeFile(join(root, VENDOR), text);
    catalog.reset();
    for (const mode of ['offline', 'locked', 'online'] as const)
      expect((await build(root, { cacheDir, mode })).log, mode).toEqual([]);
    expect([await textOf(root), catalog.calls]).toEqual([text, []]);
  });

  it('is called a redistribution where the repository looks public, when it is written', async () => {
    const root = await writeProject({ 'package.json': '{}' });
    const cacheDir = await temporaryFolder();
    const specifiers = [`icon:${iconIds('tabler', 1)[0]}`];
    const { log } = await build(root, { cacheDir }, { specifiers });
    expect(log).toHaveLength(1);
    expect(log[0]).toContain(`warn ${VENDOR} holds icons as the catalog sent them`);
    expect(log[0]).toContain('package.json does not say "private": true');
    expect(log[0]).toContain('MIT License: icon ');
    expect((await build(root, { cacheDir }, { specifiers })).log).toEqual([]);
  });

  it('may have another name in another folder', async () => {
    const root = await writeProject({ 'assets/readme.txt': '' });
    await build(root, { cacheDir: await temporaryFolder(), vendor: 'assets/kept.ndjson' });
    expect(await textOf(root, 'assets/kept.ndjson')).toContain('"svg":');
  });
});
