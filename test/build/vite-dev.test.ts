import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { get, type OutgoingHttpHeaders } from 'node:http';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger, createServer, type Plugin, type ViteDevServer } from 'vite';
import astro from '../../src/astro.ts';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import type { Manifest } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { launchBrowser } from '../support/browser.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';
import type { Browser } from 'playwright-core';

const aliases = { home: embeddedIconId('tabler', 'home'), bus: embeddedIconId('maki', 'bus') };

let catalog: CountingCatalog;
let browser: Browser;
beforeAll(async () => {
  [catalog, browser] = await Promise.all([startCountingCatalog(), launchBrowser()]);
});
afterAll(() => Promise.all([catalog.close(), browser.close()]));

const PAGE = {
  'index.html':
    '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.js"></script>',
  'main.js': `import home from 'icon:home?size=40'; import bus from 'icon:bus?url'; document.querySelector('#app').innerHTML = home + '<img alt="" src="' + bus + '">';`,
};

async function serve(
  files: Record<string, string>,
  options: Options = {},
  ...others: Plugin[]
): Promise<{ server: ViteDevServer; root: string; url: string }> {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
    plugins: [
      vitePlugin({
        catalog: { baseUrl, key, secret },
        aliases,
        cacheDir: join(root, '.cache'),
        retries: 0,
        ...options,
      }),
      ...others,
    ],
  });
  onTestFinished(() => server.close());
  await server.listen();
  return { server, root, url: server.resolvedUrls?.local[0] ?? '' };
}

async function open(url: string) {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

it('a page that Vite bundles for its dev server has its icons, also those of its HTML', async () => {
  const icon = '<link rel="icon" href="icon:home">';
  const html = PAGE['index.html'].replace('<link rel="icon" href="data:,">', icon);
  const bundled: Plugin = {
    name: 'bundled',
    config: () => ({ experimental: { bundledDev: true } }),
  };
  const { url } = await serve({ ...PAGE, 'index.html': html }, {}, bundled);
  const page = await open(url);
  await page.locator('#app svg').waitFor();
  const picture = page.locator('img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const favicon = await page.locator('link[rel="icon"]').getAttribute('href');
  expect(await (await fetch(new URL(favicon ?? '', url))).text()).toContain('<svg');
  const credits = await (await fetch(`${url}icon-attribution.json`)).text();
  expect((JSON.parse(credits) as Manifest).icons.map(({ id }) => id)).toEqual([
    String(aliases.bus),
    String(aliases.home),
  ]);
});

it('options that change start a server again which bundles, as it asks no plugin about a change', async () => {
  const config = 'icon-catalog.config.json';
  const root = await writeProject({ ...PAGE, [config]: '{ "catalog": "embedded" }' });
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1' },
    experimental: { bundledDev: true },
    plugins: [vitePlugin()],
  });
  onTestFinished(() => server.close());
  const restart = vi.spyOn(server, 'restart').mockResolvedValue();
  let retries = 0;
  // What is written before the watcher is ready is no change to it.
  await expect
    .poll(async () => {
      retries += 1;
      await writeFiles(root, { [config]: JSON.stringify({ catalog: 'embedded', retries }) });
      return restart.mock.calls.length;
    })
    .toBeGreaterThan(0);
});

it('a cache within the root is left out of the watcher', async () => {
  const { server, root, url } = await serve(PAGE);
  const page = await open(url);
  await page.locator('#app svg').waitFor();
  const seen: string[] = [];
  server.watcher.on('all', (_, file) => seen.push(relative(root, file)));
  await writeFiles(root, { '.cache/own/new.txt': 'a', 'later/new.js': 'a' });
  await expect.poll(() => seen).toContain(join('later', 'new.js'));
  const watched = Object.keys(server.watcher.getWatched()).map((folder) => relative(root, folder));
  expect(watched).toContain('later');
  expect([...watched, ...seen].filter((path) => path.startsWith('.cache'))).toEqual([]);
});

it('icons of a page come without source maps, and with records only once an importer asks for them', async () => {
  const { url, root } = await serve(PAGE);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const sent: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/@id/icon:')) sent.push(response.text());
  });
  await page.goto(url);
  await page.locator('#app svg').waitFor();
  const codes = await Promise.all(sent);
  expect(codes).toHaveLength(2);
  for (const code of codes) expect(code).not.toContain('sourceMappingURL');
  // A file has an address of its own, and its module is whole.
  expect(codes.filter((code) => code.includes('export const credit'))).toHaveLength(1);
  await writeFiles(root, {
    'main.js': `import home, { credit } from 'icon:home?size=40';
      document.querySelector('#app').innerHTML = home + '<p>' + credit.title + '</p>';`,
  });
  await page.locator('svg[width="40"] + p', { hasText: 'Home' }).waitFor();
  const { icons } = (await (await fetch(`${url}icon-attribution.json`)).json()) as {
    icons: { id: string }[];
  };
  expect(icons.map(({ id }) => id)).toEqual([String(aliases.bus), String(aliases.home)]);
});

