import { build as esbuild } from 'esbuild';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { build as viteBuild, createServer } from 'vite';
import webpack from 'webpack';
import esbuildPlugin from '../../src/esbuild.ts';
import type { Options } from '../../src/options/options.ts';
import { leaveIconsToServer } from '../../src/bundlers/vite/libraries.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import webpackPlugin from '../../src/webpack.ts';
import { launchBrowser } from '../support/browser.ts';
import { shownBy } from '../support/shown-by.ts';
import { writeFiles } from '../support/write-project.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const HOME = embeddedIconId('tabler', 'home');
const BUS = embeddedIconId('maki', 'bus');
const LION = embeddedIconId('game-icons', 'lion');

/** What somebody publishes: imports of icons are in it as they were written. */
const LIBRARY = {
  'package.json': JSON.stringify({
    name: 'nav-bar',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    dependencies: { 'nav-badge': '1.0.0' },
    peerDependencies: { 'unplugin-icon-catalog': '*' },
  }),
  'index.js': `import home, { credit } from 'icon:${HOME}?title=Home';
    import { badge } from 'nav-badge';
    export { label } from './label.js';
    export const bar = () => home + badge;
    export const creditLine = () => credit.credit.line;
    export const lazy = () => import('icon:${LION}?url').then((icon) => icon.default);`,
  'label.js': `export const label = 'Navigation';`,
};
const SECOND_LIBRARY = {
  'package.json': JSON.stringify({
    name: 'nav-badge',
    version: '1.0.0',
    type: 'module',
    exports: './index.js',
    peerDependencies: { 'unplugin-icon-catalog': '*' },
  }),
  'index.js': `import bus from 'icon:${BUS}?title=Bus'; export const badge = bus;`,
};

const APP = {
  'package.json': JSON.stringify({
    type: 'module',
    private: true,
    dependencies: { 'nav-bar': '1.0.0' },
  }),
  'index.html':
    '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.js"></script>',
  'main.js': `import { bar, label, lazy } from 'nav-bar';
    globalThis.shown = { bar: bar(), label };
    if (globalThis.document) {
      document.querySelector('#app').innerHTML = bar();
      lazy().then((url) => document.querySelector('#app').insertAdjacentHTML('beforeend', '<img alt="" src="' + url + '">'));
    }`,
  'server.js': `export { bar, label, creditLine } from 'nav-bar';`,
  'pages/server.js': `export { bar, label, creditLine } from 'nav-bar';`,
};

let root: string;
let browser: Browser;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-libraries-')));
  await writeFiles(root, APP);
  for (const files of [LIBRARY, SECOND_LIBRARY]) await install(files);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await removeFolder(root);
});

