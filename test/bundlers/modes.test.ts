import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIcons } from '../../src/icons.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { ALIASES, BUNDLERS, createProject, type Project } from './project.ts';

let catalog: CountingCatalog;
let project: Project;
let lock: string;
/** The same with an icon that no file imports. */
let lockWithMoon: string;
const lockfile = (): string => join(project.root, 'icons.lock');

/** The project with its lock and a cache that has everything; `bell` is imported by two files. */
beforeAll(async () => {
  [catalog, project] = await Promise.all([startCountingCatalog(), createProject()]);
  const more = "\nexport { default as bell } from 'icon:bell';\n";
  await appendFile(join(project.root, 'src/lazy.js'), more);
  const { exitCode, said } = await project.build('esbuild', { cache: 'one', catalog });
  expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
  lock = await readFile(lockfile(), 'utf8');
  const { url: baseUrl, key, secret } = catalog;
  const icons = createIcons(
    { catalog: { baseUrl, key, secret }, cacheDir: join(project.root, '.icons/moon') },
    { root: project.root, env: {}, log: recordingLog() },
  );
  await icons.load(`icon:${ALIASES['moon']}`);
  await icons.close();
  lockWithMoon = await readFile(lockfile(), 'utf8');
});
afterAll(async () => {
  await project.remove();
  await catalog.close();
});

const withoutLines = (...names: string[]): string =>
  lock
    .split('\n')
    .filter((line) => !names.some((name) => line.startsWith(`"${ALIASES[name]}:`)))
    .join('\n');

