import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build, createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import iconCatalog, { type NuxtInstance } from '../../src/nuxt.ts';
import type { Options } from '../../src/options/options.ts';
import { pickerState } from '../../src/picker/shell.ts';
import { embeddedIconId } from '../../src/server.ts';
import { startCountingCatalog } from '../support/counting-catalog.ts';
import { pickerApi } from '../support/dev-server.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { parseManifest } from '../support/parse-manifest.ts';

type Hooks = Record<string, (given: object, more?: object) => unknown>;

/** As much of Nuxt as a module sees: options and hooks. */
function createNuxt(options: Partial<NuxtInstance['options']> = {}) {
  const hooks: Hooks = {};
  const nuxt = {
    options: { rootDir: '', buildDir: '', ...options },
    hook: (name: string, hook: Hooks[string]) => void (hooks[name] = hook),
  } as NuxtInstance;
  return { nuxt, hooks };
}

const options: Options = {
  catalog: { embedded: { root: process.cwd(), sets: ['tabler'] } },
  aliases: {
    tent: embeddedIconId('tabler', 'tent'),
    star: embeddedIconId('tabler', 'star'),
  },
  logLevel: 'silent',
};

describe('the Nuxt module', () => {
  it('gives client and server components of Vue, and publishes the credits of both', async () => {
    const root = await writeProject({
      'app/main.js': `import Tent, { icon } from 'icon:tent'; globalThis.shown = [Tent, icon];`,
      // The server draws what the browser never gets.
      'app/server.js': `import './main.js'; import star from 'icon:star?raw'; globalThis.drawn = star;`,
    });
    const buildDir = join(root, '.nuxt');
    const { nuxt, hooks } = createNuxt({
      rootDir: root,
      buildDir,
      iconCatalog: { ...options, cacheDir: join(root, '.icons') },
    });
    await iconCatalog({ attribution: { html: 'about/icons.html', markdown: false } }, nuxt);

    for (const [name, entry, ssr] of [
      ['client', 'main', false],
      ['server', 'server', true],
    ] as const) {
      const config: InlineConfig = {
        root: join(root, 'app'),
        configFile: false,
        logLevel: 'silent',
        build: {
          outDir: join(buildDir, 'dist', name),
          ssr,
          rollupOptions: { input: join(root, `app/${entry}.js`), external: ['vue'] },
        },
      };
      hooks['vite:extendConfig']?.(config);
      await build(config);
    }
    // Beside nuxt.config, where `npx icon-catalog` looks for it, and not in the root of Vite.
    expect(await readFile(join(root, 'icons.lock'), 'utf8')).toContain('"term":"Tent"');
    const output = await readTree(join(buildDir, 'dist/client'));
    const script = [...output].find(([path]) => path.endsWith('.js'))?.[1];
    expect(String(script)).toMatch(/from\s*["']vue["']/);

    const publicDir = join(root, 'public');
    await hooks['nitro:build:public-assets']?.({ options: { output: { publicDir } } });
    const published = await readTree(publicDir);
    expect([...published.keys()]).toEqual(['about/icons.html', 'icon-attribution.json']);
    const { icons } = parseManifest(
      await readFile(join(publicDir, 'icon-attribution.json'), 'utf8'),
    );
    expect(icons.map(({ title }) => title)).toEqual(['Star', 'Tent']);
  });

  it('reads the `.env` files beside nuxt.config, as commands do', async () => {
    const catalog = await startCountingCatalog();
    onTestFinished(() => catalog.close());
    const variables = Object.entries({
      ICON_CATALOG_URL: catalog.url,
      ICON_CATALOG_KEY: catalog.key,
      ICON_CATALOG_SECRET: catalog.secret,
    });
    const root = await writeProject({
      'app/main.js': `import tent from 'icon:tent?raw'; globalThis.shown = tent;`,
      '.env.local': variables.map(([name, value]) => `${name}=${value}\n`).join(''),
    });
    const { nuxt, hooks } = createNuxt({ rootDir: root, buildDir: join(root, '.nuxt') });
    const { catalog: _, ...others } = options;
    await iconCatalog({ ...others, cacheDir: join(root, '.icons') }, nuxt);
    const config: InlineConfig = {
      root: join(root, 'app'),
      configFile: false,
      logLevel: 'silent',
      build: { rollupOptions: { input: join(root, 'app/main.js') } },
    };
    hooks['vite:extendConfig']?.(config);
    await build(config);
    expect(catalog.calls).toHaveLength(2);
  });

  it('serves in dev what pages ask for that the other server has rendered', async () => {
    const root = await writeProject({
      'app/main.js': `import url from 'icon:tent?url'; export default url;`,
    });
    const { nuxt, hooks } = createNuxt({ rootDir: root });
    await iconCatalog({ ...options, cacheDir: join(root, '.icons') }, nuxt);
    const start = async () => {
      const config: InlineConfig = {
        root: join(root, 'app'),
        base: '/_nuxt/',
        configFile: false,
        logLevel: 'silent',
        server: { host: '127.0.0.1', port: 0, hmr: false, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true },
      };
      hooks['vite:extendConfig']?.(config);
      const server = await createServer(config);
      onTestFinished(() => server.close());
      return server;
    };
    const client = await (await start()).listen();
    const server = await start();
    // Nuxt renders the page before its scripts have loaded anything.
    const { default: rendered } = (await server.ssrLoadModule('/main.js')) as { default: string };
    const [origin] = client.resolvedUrls?.local ?? [];
    const response = await fetch(new URL(rendered, origin));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toContain('<svg');
    // No mismatch where the browser takes over.
    const { code = '' } = (await client.transformRequest('icon:tent?url')) ?? {};
    expect(code).toContain(JSON.stringify(rendered));
  });

  it('renders no page and no island in dev for other sites and unknown host names, which would fetch icons', async () => {
    const root = await writeProject({ 'app/main.js': '' });
    const { nuxt, hooks } = createNuxt({ rootDir: root, buildDir: join(root, '.nuxt'), dev: true });
    await iconCatalog(options, nuxt);
    const nitro: { virtual: Record<string, string>; plugins: string[] } = {
      virtual: {},
      plugins: ['own'],
    };
    hooks['nitro:config']?.(nitro);
    const [own, path = ''] = nitro.plugins;
    expect(own).toBe('own');
    const code = encodeURIComponent(nitro.virtual[path] ?? '');
    const { default: plugin } = (await import(`data:text/javascript,${code}`)) as {
      default: (nitro: object) => void;
    };
    let before: (context: object) => void = () => undefined;
    plugin({ hooks: { hook: (_name: string, hook: typeof before) => void (before = hook) } });
    const config: InlineConfig = {
      root: join(root, 'app'),
      appType: 'custom',
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, hmr: false, ws: false, cors: false, allowedHosts: true },
      optimizeDeps: { noDiscovery: true },
    };
    hooks['vite:extendConfig']?.(config);
    const vite = await createServer(config);
    onTestFinished(() => vite.close());
    const island = '/__nuxt_island/Star_1.json';
    // Nuxt asks the Vite server first, and passes on to the process of Nitro what that leaves.
    const http = createHttpServer((req, res) =>
      vite.middlewares(req, res, () => {
        if (req.url === '/cors') res.setHeader('access-control-allow-origin', '*');
        const context = {
          event: { node: { req, res } },
          response: { statusCode: 200 },
        };
        // Nuxt calls no hook before it renders an island.
        if (req.url !== island) before(context);
        res.writeHead(context.response.statusCode).end();
      }),
    );
    onTestFinished(() => void http.close());
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const status = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = request({ port, path, headers, agent: false }, (response) => {
          resolve(response.resume().statusCode);
        });
        asked.on('error', reject).end();
      });
    const from = (site: string, mode: string): Record<string, string> => ({
      'sec-fetch-site': site,
      'sec-fetch-mode': mode,
    });

    for (const path of ['/', island]) {
      expect(await status(path, from('cross-site', 'no-cors'))).toBe(403);
      expect(
        await status(path, { ...from('same-site', 'cors'), origin: 'http://localhost:1' }),
      ).toBe(403);
      // The browser says nothing of a site without a certificate: a name that leads here by DNS rebinding.
      expect(await status(path, { host: `rebound.test:${port}` })).toBe(403);
      expect(await status(path, from('same-origin', 'cors'))).toBe(200);
      expect(await status(path, {})).toBe(200);
      // A tunnel has a certificate.
      expect(await status(path, { host: 'tunnel.test', ...from('none', 'navigate') })).toBe(200);
    }
    for (const site of ['cross-site', 'none'])
      expect(await status('/', from(site, 'navigate'))).toBe(200);
    expect(await status('/cors', from('cross-site', 'no-cors'))).toBe(200);
    expect(await status('/cors', { host: `rebound.test:${port}` })).toBe(403);
  });

  it('has the icon browser below the base of the site, prints its address once, and writes into nuxt.config', async () => {
    const config = `export default defineNuxtConfig({ iconCatalog: { aliases: {} } });\n`;
    const root = await writeProject({ 'nuxt.config.ts': config });
    const app = { baseURL: '/app/' };
    const { nuxt, hooks } = createNuxt({ rootDir: root, dev: true, app });
    const { aliases: _, ...rest } = options;
    await iconCatalog({ ...rest, cacheDir: join(root, '.icons') }, nuxt);
    const printed: string[] = [];
    const customLogger = createLogger('silent');
    customLogger.info = (line) => void printed.push(line);
    customLogger.warn = (line) => void printed.push(line);
    const start = async (isClient: boolean) => {
      const given = {
        root: join(root, 'app'),
        base: '/app/_nuxt/',
        appType: 'custom',
        configFile: false,
        customLogger,
        server: { middlewareMode: true, hmr: false, ws: false },
        optimizeDeps: { noDiscovery: true },
      } satisfies InlineConfig;
      hooks['vite:extendConfig']?.(given, { isClient, isServer: !isClient });
      const server = await createServer(given);
      onTestFinished(() => server.close());
      return server;
    };
    // Nuxt listens first. Its server passes on the whole path, also of what is not below Vite's base.
    const servers: ViteDevServer[] = [];
    const http = createHttpServer((request, response) =>
      servers[0]?.middlewares(request, response, () => response.writeHead(404).end()),
    );
    onTestFinished(() => void http.close());
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    const url = `http://localhost:${port}/app/`;
    await hooks['listen']?.(http, { url, getURLs: async () => [{ type: 'local' }] });
    servers.push(await start(true), await start(false));
    await expect.poll(() => printed.length).toBeGreaterThan(0);
    const shown = printed.filter((line) => line.includes('/__icon-catalog/'));
    expect(shown).toEqual([`  ➜  Icons:   ${url}__icon-catalog/#t=${pickerState(root).token}`]);
    const asked = pickerApi(new URL(shown[0]?.trim().split(/\s+/).at(-1) ?? ''));
    expect(await asked.refusals()).toEqual([403, 403, 401]);
    await asked.post('add', {
      items: [{ id: String(embeddedIconId('tabler', 'tent')), alias: 'tent' }],
    });
    expect(await readFile(join(root, 'nuxt.config.ts'), 'utf8')).toBe(
      config.replace('{}', "{ tent: 'tabler/tent' }"),
    );
  });

  it.each([
    [{}, 'unplugin-icon-catalog/types/vue'],
    [{ framework: 'react' as const }, 'unplugin-icon-catalog/types/react'],
  ])('tells TypeScript what imports are with %o', async (given, types) => {
    const { nuxt, hooks } = createNuxt();
    await iconCatalog({ ...options, ...given }, nuxt);
    const references: object[] = [];
    hooks['prepare:types']?.({ references });
    expect(references).toEqual([{ types }]);
  });

  it.each([
    ['the project', '.'],
    ['the package of which it is a folder', 'site'],
  ])('without options takes those of %s, and starts again when they change', async (_, folder) => {
    const root = await writeProject({
      'package.json': '{}',
      'icon-catalog.config.json': '{ "framework": "react" }',
    });
    const watch: string[] = [];
    const { nuxt, hooks } = createNuxt({ rootDir: join(root, folder), watch });
    await iconCatalog({}, nuxt);
    const references: object[] = [];
    hooks['prepare:types']?.({ references });
    expect(references).toEqual([{ types: 'unplugin-icon-catalog/types/react' }]);
    expect(watch).toContain(join(root, 'icon-catalog.config.json'));
  });

  it('starts a dev server although that file is broken, and says why no icon can be imported', async () => {
    const root = await writeProject({
      'icon-catalog.config.json': '{ "aliases": ',
      'main.js': `import 'icon:tent'`,
    });
    await expect(iconCatalog({}, createNuxt({ rootDir: root }).nuxt)).rejects.toThrow(
      'icon-catalog.config.json cannot be loaded',
    );
    const { nuxt, hooks } = createNuxt({ rootDir: root, dev: true });
    await iconCatalog({}, nuxt);
    const config: InlineConfig = {
      root,
      configFile: false,
      logLevel: 'silent',
      server: { ws: false },
    };
    hooks['vite:extendConfig']?.(config);
    const server = await createServer(config);
    onTestFinished(() => server.close());
    await expect(server.transformRequest('/main.js')).rejects.toThrow(
      'icon-catalog.config.json cannot be loaded',
    );
  });

  it('adds the plugin once where client and server have one list', async () => {
    const { nuxt, hooks } = createNuxt();
    await iconCatalog(options, nuxt);
    const plugins: unknown[] = [];
    hooks['vite:extendConfig']?.({ plugins, environments: { client: {} } });
    const once = plugins.length;
    hooks['vite:extendConfig']?.({ plugins, environments: { ssr: {} } });
    expect(once).toBe(1);
    expect(plugins).toHaveLength(once);
  });

  it('has a name and a key in nuxt.config', async () => {
    expect(await iconCatalog.getMeta()).toEqual({
      name: 'unplugin-icon-catalog',
      configKey: 'iconCatalog',
    });
  });

  it('refuses wrong options, and builders that it does not know', () => {
    const { nuxt } = createNuxt();
    expect(() => iconCatalog({ aliases: { '': 1 } }, nuxt)).toThrow('OPTIONS_INVALID');
    const { nuxt: other } = createNuxt({ builder: '@nuxt/webpack-builder' });
    expect(() => iconCatalog(options, other)).toThrow('webpack:config');
  });
});
