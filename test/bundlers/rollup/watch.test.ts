import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'vitest';
import { embeddedIconId } from '../../../src/server.ts';
import { unchecked } from '../../support/unchecked.ts';
import type { TestEnd } from '../../support/temporary-folder.ts';
import { readTree, writeProject } from '../../support/write-project.ts';

const STAR = embeddedIconId('tabler', 'star');
const HEART = embeddedIconId('tabler', 'heart');

const urlOf = (path: string): string =>
  JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);

/** Writes what made a build fail into a file. */
const TELL = `
  import { writeFileSync } from 'node:fs';
  const tell = (watcher) => watcher.on('event', ({ code, error }) => {
    if (code === 'ERROR') writeFileSync('failed.txt', error.message);
  });
  const css = {
    name: 'css',
    transform: (code, id) =>
      id.endsWith('.css') ? { code: 'export default ' + JSON.stringify(code), moduleType: 'js' } : null,
  };`;

/** Scripts that watch: the project of these bundlers is the folder in which they run. */
const WATCHERS: Record<string, (options: string) => string> = {
  rollup: (options) => `
    import { watch } from ${urlOf('node_modules/rollup/dist/es/rollup.js')};
    import plugin from ${urlOf('dist/rollup.js')};
    ${TELL}
    tell(watch({ input: 'main.js', output: { dir: 'dist' }, plugins: [plugin(${options}), css] }));`,
  rolldown: (options) => `
    import { watch } from ${urlOf('node_modules/rolldown/dist/index.mjs')};
    import plugin from ${urlOf('dist/rolldown.js')};
    ${TELL}
    tell(watch({ input: 'main.js', output: { dir: 'dist' }, plugins: [plugin(${options}), css] }));`,
  'vite build --watch': (options) => `
    import { build } from ${urlOf('node_modules/vite/dist/node/index.js')};
    import plugin from ${urlOf('dist/vite.js')};
    const input = process.cwd() + '/main.js';
    ${TELL}
    const watcher = await build({ configFile: false, logLevel: 'silent', plugins: [plugin(${options})],
      build: { watch: {}, minify: false, rollupOptions: { input } } });
    tell(watcher);`,
};

/** Runs until the test is over. */
function start(
  name: string,
  { root, options, atEnd }: { root: string; options: string; atEnd: TestEnd },
): void {
  const script = WATCHERS[name]?.(options) ?? '';
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  atEnd(async () => {
    child.kill();
    await ended;
  });
}

async function output(root: string): Promise<string> {
  const files = await readTree(join(root, 'dist')).catch(() => new Map<string, Buffer>());
  return [...files]
    .map(([file, bytes]) => (/\.(?:js|css)$/.test(file) ? String(bytes) : ''))
    .join('');
}

it.concurrent.for(Object.keys(WATCHERS))(
  '%s builds again when the lock says something else',
  async (name, { expect, onTestFinished }) => {
    const root = await writeProject(
      {
        'main.js': `import icon, { credit } from 'icon:${STAR}'; import symbol from 'icon:${HEART}?sprite'; globalThis.shown = [icon, credit, symbol];`,
      },
      onTestFinished,
    );
    const options = JSON.stringify({
      catalog: { embedded: { root: process.cwd() } },
      cacheDir: '.cache',
      mode: 'online',
      logLevel: 'error',
    });
    start(name, { root, options, atEnd: onTestFinished });
    await expect.poll(() => output(root)).toContain('Star');
    const lock = join(root, 'icons.lock');
    await expect.poll(() => readFile(lock, 'utf8').catch(() => '')).toContain('"term":"Star"');
    const text = unchecked(await readFile(lock, 'utf8'));
    const changed = text.replace('"term":"Star"', '"term":"Stella"');
    // A watcher may not be ready right after its first build, so the file is written until it notices.
    const changedAgain = async (): Promise<string> => {
      await writeFile(lock, changed);
      return output(root);
    };
    await expect.poll(changedAgain, { interval: 1000 }).toContain('Stella');
    expect(await readFile(lock, 'utf8')).toBe(changed);
    // Each change of the lock starts a build, which may be emptying the folder at this moment.
    const written = async (): Promise<string> =>
      [
        ...(await readTree(join(root, 'dist')).catch(() => new Map<string, Buffer>())).keys(),
      ].join();
    await expect.poll(written).toMatch(/sprite-[\w-]+\.svg/);
  },
);

it.concurrent.for(Object.keys(WATCHERS))(
  '%s builds again with other options once the file of the project changes them',
  async (name, { expect, onTestFinished }) => {
    const common = {
      catalog: { embedded: { root: process.cwd() } },
      cacheDir: '.cache',
      mode: 'online',
      logLevel: 'silent',
    };
    const style = name.startsWith('vite')
      ? `import './style.css'`
      : `import css from './style.css'; globalThis.css = css`;
    const config = (options: object): string =>
      `export default ${JSON.stringify({ ...common, ...options })};`;
    const root = await writeProject(
      {
        'main.js': `import icon, { credit } from 'icon:shown'; import './other.js'; ${style}; globalThis.shown = [icon, credit];`,
        'style.css': 'b { background: url("icon:shown") }',
        'other.js': `import icon from 'icon:${STAR}?size=9'; globalThis.other = icon;`,
        'icon-catalog.config.mjs': config({ aliases: { shown: STAR } }),
      },
      onTestFinished,
    );
    start(name, { root, options: '', atEnd: onTestFinished });
    await expect.poll(() => output(root)).toContain('Star');
    // A watcher may not be ready right after its first build, so the file is written until it notices.
    const after = async (text: string): Promise<string> => {
      await writeFile(join(root, 'icon-catalog.config.mjs'), text);
      return output(root);
    };
    const moved = config({ aliases: { shown: HEART } });
    await expect.poll(() => after(moved), { interval: 1000 }).toContain('Heart');
    expect(await output(root)).not.toContain('Star');
    const failed = async (): Promise<string> => {
      await after('export default {');
      return readFile(join(root, 'failed.txt'), 'utf8').catch(() => '');
    };
    await expect.poll(failed, { interval: 1000 }).toContain('OPTIONS_INVALID');
    await expect.poll(() => output(root)).toContain('Heart');
    const painted = config({ aliases: { shown: STAR }, defaults: { color: '123456' } });
    await expect.poll(() => after(painted), { interval: 1000 }).toContain('#123456');
    await expect.poll(() => output(root)).toContain('Star');
    // In the style sheet as well, which has not changed.
    await expect.poll(() => output(root)).toContain('%23123456');
  },
);