describe.each(BUNDLERS)('%s', (bundler) => {
  it('fetches what the lock names without waiting for imports, and builds offline the same, to the byte', async () => {
    await writeFile(lockfile(), lockWithMoon);
    catalog.reset();
    // No icon arrives before the one is asked for that nothing imports: who asks for imports alone waits for ever.
    const moon = new Promise<void>((resolve) => {
      catalog.hold = (path) => {
        if (path.startsWith(`/v2/icon/${ALIASES['moon']}/download`)) resolve();
        return moon;
      };
    });
    const all = { concurrency: 64 };
    const online = await project.build(bundler, { cache: bundler, catalog, options: all });
    expect({ exitCode: online.exitCode, said: online.said }).toMatchObject({ exitCode: 0 });
    const files = lockWithMoon.match(/^"\d+:(?:svg|png)/gm) ?? [];
    const downloads = files.map(
      (line) => `GET /v2/icon/${Number.parseInt(line.slice(1), 10)}/download`,
    );
    expect(online.calls.toSorted()).toEqual(downloads.toSorted());
    catalog.reset();
    // Nothing is configured, and the lock is not what the cache was filled by: another project has it.
    const options = { mode: 'offline' } as const;
    const offline = await project.build(bundler, { cache: bundler, options });
    expect({ exitCode: offline.exitCode, said: offline.said }).toMatchObject({ exitCode: 0 });
    expect(offline.output).toEqual(online.output);
    expect([...online.output.keys()]).toContain('icon-attribution.json');
    expect(catalog.calls).toEqual([]);
    expect(await readFile(lockfile(), 'utf8')).toBe(lockWithMoon);
  });

  it('names all icons that the lock lacks at once, with every importer and what fixes it', async () => {
    const missing = withoutLines('bell', 'castle', 'bus', 'camera');
    await writeFile(lockfile(), missing);
    catalog.reset();
    const options = { mode: 'locked' } as const;
    const built = await project.build(bundler, { cache: 'one', catalog, options });
    const { exitCode, output } = built;
    // Rolldown takes what stands between backticks for a colour.
    const said = built.said.replaceAll('`', '');
    expect(exitCode).toBeGreaterThan(0);
    expect([...output.keys()]).toEqual([]);
    const files = String.raw`[^ ]*src.lazy\.js:\d+:\d+, [^ ]*src.main\.js:\d+:\d+`;
    expect(said).toMatch(/LOCK_MISSING/);
    expect(said).toMatch(/4 icons are not in icons\.lock, and in the mode locked none is added/);
    expect(said).toMatch(new RegExp(`icon:bell, imported by ${files}`));
    expect(said).toMatch(/icon:bus\?as=url, imported by [^ ]*src.main\.js:\d+:\d+/);
    expect(said).toMatch(/icon:camera\?as=meta, imported by [^ ]*src.main\.js:\d+:\d+/);
    expect(said).toMatch(/icon:castle\?color=607d8b, imported by [^ ]*src.barrel\.js:\d+:\d+/);
    expect(said).toContain('npx icon-catalog sync');
    expect(catalog.calls).toEqual([]);
    expect(await readFile(lockfile(), 'utf8')).toBe(missing);
  });

  it('says once that the lock is broken, whatever the number of icons', async () => {
    await writeFile(lockfile(), '{ "broken\n');
    const { exitCode, said, output } = await project.build(bundler, { cache: 'one', catalog });
    expect(exitCode).toBeGreaterThan(0);
    expect([...output.keys()]).toEqual([]);
    expect(said).toContain('[LOCK_INVALID]');
    expect(said).toContain('Restore it from version control');
    // What a bundler says of an error for each import.
    expect(said).not.toMatch(/imported by|Module build failed|with (?:[2-9]|\d\d+) errors/);
  });
});

it.each(['rollup', 'rolldown', 'vite', 'esbuild', 'webpack'] as const)(
  '%s says once that the options are wrong for all icons',
  async (bundler) => {
    const options = { licenses: { allow: ['mit'] } };
    const built = await project.build(bundler, { cache: 'one', catalog, options });
    expect(built.exitCode).toBeGreaterThan(0);
    // esbuild and webpack print the error, and throw it.
    const times = bundler === 'esbuild' || bundler === 'webpack' ? 2 : 1;
    expect(built.said.match(/OPTIONS_INVALID/g)).toHaveLength(times);
    expect(built.said).not.toMatch(/Additionally|unhandled|watchFiles/i);
  },
);

// These ask for finished modules at once, before they ask for the icon.
it.each(['rollup', 'rolldown'] as const)(
  '%s says once that an entry of the lock is broken, although every icon is in the cache',
  async (bundler) => {
    await writeFile(lockfile(), lock.replace(/"size":\d+/g, '"size":"x"'));
    const { exitCode, said } = await project.build(bundler, { cache: 'one', catalog });
    expect(exitCode).toBeGreaterThan(0);
    expect(said.match(/\[LOCK_INVALID\]/g)).toHaveLength(1);
    expect(said).not.toMatch(/^ +at .*unplugin-icon-catalog.dist/m);
  },
);

it.each(['vite', 'esbuild', 'webpack'] as const)(
  '%s says once that no catalog is configured, and names every icon',
  async (bundler) => {
    await writeFile(lockfile(), withoutLines(...Object.keys(ALIASES)));
    const { exitCode, said } = await project.build(bundler, { cache: `none-${bundler}` });
    expect(exitCode).toBeGreaterThan(0);
    expect(said).toContain('[CATALOG_NOT_CONFIGURED]');
    expect(said).not.toMatch(/Cannot load|Module build failed|with (?:[2-9]|\d\d+) errors/);
    for (const name of ['bell', 'castle', 'bus', 'camera']) expect(said).toContain(`icon:${name}`);
  },
);

describe('an offline build', () => {
  it('names what the lock lacks and what the machine lacks in one message', async () => {
    await writeFile(lockfile(), withoutLines('bell', 'bus'));
    const options = { mode: 'offline' } as const;
    const { said } = await project.build('vite', { cache: 'empty', options });
    expect(said.match(/\[\w+_MISSING\]/g)).toEqual(['[LOCK_MISSING]']);
    expect(said).toContain('2 icons are not in icons.lock');
    expect(said).toMatch(
      /\d\d icons are in icons\.lock, but no place on this machine has the bytes/,
    );
    expect(said).toMatch(
      /icon:fuel\?filetype=png&color=00ff00&size=64, imported by src\/main\.js:\d+:\d+/,
    );
  });
});

it.each(BUNDLERS.filter((bundler) => bundler !== 'rollup'))(
  '%s warns once of an address that nothing replaces',
  async (bundler) => {
    await writeFile(lockfile(), lock);
    const main = join(project.root, 'src/main.js');
    const before = await readFile(main, 'utf8');
    await appendFile(main, "globalThis.picture = { src: 'icon:bell?size=20' };\n");
    try {
      const { exitCode, said } = await project.build(bundler, { cache: 'one' });
      expect(exitCode).toBe(0);
      expect(
        said.match(/icon:bell\?size=20\W* in \S+ is an address that no browser/g),
      ).toHaveLength(1);
    } finally {
      await writeFile(main, before);
    }
  },
);
