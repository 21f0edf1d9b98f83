import { createServer as createHttpServer, get, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rspack as rspackCompiler } from '@rspack/core';
import {
  build,
  createLogger,
  createServer,
  type InlineConfig,
  normalizePath,
  preview,
  version,
} from 'vite';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import webpackCompiler, { type Compiler } from 'webpack';
import { pickerState } from '../../src/picker/shell.ts';
import rspack from '../../src/rspack.ts';
import vitePlugin from '../../src/vite.ts';
import webpack from '../../src/webpack.ts';
import { readTree, writeProject } from '../support/write-project.ts';

const FILES = {
  'icon-catalog.config.json': JSON.stringify({
    catalog: { embedded: { sets: [], folders: [{ path: 'art', name: 'art' }] } },
    cacheDir: '.cache',
  }),
  'art/bus.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M1 1h9v9z"/></svg>',
  'index.html': '<script type="module" src="/main.js"></script>',
  'main.js': "import bus from 'icon:art/bus'; document.body.innerHTML = bus;",
};

afterEach(() => vi.unstubAllEnvs());

/** The Vite that Astro 5 brings along. */
const vite6 = (await import(
  pathToFileURL(createRequire(import.meta.resolve('astro/package.json')).resolve('vite')).href
)) as { createServer: typeof createServer; version: string };
const vite7 = (await import('vite7')) as unknown as typeof vite6;

async function serve(
  root: string,
  more: object = {},
  create: typeof createServer = createServer,
): Promise<{ url: string; lines: string[]; docks: (more?: object) => Promise<object[]> }> {
  const lines: string[] = [];
  const customLogger = createLogger('info');
  customLogger.info = (message) => void lines.push(message);
  customLogger.warn = customLogger.info;
  const server = await create({
    root,
    configFile: false,
    customLogger,
    server: { port: 0, host: '127.0.0.1' },
    plugins: [vitePlugin()],
    ...more,
  });
  onTestFinished(() => server.close());
  await server.listen();
  server.printUrls();
  const plugin = server.config.plugins.find(({ name }) => name === 'unplugin-icon-catalog:picker');
  const { devtools } = plugin as unknown as {
    devtools?: { setup(context: object): Promise<void> };
  };
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    lines,
    /** What Vite DevTools with these options are given. */
    async docks(config = {}) {
      const docks: object[] = [];
      const viteConfig = { ...server.config, devtools: { config } };
      const register = (dock: object): void => void docks.push(dock);
      await devtools?.setup({ viteConfig, viteServer: server, docks: { register } });
      return docks;
    },
  };
}

/** What a request of the page's own kind is answered with. */
async function ask(url: string, root: string): Promise<number> {
  const { token } = pickerState(root);
  const response = await fetch(`${url}__icon-catalog/api/project`, {
    method: 'POST',
    body: '{}',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      origin: new URL(url).origin,
    },
  });
  await response.body?.cancel();
  return response.status;
}

describe('the icon browser is there', () => {
  it.each([
    [6, vite6.version, vite6.createServer],
    [7, vite7.version, vite7.createServer],
    [8, version, createServer],
  ])(
    'in a dev server of Vite %i, below its base, with one line that has its address',
    async (major, found, create) => {
      expect(found.split('.')[0]).toBe(String(major));
      const root = normalizePath(await writeProject(FILES));
      const { url, lines, docks } = await serve(root, { base: '/app/' }, create);
      expect(url).toMatch(/\/app\/$/);
      const shown = lines.filter((line) => line.includes('__icon-catalog'));
      expect(shown).toEqual([`  ➜  Icons:   ${url}__icon-catalog/#t=${pickerState(root).token}`]);
      expect(await ask(url, root)).toBe(200);
      const path = '/app/__icon-catalog/';
      expect(await docks()).toMatchObject([{ url: `${path}#t=${pickerState(root).token}` }]);
      // These are shown to every page that reaches them.
      expect(await docks({ clientAuth: false })).toMatchObject([{ url: path }]);
    },
  );

  it.each([
    ['webpack', webpackCompiler, webpack],
    ['Rspack', rspackCompiler, rspack],
  ] as const)('in the middlewares that %s gives to its dev server', async (_, bundler, plugin) => {
    const root = await writeProject({ ...FILES, 'src/index.js': '' });
    const own = { name: 'own', middleware: (): void => undefined };
    const compiler = (bundler as (options: never) => Compiler)({
      context: root,
      mode: 'development',
      entry: './src/index.js',
      plugins: [plugin() as never],
      devServer: { setupMiddlewares: (all: unknown[]) => [...all, own] },
    } as never);
    onTestFinished(() => new Promise<void>((resolve) => compiler.close(() => resolve())));
    const { devServer } = compiler.options as unknown as {
      devServer: {
        setupMiddlewares(all: unknown[], server: object): { middleware: RequestListener }[];
      };
    };
    const [ours, theirs] = devServer.setupMiddlewares([], {});
    expect(theirs).toBe(own);
    const server = createHttpServer(ours?.middleware);
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await ask(`http://127.0.0.1:${port}/`, root)).toBe(200);
  });
});

