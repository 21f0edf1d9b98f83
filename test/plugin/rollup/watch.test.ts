import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { embeddedIconId } from '../../../src/server.ts';
import { unchecked } from '../../support/unchecked.ts';
import { readTree, writeProject } from '../../support/write-project.ts';

const STAR = embeddedIconId('tabler', 'star');

const urlOf = (path: string): string =>
  JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);

/** Scripts that watch: the project of these bundlers is the folder in which they run. */
const WATCHERS: Record<string, (options: string) => string> = {
  rollup: (options) => `
    import { watch } from ${urlOf('node_modules/rollup/dist/es/rollup.js')};
    import plugin from ${urlOf('dist/rollup.js')};
    watch({ input: 'main.js', output: { dir: 'dist' }, plugins: [plugin(${options})] });`,
  rolldown: (options) => `
    import { watch } from ${urlOf('node_modules/rolldown/dist/index.mjs')};
    import plugin from ${urlOf('dist/rolldown.js')};
    watch({ input: 'main.js', output: { dir: 'dist' }, plugins: [plugin(${options})] });`,
  'vite build --watch': (options) => `
    import { build } from ${urlOf('node_modules/vite/dist/node/index.js')};
    import plugin from ${urlOf('dist/vite.js')};
    const input = process.cwd() + '/main.js';
    await build({ configFile: false, logLevel: 'silent', plugins: [plugin(${options})],
      build: { watch: {}, minify: false, rollupOptions: { input } } });`,
};

it.each(Object.keys(WATCHERS))(
  '%s builds again when the lock says something else',
  async (name) => {
    const root = await writeProject({
      'main.js': `import icon, { credit } from 'icon:${STAR}'; globalThis.shown = [icon, credit];`,
    });
    const options = JSON.stringify({
      catalog: { embedded: { root: process.cwd() } },
      cacheDir: '.cache',
      mode: 'online',
      logLevel: 'error',
    });
    const script = WATCHERS[name]?.(options) ?? '';
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    const output = async (): Promise<string> => {
      const files = await readTree(join(root, 'dist')).catch(() => new Map<string, Buffer>());
      return [...files]
        .map(([file, bytes]) => (file.endsWith('.js') ? String(bytes) : ''))
        .join('');
    };
    await expect.poll(output).toContain('Star');
    const lock = join(root, 'icons.lock');
    await expect.poll(() => readFile(lock, 'utf8').catch(() => '')).toContain('"term":"Star"');
    const text = unchecked(await readFile(lock, 'utf8'));
    const changed = text.replace('"term":"Star"', '"term":"Stella"');
    // A watcher does not stand yet right behind its first build: who changes the file then changes it again.
    const changedAgain = async (): Promise<string> => {
      await writeFile(lock, changed);
      return output();
    };
    await expect.poll(changedAgain, { interval: 1000 }).toContain('Stella');
    expect(await readFile(lock, 'utf8')).toBe(changed);
  },
);
