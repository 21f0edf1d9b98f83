import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { watch as watchRolldown } from 'rolldown';
import { watch as watchRollup } from 'rollup';
import { build as viteBuild } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import rolldownPlugin from '../../../src/rolldown.ts';
import rollupPlugin from '../../../src/rollup.ts';
import { embeddedIconId } from '../../../src/server.ts';
import vitePlugin from '../../../src/vite.ts';
import { unchecked } from '../../support/unchecked.ts';
import { readTree, writeProject } from '../../support/write-project.ts';

const STAR = embeddedIconId('tabler', 'star');
const FILES = {
  'main.js': `import icon, { credit } from 'icon:${STAR}'; globalThis.shown = [icon, credit];`,
};

/** What the watchers of all three have in common. */
interface Watcher {
  on(
    event: 'event',
    listener: (event: { code: string; result?: unknown; error?: unknown }) => unknown,
  ): unknown;
  close(): Promise<void>;
}

const optionsOf = (root: string) => ({
  catalog: { embedded: { root: process.cwd() } },
  cacheDir: join(root, '.cache'),
  mode: 'online' as const,
  lockfile: join(root, 'icons.lock'),
  logLevel: 'silent' as const,
});

const BUNDLERS: [string, (root: string) => Promise<Watcher>][] = [
  [
    'rollup',
    async (root) =>
      watchRollup({
        input: join(root, 'main.js'),
        plugins: [rollupPlugin(optionsOf(root))],
        output: { dir: join(root, 'dist') },
      }),
  ],
  [
    'rolldown',
    async (root) =>
      watchRolldown({
        input: join(root, 'main.js'),
        cwd: root,
        plugins: [rolldownPlugin(optionsOf(root))],
        output: { dir: join(root, 'dist') },
      }),
  ],
  [
    'vite',
    async (root) =>
      (await viteBuild({
        root,
        configFile: false,
        logLevel: 'silent',
        plugins: [vitePlugin(optionsOf(root))],
        build: { watch: {}, minify: false, rollupOptions: { input: join(root, 'main.js') } },
      })) as Watcher,
  ],
];

describe.each(BUNDLERS)('%s in watch mode', (_, start) => {
  it('builds again when the lock says something else of an icon', async () => {
    const root = await writeProject(FILES);
    const watcher = await start(root);
    onTestFinished(() => watcher.close());
    const errors: unknown[] = [];
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') errors.push(event.error);
      if (event.code === 'BUNDLE_END') void (event.result as { close?(): unknown })?.close?.();
    });
    const output = async (): Promise<string> => {
      const files = [...(await readTree(join(root, 'dist')).catch(() => new Map()))];
      return files.flatMap(([name, bytes]) => (name.endsWith('.js') ? [String(bytes)] : [])).join();
    };
    await expect.poll(output).toContain('Star');
    const lock = join(root, 'icons.lock');
    await expect.poll(() => readFile(lock, 'utf8').catch(() => '')).toContain('"term":"Star"');
    const changed = unchecked(await readFile(lock, 'utf8')).replace(
      '"term":"Star"',
      '"term":"Stella"',
    );
    await writeFile(lock, changed);
    await expect.poll(output).toContain('Stella');
    expect(errors).toEqual([]);
    expect(await readFile(lock, 'utf8')).toBe(changed);
  });
});