it('requests of the project get along without asynchronous context, which slows every promise', async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
  onTestFinished(() => run.mockRestore());
  const ofRequests = (): object[] =>
    run.mock.calls.flatMap(([store]: unknown[]) =>
      typeof store === 'object' && store !== null && 'sender' in store ? [store] : [],
    );
  const { url } = await serve(PAGE);
  const page = await open(url);
  await page.locator('#app svg').waitFor();
  await page.reload();
  await page.locator('#app svg').waitFor();
  expect(ofRequests()).toEqual([]);
  await fetch(`${url}main.js`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(ofRequests()).toHaveLength(1);
});

it.each([
  ['the folder of its options', '.'],
  ['a folder of the package', 'src'],
])(
  'a component that a page imports late does not reload the page for what the component imports, in %s',
  async (_, folder) => {
    const root = await writeProject({
      'package.json': '{}',
      [join(folder, 'index.html')]: PAGE['index.html'],
      'icon-catalog.config.mjs': `export default ${JSON.stringify({
        catalog: { baseUrl: catalog.url, key: catalog.key, secret: catalog.secret },
        aliases,
        framework: 'lit',
        cacheDir: '.cache',
      })};`,
      [join(folder, 'main.js')]: `import { render } from 'lit';
      sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
      addEventListener('late', async () => {
        const { default: home } = await import('./late.js');
        render(home(), document.querySelector('#app'));
      });
      if (sessionStorage.late) dispatchEvent(new Event('late'));
      document.documentElement.className = 'ready';`,
      [join(folder, 'late.js')]: `export { default } from 'icon:home';`,
    });
    await symlink(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'));
    const reported: string[] = [];
    const customLogger = createLogger('info');
    customLogger.info = (message) => void reported.push(message);
    const server = await createServer({
      root: join(root, folder),
      configFile: false,
      cacheDir: join(root, '.vite'),
      customLogger,
      server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
      plugins: [vitePlugin()],
    });
    onTestFinished(() => server.close());
    await server.listen();
    const page = await open(server.resolvedUrls?.local[0] ?? '');
    await page.locator('html.ready').waitFor();
    await page.evaluate(() => {
      sessionStorage['late'] = 'yes';
      dispatchEvent(new Event('late'));
    });
    await page.locator('#app svg').waitFor();
    expect(await page.evaluate(() => sessionStorage['loads'] as string)).toBe('1');
    expect(reported.join('\n')).not.toContain('optimized dependencies changed');
  },
);

it('a page of credits that is opened late does not reload for the component', async () => {
  const { root, remove } = await createPackedConsumer({
    packages: ['vue'],
    files: {
      'index.html': PAGE['index.html'],
      'main.js': `import home from 'icon:home'; import 'vue';
          sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
          document.querySelector('#app').innerHTML = home;
          globalThis.late = async (path) => (await import(path)).show(document.querySelector('#app'));
          if (sessionStorage.late) late(sessionStorage.late);`,
      'late.js': `import credits from 'icon:credits';
          import { createApp, h } from 'vue';
          import IconCredits from 'unplugin-icon-catalog/credits/vue';
          export const show = (at) => createApp(() => h(IconCredits, { credits })).mount(at);`,
    },
  });
  onTestFinished(remove);
  const { url: baseUrl, key, secret } = catalog;
  const reported: string[] = [];
  const customLogger = createLogger('info');
  customLogger.info = (message) => void reported.push(message);
  customLogger.warn = customLogger.info;
  const server = await createServer({
    root,
    configFile: false,
    customLogger,
    server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
    plugins: [
      vitePlugin({ catalog: { baseUrl, key, secret }, aliases, cacheDir: join(root, '.cache') }),
    ],
  });
  onTestFinished(() => server.close());
  await server.listen();
  const page = await open(server.resolvedUrls?.local[0] ?? '');
  await page.locator('#app svg').waitFor();
  await page.evaluate(() => {
    sessionStorage['late'] = '/late.js';
    void (globalThis as unknown as { late(path: string): Promise<void> }).late('/late.js');
  });
  await page.locator('#app').getByText('Home').first().waitFor();
  expect(await page.evaluate(() => sessionStorage['loads'] as string)).toBe('1');
  expect(reported.join('\n')).not.toContain('optimized dependencies changed');
  expect(reported.join('\n')).not.toContain('Failed to resolve dependency');
});

describe('the dev server of Astro', () => {
  it('finds icons in place where its own plugin takes the styles of a page', async () => {
    const taken: string[] = [];
    const collector: Plugin = {
      name: 'virtual:astro:dev-css',
      transform(code, id) {
        if (id.endsWith('.css')) taken.push(code);
      },
    };
    const root = await writeProject({ 'page.css': 'i { background: url(icon:home?color=f00) }' });
    const { url: baseUrl, key, secret } = catalog;
    const plugins: Plugin[] = [collector];
    await astro({
      catalog: { baseUrl, key, secret },
      aliases,
      cacheDir: join(root, '.cache'),
    }).hooks['astro:config:setup']({
      command: 'dev',
      config: { root: pathToFileURL(root) },
      updateConfig: ({ vite }) => plugins.push(...vite.plugins),
      addWatchFile: () => undefined,
      addDevToolbarApp: () => undefined,
    });
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', ws: false },
      plugins,
    });
    onTestFinished(() => server.close());
    await server.listen();
    await server.environments.ssr.transformRequest('/page.css');
    expect(taken.join()).toContain('url("data:image/svg+xml,');
  });

  it('watches the files of modules that a page imports, components among them', async () => {
    const { server } = await serve(
      { 'post.js': `import Home from 'icon:home'; export default Home;`, 'page.js': `export {};` },
      { framework: 'react' },
      {
        name: 'astro:content-asset-propagation',
        async transform(_, id) {
          if (!id.endsWith('page.js')) return;
          const { moduleGraph } = server.environments.ssr;
          await server.environments.ssr.transformRequest('/post.js');
          for (const { id: icon } of moduleGraph.idToModuleMap.values()) {
            if (icon?.startsWith('icon:') !== true) continue;
            await server.environments.ssr.transformRequest(icon);
          }
          for (const { file } of moduleGraph.idToModuleMap.values())
            if (file !== null) this.addWatchFile(file);
        },
      },
    );
    await server.environments.ssr.transformRequest('/page.js');
    const files = [...server.environments.ssr.moduleGraph.fileToModulesMap.keys()];
    expect(files).toContain('icon:@runtime');
  });
});

