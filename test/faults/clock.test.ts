import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { recordingLog } from '../support/recording-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY = 86_400_000;
const CONCURRENCY = 8;
const SPECIFIERS = iconIds('maki', 12).map((id) => `icon:${id}?color=0a0`);
const CALLS = 2 * SPECIFIERS.length;

async function startCatalog(options: { now?: () => number } = {}): Promise<CountingCatalog> {
  const catalog = await startCountingCatalog({ sets: ['maki'], ...options });
  onTestFinished(() => catalog.close());
  return catalog;
}

async function build(
  { url: baseUrl, key, secret }: CountingCatalog,
  { root, cacheDir }: { root: string; cacheDir: string },
): Promise<{ codes: string[]; log: string[] }> {
  const log = recordingLog();
  const icons = createIcons(
    {
      catalog: { baseUrl, key, secret },
      vendor: true,
      mode: 'online',
      concurrency: CONCURRENCY,
      cacheDir,
    },
    { root, env: {}, log },
  );
  const modules = await Promise.all(SPECIFIERS.map((specifier) => icons.load(specifier)));
  await icons.close();
  return { codes: modules.map(({ code }) => code), log: log.lines };
}

async function folders(): Promise<{ root: string; cacheDir: string }> {
  return { root: await temporaryFolder(), cacheDir: await temporaryFolder() };
}

describe('a clock that is one day off', () => {
  it.each([
    ['behind', DAY],
    ['ahead of', -DAY],
  ])(
    '%s the catalog costs one more call for each that is on its way, and no more, and is reported once',
    async (side, off) => {
      const right = await build(await startCatalog(), await folders());
      const catalog = await startCatalog({ now: () => Date.now() + off });
      const built = await build(catalog, await folders());
      expect(built.log).toEqual([
        expect.stringContaining(
          `warn The clock of this machine is 24 hours ${side} the catalog's.`,
        ),
      ]);
      expect(built.codes.length).toBe(right.codes.length);
      expect(catalog.calls.length).toBeGreaterThan(CALLS);
      expect(catalog.calls.length).toBeLessThanOrEqual(CALLS + CONCURRENCY);
    },
  );
});

describe('files of another day', () => {
  it.each([
    ['tomorrow', DAY],
    ['yesterday', -DAY],
  ])('are files: all of them from %s, locks of writers that are gone too', async (_, off) => {
    const catalog = await startCatalog();
    const at = await folders();
    const first = await build(catalog, at);
    // A machine that no longer exists was writing: whether its process still runs is unknown.
    const gone = JSON.stringify({ host: 'gone.example', pid: 1, token: 'x' });
    for (const name of ['icons.lock.lock', 'icons.vendor.ndjson.lock'])
      await writeFile(join(at.root, name), gone);
    for (const folder of [at.root, at.cacheDir]) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const when = new Date(Date.now() + off);
        await utimes(join(entry.parentPath, entry.name), when, when);
      }
    }
    catalog.reset();
    expect(await build(catalog, at)).toEqual(first);
    expect(catalog.calls).toEqual([]);

    // What has to be written is written without waiting for the locks' owners.
    const log = recordingLog();
    const [, two = 0] = iconIds('maki', 14).slice(-2);
    const { url: baseUrl, key, secret } = catalog;
    const icons = createIcons(
      { catalog: { baseUrl, key, secret }, vendor: true, mode: 'online', cacheDir: at.cacheDir },
      { root: at.root, env: {}, log },
    );
    await icons.load(`icon:${two}`);
    await icons.close();
    expect(log.lines.join('\n')).not.toContain('is held by');
    const names = (await readdir(at.root)).filter((name) => name.startsWith('icons.'));
    expect(names.toSorted()).toEqual(['icons.lock', 'icons.vendor.ndjson']);
  });
});
