import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect, promisify } from 'node:util';
import { rspack as rspackCompiler } from '@rspack/core';
import { build, resolveConfig } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import webpackCompiler from 'webpack';
import astro from '../../src/astro.ts';
import bun from '../../src/bun.ts';
import eleventy from '../../src/eleventy.ts';
import esbuild from '../../src/esbuild.ts';
import farm from '../../src/farm.ts';
import nuxt, { type NuxtInstance } from '../../src/nuxt.ts';
import type { Options } from '../../src/options/options.ts';
import rolldown from '../../src/rolldown.ts';
import rollup from '../../src/rollup.ts';
import rspack from '../../src/rspack.ts';
import { printSummaries } from '../../src/build/finish-build.ts';
import vitePlugin from '../../src/vite.ts';
import webpack from '../../src/webpack.ts';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { iconIds } from '../support/icon-ids.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const KEY = 'k3y-that-must-not-be-seen';
const SECRET = 's3cret-that-must-not-be-seen';
const FORBIDDEN = [KEY, SECRET, 'oauth_', 'Signature=', 'Expires='];

describe('secrets', () => {
  it('are in no output, cache or log, of good builds and failed ones', async () => {
    const catalog = await startCountingCatalog({
      keys: [{ key: KEY, secret: SECRET, monthlyLimit: 100 }],
    });
    onTestFinished(() => catalog.close());
    const [one, two, three] = iconIds('maki', 3);
    const lines: string[] = [];
    const keep = (message: string): void => void lines.push(message);
    const logger = {
      info: keep,
      warn: keep,
      warnOnce: keep,
      error: keep,
      clearScreen: () => undefined,
      hasErrorLogged: () => false,
      hasWarned: false,
    };
    const root = await writeProject({
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js': `import a from 'icon:${one}'; import b from 'icon:${two}?url'; import c from 'icon:${three}?filetype=png&size=64'; import d from 'icon:credits'; console.log(a, b, c, d);`,
    });
    const cacheDir = join(root, '.cache');
    const { url: baseUrl, key, secret } = catalog;
    const options = { root, configFile: false, customLogger: logger } as const;
    const plugin = (retries: number) =>
      vitePlugin({ catalog: { baseUrl, key, secret }, cacheDir, retries });
    await build({ ...options, plugins: [plugin(0)] });
    printSummaries();
    const searched = [...(await readTree(join(root, 'dist'))), ...(await readTree(cacheDir))];
    expect(searched.length).toBeGreaterThan(10);
    expect(lines.join('\n')).toContain('6 signed calls');

    const failures = [
      (response: import('node:http').ServerResponse) =>
        response.writeHead(401).end(`bad signature for ${KEY} ${SECRET} oauth_signature="x"`),
      (response: import('node:http').ServerResponse) =>
        response.writeHead(500).end(`https://x.example/a.svg?Expires=1&Signature=abc`),
      (response: import('node:http').ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"icon":'),
      (response: import('node:http').ServerResponse) => response.destroy(),
    ];
    for (const [index, fail] of failures.entries()) {
      const other = join(root, `.cache-${index}`);
      catalog.intercept = (_path, response) => {
        fail(response);
        return true;
      };
      const failed = build({
        ...options,
        plugins: [vitePlugin({ catalog: { baseUrl, key, secret }, cacheDir: other, retries: 0 })],
      });
      const error: unknown = await failed.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Error);
      lines.push(String(error), (error as Error).stack ?? '', JSON.stringify(error));
      searched.push(...(await readTree(other)));
    }

    for (const word of FORBIDDEN) {
      expect(lines.join('\n')).not.toContain(word);
      for (const [path, bytes] of searched)
        expect(`${path}: ${bytes.includes(word)}`).toBe(`${path}: false`);
    }
  });

  describe('are in no object that a bundler may print', () => {
    const options: Options = {
      catalog: { baseUrl: 'https://catalog.example', key: KEY, secret: SECRET },
      logLevel: 'silent',
    };
    const seenIn = (...values: unknown[]): string =>
      values.map((value) => `${inspect(value, { depth: null })}${JSON.stringify(value)}`).join('');

    it.each<[string, () => unknown]>([
      ['Vite', () => vitePlugin(options)],
      ['Rollup', () => rollup(options)],
      ['Rolldown', () => rolldown(options)],
      ['esbuild', () => esbuild(options)],
      ['Farm', () => farm(options)],
      ['Bun', () => bun(options)],
      [
        'webpack',
        () => {
          const plugin = webpack(options);
          return [plugin, webpackCompiler({ plugins: [plugin] })?.options];
        },
      ],
      [
        'Rspack',
        () => {
          const plugin = rspack(options);
          return [plugin, rspackCompiler({ plugins: [plugin] }).options];
        },
      ],
      ['Astro', () => addedByAstro(options)],
      ['Nuxt', () => addedByNuxt(options)],
      ['Eleventy', () => addedByEleventy(options)],
    ])('of %s', async (_, make) => {
      const seen = seenIn(await make());
      expect(seen).toMatch(/plugin|unplugin-icon-catalog|icon/);
      expect(seen).not.toContain(KEY);
      expect(seen).not.toContain(SECRET);
    });

    it('of a configuration that Vite has resolved with `.env` files', async () => {
      const env = await writeProject({
        '.env.local': `ICON_CATALOG_URL=https://catalog.example\nICON_CATALOG_KEY=${KEY}\nICON_CATALOG_SECRET=${SECRET}\n`,
      });
      const plugins = [vitePlugin(options)];
      const resolved = await resolveConfig({ root: env, configFile: false, plugins }, 'build');
      const seen = inspect({ ...resolved, logger: undefined }, { depth: 12 });
      expect(seen).toContain('unplugin-icon-catalog');
      expect(seen).not.toContain(KEY);
      expect(seen).not.toContain(SECRET);
    });
  });

  it('are not what `vite build --debug` prints, from options or from `.env` files', async () => {
    const repository = fileURLToPath(new URL('../..', import.meta.url));
    const plugin = pathToFileURL(join(repository, 'dist/vite.js')).href;
    const id = iconIds('maki', 1)[0];
    const catalog = await startCountingCatalog({ keys: [{ key: KEY, secret: SECRET }] });
    onTestFinished(() => catalog.close());
    const given = JSON.stringify({ baseUrl: catalog.url, key: KEY, secret: SECRET });
    const builds = ['', `catalog: ${given}, `].map(async (written) => {
      const root = await writeProject({
        'index.html': '<script type="module" src="/main.js"></script>',
        'main.js': `import icon from 'icon:${id}'; console.log(icon);`,
        'vite.config.js': `import iconCatalog from '${plugin}';
          export default { plugins: [iconCatalog({ ${written}cacheDir: '.cache' })] };`,
        '.env.local': `ICON_CATALOG_URL=${catalog.url}\nICON_CATALOG_KEY=${KEY}\nICON_CATALOG_SECRET=${SECRET}\n`,
      });
      const vite = join(repository, 'node_modules/vite/bin/vite.js');
      const { PATH = '' } = process.env;
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [vite, 'build', '--debug'],
        { cwd: root, env: { PATH, HOME: root }, maxBuffer: 64 * 1024 * 1024 },
      );
      return stdout + stderr;
    });
    for (const printed of await Promise.all(builds)) {
      expect(printed).toContain('vite:config');
      expect(printed).toContain('2 signed calls');
      for (const word of FORBIDDEN) expect(printed).not.toContain(word);
    }
  });
});