describe('the dev server of Vite', () => {
  it('serves imports, files and the credits of what was asked for', async () => {
    const { url } = await serve(PAGE);
    const page = await open(url);
    const svg = page.locator('#app svg');
    await svg.waitFor();
    expect(await svg.getAttribute('width')).toBe('40');
    expect(
      await page
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
    ).toBeGreaterThan(0);
    const manifest = (await (await fetch(`${url}icon-attribution.json`)).json()) as {
      complete: boolean;
      icons: { title: string }[];
    };
    expect(manifest.complete).toBe(false);
    expect(manifest.icons.map(({ title }) => title)).toEqual(['Bus', 'Home']);
    expect((await fetch(`${url}icon-attribution.html`)).headers.get('content-type')).toContain(
      'text/html',
    );
  });

  it('serves icons of workers', async () => {
    const { url } = await serve({
      ...PAGE,
      'main.js': `import Asked from './asked.js?worker';
        for (const worker of [new Asked(), new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })])
          worker.onmessage = ({ data }) => document.querySelector('#app').insertAdjacentHTML('beforeend', data);`,
      'asked.js': `import bus from 'icon:bus'; postMessage(bus);`,
      'worker.js': `import home from 'icon:home'; postMessage(home);`,
    });
    const page = await open(url);
    await page.waitForFunction(() => document.querySelectorAll('#app svg').length === 2);
  });

  it('fetches an icon that an edit adds', async () => {
    const { url, root } = await serve(PAGE);
    const page = await open(url);
    await page.locator('#app svg').waitFor();
    catalog.reset();
    const lion = embeddedIconId('game-icons', 'lion');
    await writeFiles(root, {
      'main.js': `import lion from 'icon:${lion}?title=Lion'; document.querySelector('#app').innerHTML = lion;`,
    });
    await page.getByTitle('Lion').or(page.locator('svg[role=img]')).first().waitFor();
    expect(catalog.calls.toSorted()).toEqual([
      `GET /v2/icon/${lion}`,
      `GET /v2/icon/${lion}/download`,
    ]);
  });

  it('keeps what it draws of icons that the lock knows already', async () => {
    const first = await serve(PAGE);
    const lock = (): Promise<string> => readFile(join(first.root, 'icons.lock'), 'utf8');
    const page = await open(first.url);
    await page.locator('#app svg').waitFor();
    await expect.poll(() => lock().catch(() => '')).not.toBe('');
    const cacheDir = join(first.root, '.cache');
    const modules = async (): Promise<number> =>
      (await readdir(join(cacheDir, 'packs'))).filter((name) => name.endsWith('.values')).length;
    await expect.poll(modules).toBe(1);
    // A clone has the lock; packs are those of one folder.
    const clone = await serve({ ...PAGE, 'icons.lock': await lock() }, { cacheDir });
    const other = await open(clone.url);
    await other.locator('#app svg').waitFor();
    await expect.poll(modules).toBe(2);
  });

  it('declares the imports that it serves and all aliases for TypeScript', async () => {
    const { server, root, url } = await serve({
      ...PAGE,
      'tsconfig.json': '{}',
      'icon-catalog.d.ts': 'declare module "icon:1" {\n  const content: string;\n}\n',
    });
    const page = await open(url);
    await page.locator('#app svg').waitFor();
    await server.close();
    const text = await readFile(join(root, 'icon-catalog.d.ts'), 'utf8');
    expect(text.match(/^declare module .*$/gm)).toEqual([
      'declare module "icon:1" {',
      'declare module "icon:bus" {',
      'declare module "icon:bus?url" {',
      'declare module "icon:home" {',
      'declare module "icon:home?size=40" {',
    ]);
    expect(text).toContain('**Home** by ');
  });

  it('writes no declarations where there is no TypeScript', async () => {
    const { server, root, url } = await serve(PAGE);
    const page = await open(url);
    await page.locator('#app svg').waitFor();
    await server.close();
    await expect(readFile(join(root, 'icon-catalog.d.ts'))).rejects.toThrow('ENOENT');
  });

  it('shows errors in the overlay, with the message that a build has', async () => {
    const lines: string[] = [];
    const { url, server } = await serve(
      { ...PAGE, 'main.js': `import x from 'icon:hoome'; console.log(x);` },
      {},
      {
        name: 'listener',
        configResolved({ logger }) {
          logger.error = (line) => void lines.push(line);
        },
      },
    );
    // The search for packages goes on.
    await server.environments.client.depsOptimizer?.scanProcessing;
    expect(lines.filter((line) => line.includes('dependency scan'))).toEqual([]);
    const page = await open(url);
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    const text = await overlay.evaluate((element) => element.shadowRoot?.textContent ?? '');
    expect(text).toContain('SPECIFIER_INVALID');
    expect(text).toContain('home');
    expect(text).toContain('main.js');
  });

  it('serves a style sheet without the icon of a class that was saved half typed, and says so', async () => {
    const lines: string[] = [];
    // As Tailwind and UnoCSS write it, which keep the class until they start again.
    const written = String.raw`.bg-\[url\(icon\:ho\?color\=f00\)\]{background:url(icon:ho?color=f00)}.a{mask:url(icon:home)}`;
    const { server } = await serve(
      {
        ...PAGE,
        'by-hand.css': String.raw`.\(icon\:ho\?color\=f000\){} .a{background:url(icon:ho?color=f00)}`,
      },
      {},
      {
        name: 'classes',
        enforce: 'pre',
        configResolved({ logger }) {
          logger.warn = (line) => void lines.push(line);
        },
        resolveId: (id) => (id.endsWith('classes.css') ? '\0classes.css' : null),
        load: (id) => (id === '\0classes.css' ? written : null),
      },
    );
    const { code = '' } = (await server.transformRequest('/classes.css')) ?? {};
    // The placeholder.
    expect(code).toMatch(/background:url\(\\"data:image\/svg\+xml,[^"]*could%20not%20be%20fetched/);
    expect(code).toContain('mask:url(\\"data:image/svg+xml,');
    expect(lines.join('\n')).toMatch(
      /`icon:ho\?color=f00`[^]*imported by classes\.css\n[^]*A class asks for it/,
    );
    await expect(server.transformRequest('/by-hand.css')).rejects.toThrow('icon:ho');
  });

  it('names an icon that does not exist as the source does, and its importer, if a file has the options', async () => {
    const root = await writeProject({
      'icon-catalog.config.js': `export default { catalog: 'embedded', framework: 'react', defaults: { size: 20 }, cacheDir: '.cache' };`,
      'main.js': `\nimport home from 'icon:tabler/homme'; import bus from 'icon:tabler/homme?size=1em&as=svg';`,
    });
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', hmr: false },
      plugins: [vitePlugin()],
    });
    onTestFinished(() => server.close());
    const { pluginContainer: container } = server.environments.client;
    for (const written of ['icon:tabler/homme', 'icon:tabler/homme?as=svg&size=1em']) {
      const importer = join(root, 'main.js');
      const resolved = await container.resolveId(written, importer);
      await expect(container.load(resolved?.id ?? '')).rejects.toThrow(
        new RegExp(
          `Cannot load \`${written.replace('?', '\\?')}\`: No icon set[^]*imported by .*main.js:2:`,
        ),
      );
    }
  });

  it('puts a visible placeholder where the network is missing, warns, and has the icon once it is back', async () => {
    catalog.intercept = (_path, response) => {
      response.destroy();
      return true;
    };
    const warnings: string[] = [];
    const { server, url } = await serve(PAGE);
    server.config.logger.warn = (message) => void warnings.push(message);
    const page = await open(url);
    await page.locator('#app svg rect[stroke-dasharray]').waitFor();
    expect(warnings.join('\n')).toContain('CATALOG_UNAVAILABLE');
    expect(warnings.join('\n')).toContain('placeholder');

    catalog.reset();
    await page.reload();
    await page.locator('#app svg[width="40"]').waitFor();
    expect(await page.locator('rect[stroke-dasharray]').count()).toBe(0);
  });

  it('renders on the server', async () => {
    const { server } = await serve({
      ...PAGE,
      'server.js': `export { default as home } from 'icon:home?title=Home';`,
    });
    const { home } = (await server.ssrLoadModule('/server.js')) as { home: string };
    expect(home).toContain('<title>Home</title>');
  });

  it('costs no call for a page of another site, where another process renders pages, as with Nitro', async () => {
    // Its requests for modules come over a port, and name no request.
    const { port1, port2 } = new MessageChannel();
    const elsewhere: Plugin = {
      name: 'elsewhere',
      config: () => ({ server: { allowedHosts: true } }),
      configureServer(server) {
        port2.on('message', (id: number) => {
          server.ssrLoadModule('/server.js').then(
            ({ home }) => port2.postMessage([id, 200, home]),
            (error: Error) => port2.postMessage([id, 500, error.message]),
          );
        });
        let id = 0;
        const answers = new Map<number, (status: number, body: string) => void>();
        port1.on('message', ([of, status, body]: [number, number, string]) =>
          answers.get(of)?.(status, body),
        );
        server.middlewares.use('/page', (_, response) => {
          id += 1;
          port1.postMessage(id);
          answers.set(id, (status, body) => response.writeHead(status).end(body));
        });
      },
    };
    onTestFinished(() => port1.close());
    const files = { ...PAGE, 'server.js': `export { default as home } from 'icon:home?size=44';` };
    const { url, root } = await serve(files, {}, elsewhere);
    catalog.reset();
    // `fetch` sends a host of its own.
    const ask = async (headers: OutgoingHttpHeaders): Promise<[number | undefined, string]> =>
      new Promise((resolve, reject) => {
        get(`${url}page`, { headers }, (response) => {
          text(response).then((body) => resolve([response.statusCode, body]), reject);
        }).on('error', reject);
      });
    const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    for (const headers of [foreign, { host: 'rebound.example' }, { origin: 'https://a.example' }])
      expect(await ask(headers)).toEqual([500, expect.stringContaining('is not loaded')]);
    expect(catalog.calls).toEqual([]);
    expect(await readdir(root)).not.toContain('icons.lock');
    expect(await ask({})).toEqual([200, expect.stringContaining('<svg')]);
    expect(catalog.calls).toHaveLength(2);
    // What the project has is no secret to itself.
    expect((await ask({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }))[0]).toBe(
      200,
    );
  });

  it('asks once for an icon that client and server want', async () => {
    const { server, url } = await serve({
      ...PAGE,
      'server.js': `export { default as home } from 'icon:home?size=40';`,
    });
    catalog.reset();
    await Promise.all([
      server.ssrLoadModule('/server.js'),
      fetch(`${url}main.js`),
      server.transformRequest('icon:home?size=40'),
    ]);
    expect(catalog.calls.filter((call) => call.includes(String(aliases.home)))).toHaveLength(2);
  });

  it('serves what it has rendered while another one with the same plugins comes and goes', async () => {
    // What Astro does whenever it starts again.
    const { server, root, url } = await serve(PAGE);
    const { plugins } = server.config.inlineConfig;
    const other = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { middlewareMode: true, ws: false },
      plugins: plugins ?? [],
    });
    const { default: address } = await server.ssrLoadModule('icon:bus?url');
    await other.close();
    const { default: later } = await server.ssrLoadModule('icon:home?url');
    for (const path of [address, later] as string[])
      expect(await (await fetch(new URL(path, url))).text()).toContain('<svg');
  });
});