it.each([
  ['127.0.0.1', 403, 0],
  ['0.0.0.0', 200, 1],
])(
  'answers to other addresses than those of the loopback if the server is opened: %s, %i',
  async (host, status, warnings) => {
    const root = await writeProject(FILES);
    const { url, lines } = await serve(root, { server: { port: 0, host } });
    const { port } = new URL(url);
    const asked = await new Promise<number>((resolve, reject) => {
      // The request of another machine, for the address that it knows this one by.
      const headers = { host: `192.0.2.7:${port}` };
      get({ host: '127.0.0.1', port, path: '/__icon-catalog/', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }).on('error', reject);
    });
    expect(asked).toBe(status);
    expect(lines.filter((line) => line.includes('Everyone who reaches this server'))).toHaveLength(
      warnings,
    );
    expect(lines.filter((line) => line.includes('__icon-catalog'))).toHaveLength(1);
  },
);

it('loads nothing of the icon browser before its first request', async () => {
  const seen = new Map<string, string>();
  const load = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    const code = await readFile(path, 'utf8');
    seen.set(path, code);
    for (const [, name = ''] of code.matchAll(
      /^(?:import|export)\s(?:[^'"]*?from)?\s*["'](\.[^"']+)["']/gm,
    ))
      await load(join(dirname(path), name));
  };
  const built = fileURLToPath(new URL('../../dist/', import.meta.url));
  // A build with Vite never loads any of it.
  await load(join(built, 'vite.js'));
  expect([...seen.values()].join('\n')).not.toContain('/__icon-catalog/');
  await load(join(built, 'webpack.js'));
  const all = [...seen.values()].join('\n');
  expect(all).toContain('/__icon-catalog/');
  expect(all).not.toContain('The icon browser failed.');
  expect(all).not.toMatch(/["']@vitejs\/devtools/);
  await load(join(built, 'nuxt.js'));
  await load(join(built, 'astro.js'));
  expect([...seen.values()].join('\n')).not.toContain('The icon browser failed.');
  const files = [...(await readTree(built)).values()].map(String);
  expect(files.some((code) => code.includes('The icon browser failed.'))).toBe(true);
});

describe('the icon browser is not there', () => {
  it.each([
    ['where CI is set', { CI: '1' }, {}],
    ['in tests', {}, { mode: 'test' }],
    ['if the project does not want it', {}, { plugins: [vitePlugin({ picker: false })] }],
  ])('%s', async (_, env, more) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const root = await writeProject(FILES);
    const { url, lines, docks } = await serve(root, { appType: 'custom', ...more });
    expect(await docks()).toEqual([]);
    expect(await ask(url, root)).toBe(404);
    expect(lines.join('\n')).not.toContain('__icon-catalog');
  });

  it('in a build, nor in the server that shows it', async () => {
    const root = await writeProject(FILES);
    const options = {
      root,
      configFile: false,
      logLevel: 'silent' as const,
      plugins: [vitePlugin()],
    } satisfies InlineConfig;
    await build({ ...options, appType: 'custom' });
    for (const [path, bytes] of await readTree(`${root}/dist`))
      expect([path, bytes.includes('__icon-catalog')]).toEqual([path, false]);
    const server = await preview({
      ...options,
      appType: 'custom',
      preview: { port: 0, host: '127.0.0.1' },
    });
    onTestFinished(() => server.close());
    expect(await ask(server.resolvedUrls?.local[0] ?? '', root)).toBe(404);
  });
});