/** What the integration adds to the configuration of Astro, and itself. */
async function addedByAstro(options: Options): Promise<unknown> {
  const integration = astro(options);
  const added: unknown[] = [integration];
  await integration.hooks['astro:config:setup']({
    command: 'build',
    config: { root: pathToFileURL(`${import.meta.dirname}/`) },
    updateConfig: (config: unknown) => void added.push(config),
    addWatchFile: () => undefined,
  } as unknown as Parameters<(typeof integration.hooks)['astro:config:setup']>[0]);
  expect(added).toHaveLength(2);
  return added;
}

/** What the module adds to the configuration of Vite in Nuxt. */
async function addedByNuxt(options: Options): Promise<unknown> {
  const config = { plugins: [] };
  const instance = {
    options: { rootDir: import.meta.dirname, buildDir: '' },
    hook: (name: string, hook: (given: object) => unknown) =>
      name === 'vite:extendConfig' && hook(config),
  } as unknown as NuxtInstance;
  await nuxt(options, instance);
  expect(config.plugins).toHaveLength(1);
  return config;
}

/** What the plugin adds to the configuration of Eleventy. */
function addedByEleventy(options: Options): unknown {
  const added: unknown[] = [];
  const add = (...given: unknown[]): void => void added.push(given);
  eleventy(
    {
      on: add,
      addWatchTarget: add,
      addAsyncShortcode: add,
      addAsyncFilter: add,
      addTransform: add,
    },
    options,
  );
  expect(added.length).toBeGreaterThan(5);
  return added;
}