/** As from a registry: packed, then unpacked below the project. */
async function install(files: { 'package.json': string; 'index.js': string }): Promise<void> {
  const { name } = JSON.parse(files['package.json']) as { name: string };
  const source = join(root, '.libraries', name);
  await writeFiles(source, files);
  const { stdout } = await run('npm', ['pack', '--offline', '--json'], {
    cwd: source,
    shell: process.platform === 'win32',
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const target = join(root, 'node_modules', name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', join(source, filename), '--strip-components=1', '-C', target]);
}

const options = (): Options => ({
  catalog: { embedded: { root: REPOSITORY, sets: ['tabler', 'maki', 'game-icons'] } },
  cacheDir: join(root, '.icons'),
});
const BAR = /<title>Home<.*<title>Bus</;
const SHOWN = { bar: expect.stringMatching(BAR) as string, label: 'Navigation' };

async function credited(output: string): Promise<unknown> {
  const text = await readFile(join(root, output, 'icon-attribution.json'), 'utf8');
  const { icons } = JSON.parse(text) as { icons: { id: string }[] };
  return icons.map(({ id }) => id).toSorted();
}
const ALL = [HOME, BUS, LION].map(String).toSorted();

describe('a library that ships imports of icons', () => {
  it('works in the dev server of Vite, bundled in advance as every dependency', async () => {
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
      plugins: [vitePlugin(options())],
    });
    onTestFinished(() => server.close());
    await server.listen();
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const url = server.resolvedUrls?.local[0] ?? '';
    await page.goto(url);
    await page.locator('#app svg').nth(1).waitFor();
    expect(await page.locator('#app svg title').allTextContents()).toEqual(['Home', 'Bus']);
    const image = page.locator('#app img');
    expect(
      await image.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBeGreaterThan(0);
    expect(errors).toEqual([]);
    const deps = await fetch(`${url}node_modules/.vite/deps/nav-bar.js`);
    expect(await deps.text()).toContain(`"/@id/icon:${HOME}?`);
  });

  it.each([
    ['which leaves other dependencies to Node', '.'],
    ['whose root is a folder of the package', 'pages'],
  ])('works on the server of Vite, %s', async (_, folder) => {
    const server = await createServer({
      root: join(root, folder),
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, ws: false },
      appType: 'custom',
      plugins: [vitePlugin(options())],
    });
    onTestFinished(() => server.close());
    const { bar, creditLine } = (await server.ssrLoadModule('/server.js')) as {
      bar(): string;
      creditLine(): string;
    };
    expect(bar()).toMatch(BAR);
    expect(creditLine()).toContain('tabler/home');
  });

  it('works in builds of Vite, for pages and for servers', async () => {
    const common = { root, configFile: false, logLevel: 'silent' } as const;
    await viteBuild({
      ...common,
      plugins: [vitePlugin(options())],
      build: { outDir: 'dist-vite', minify: false },
    });
    expect(await credited('dist-vite')).toEqual(ALL);
    await viteBuild({
      ...common,
      plugins: [vitePlugin(options())],
      build: { outDir: 'dist-ssr', ssr: 'main.js' },
    });
    expect(await shownBy(join(root, 'dist-ssr/main.js'))).toEqual(SHOWN);
  });

  it('works in a build of webpack', async () => {
    const compiler = webpack({
      context: root,
      entry: './main.js',
      mode: 'production',
      target: 'node',
      output: { path: join(root, 'dist-webpack'), publicPath: '/' },
      infrastructureLogging: { level: 'none' },
      plugins: [webpackPlugin(options())],
    });
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
      compiler?.run((error, result) => (error ? reject(error) : resolve(result)));
    });
    await new Promise((resolve) => compiler?.close(resolve));
    expect(stats?.toString({ all: false, errors: true, warnings: true })).toBe('');
    expect(await shownBy(join(root, 'dist-webpack/main.js'))).toEqual(SHOWN);
    expect(await credited('dist-webpack')).toEqual(ALL);
  });

  it('works in a build of esbuild', async () => {
    await esbuild({
      absWorkingDir: root,
      entryPoints: ['main.js'],
      bundle: true,
      format: 'esm',
      outdir: 'dist-esbuild',
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
      plugins: [esbuildPlugin(options())],
    });
    expect(await shownBy(join(root, 'dist-esbuild/main.mjs'))).toEqual(SHOWN);
    expect(await credited('dist-esbuild')).toEqual(ALL);
  });

  it('stays as it was written when Vite 6 or 7 bundles it in advance with esbuild', async () => {
    const { outputFiles } = await esbuild({
      absWorkingDir: root,
      entryPoints: ['node_modules/nav-bar/index.js'],
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
      plugins: [leaveIconsToServer],
    });
    const text = outputFiles[0]?.text ?? '';
    for (const specifier of [
      `icon:${HOME}?title=Home`,
      `icon:${BUS}?title=Bus`,
      `icon:${LION}?url`,
    ])
      expect(text).toContain(`"${specifier}"`);
  });

  it('says which file of it asks for an icon that is not there', async () => {
    await writeFiles(join(root, 'node_modules/broken'), {
      'package.json': '{"name":"broken","type":"module","exports":"./index.js"}',
      'index.js': `import x from 'icon:1?colour=f00'; export default x;`,
    });
    await writeFiles(root, { 'broken.js': `import x from 'broken'; console.log(x);` });
    const failing = viteBuild({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [vitePlugin(options())],
      build: { outDir: 'dist-broken', rollupOptions: { input: join(root, 'broken.js') } },
    });
    await expect(failing).rejects.toThrow(/SPECIFIER_INVALID[^]*node_modules\/broken\/index\.js/);
  });
});
