import { setTimeout as delay } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazyCompilationMiddleware, rspack, type Configuration } from '@rspack/core';
import webpack from 'webpack';
import { createServer as createVitePress } from 'vitepress';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import rspackPlugin from '../../src/rspack.ts';
import { embeddedIconId } from '../../src/server.ts';
import webpackPlugin from '../../src/webpack.ts';
import type { ProjectAnswer } from '../../src/picker/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { freePort, pickerApi, startDevServer } from '../support/dev-server.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { attack, servePages, WAYS } from '../support/foreign-pages.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const id = (name: string): number => embeddedIconId('tabler', name);
const aliases = {
  shown: id('home'),
  lazy: id('star'),
  other: id('bus'),
  edited: id('cat'),
  page: id('moon'),
};
const LAZY = `icon:${aliases.lazy}?as=svg&color=currentColor&filetype=svg&size=1em`;

let catalog: CountingCatalog;
let browser: Browser;
const catalogs: CountingCatalog[] = [];
beforeAll(async () => {
  browser = await launchBrowser(['--host-resolver-rules=MAP *.test 127.0.0.1']);
});
// One for each test: a server that is being closed may still ask for what its project needs.
beforeEach(async () => {
  catalog = await startCountingCatalog();
  catalogs.push(catalog);
});
afterAll(() => Promise.all([browser.close(), ...catalogs.map((each) => each.close())]));

/** Code that makes the plugin, for configuration files. */
function plugin(bundler = 'vite', logLevel = 'silent'): string {
  const { url: baseUrl, key, secret } = catalog;
  const options = { catalog: { baseUrl, key, secret }, aliases, cacheDir: '.icons', retries: 0 };
  return `import iconCatalog from 'unplugin-icon-catalog/${bundler}';
const icons = iconCatalog(${JSON.stringify({ ...options, logLevel })});`;
}

interface Running {
  root: string;
  port: number;
  /** The address of the icon browser, as the terminal shows it. */
  picker: string;
  /** The file that has the options. */
  config: string;
}

async function runSvelteKit(): Promise<Running> {
  const root = await project({
    'vite.config.js': `${plugin()}
import { sveltekit } from '@sveltejs/kit/vite';
export default {
  plugins: [icons, sveltekit()],
  server: { host: '127.0.0.1', port: 0, allowedHosts: true },
};`,
    'svelte.config.js': 'export default {};',
    'src/app.html':
      '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body data-sveltekit-preload-data="off">%sveltekit.body%</body></html>',
    'src/routes/+page.svelte': `<script>import { onMount } from 'svelte'; import shown from 'icon:shown?as=svg'; let more = $state('');
onMount(() => { window.more = async () => { more = (await import('icon:lazy?as=svg')).default }; });</script>
<p id="p">{@html shown}</p><p id="more">{@html more}</p><a href="/page">Page</a>`,
    'src/routes/page/+page.svelte': `<script>import page from 'icon:page?as=svg'</script><p id="p">{@html page}</p>`,
  });
  return started(root, { script: 'node_modules/vite/bin/vite.js', config: 'vite.config.js' });
}

async function runAstro(): Promise<Running> {
  const root = await project({
    'astro.config.mjs': `${plugin('astro')}
export default {
  integrations: [icons],
  server: { host: '127.0.0.1', port: ${await freePort()}, allowedHosts: true },
};`,
    'src/more.js': `export { default } from 'icon:lazy?as=svg';`,
    'src/pages/index.astro': `---
import shown from 'icon:shown?as=svg';
---
<html lang="en"><body><p id="p" set:html={shown} /><p id="more"></p>
<script>window.more = async () => { document.querySelector('#more').innerHTML = (await import('../more.js')).default };</script></body></html>`,
    'src/pages/page.astro': `---
import page from 'icon:page?as=svg';
---
<html lang="en"><body><p id="p" set:html={page} /></body></html>`,
  });
  return started(root, { script: 'node_modules/astro/astro.js', config: 'astro.config.mjs' });
}

async function started(
  root: string,
  { script, config }: { script: string; config: string },
): Promise<Running> {
  const dev = await startDevServer([join(REPOSITORY, script), 'dev'], {
    cwd: root,
    env: { ASTRO_TELEMETRY_DISABLED: '1' },
  });
  expect(dev.printed().split('/__icon-catalog/')).toHaveLength(2);
  return { root, port: Number(dev.address.port), picker: dev.address.href, config };
}

async function runVitePress(): Promise<Running> {
  const vite = {
    logLevel: 'silent',
    server: { allowedHosts: true },
  };
  const root = await project({
    '.vitepress/config.mjs': `${plugin()}
export default { vite: { ...${JSON.stringify(vite)}, plugins: [icons] } };`,
    'index.md': `<script setup>
import { onMounted, ref } from 'vue'; import shown from 'icon:shown?as=svg'; const more = ref('');
onMounted(() => { window.more = async () => { more.value = (await import('icon:lazy?as=svg')).default }; });
</script>

<p id="p" v-html="shown"></p><p id="more" v-html="more"></p>`,
    'page.md': `<script setup>import page from 'icon:page?as=svg'</script>

<p id="p" v-html="page"></p>`,
  });
  const server = await createVitePress(root, { port: 0, host: '127.0.0.1' });
  // A part of what is still under way may end with this process only.
  onTestFinished(() => Promise.race([server.close(), delay(5000, undefined, { ref: false })]));
  await server.listen();
  // Its command prints the addresses.
  const printed: string[] = [];
  server.config.logger.info = (line) => void printed.push(line);
  server.printUrls();
  const shown = printed.filter((line) => line.includes('/__icon-catalog/'));
  expect(shown).toHaveLength(1);
  const [, picker = ''] = /Icons:\s+(http\S+)$/.exec(shown[0] ?? '') ?? [];
  return { root, port: Number(new URL(picker).port), picker, config: '.vitepress/config.mjs' };
}

/** A project in a folder whose parent has this package installed. */
async function project(files: Record<string, string>): Promise<string> {
  const parent = await writeProject({ 'node_modules/.keep': '' });
  await symlink(REPOSITORY, join(parent, 'node_modules/unplugin-icon-catalog'));
  const root = join(parent, 'app');
  await writeFiles(root, { 'package.json': '{"type":"module","private":true}', ...files });
  await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  return root;
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

const lockOf = (root: string): Promise<string> =>
  readFile(join(root, 'icons.lock'), 'utf8').catch(() => '');

describe.each([
  {
    name: 'SvelteKit',
    run: runSvelteKit,
    page: '/page',
    sources: ['/src/routes/page/+page.svelte'],
  },
  { name: 'VitePress', run: runVitePress, page: '/page.html', sources: ['/page.md'] },
  {
    name: 'Astro',
    run: runAstro,
    page: '/page',
    sources: ['/src/pages/page.astro', '/src/more.js'],
  },
])('the dev server of $name', ({ run, page: lazyPage, sources }) => {
  it('spends no call on pages of other sites, and shows its own pages their icons', async () => {
    const { root, port, picker, config } = await run();
    const own = await open(`http://localhost:${port}/`);
    await own.locator('#p svg').waitFor();
    await expect.poll(() => lockOf(root)).toContain(`"${aliases.shown}:svg"`);
    const before = { calls: [...catalog.calls], lock: await lockOf(root) };
    expect(before.calls).toEqual(callsFor(['shown']));

    const others = await servePages({});
    const target = `http://localhost:${port}`;
    const rebound = `http://rebound.test:${port}`;
    const read: string[] = [];
    for (const { from, to } of [
      { from: `http://evil.test:${others}/`, to: target },
      { from: `http://localhost:${others}/`, to: target },
      { from: `${rebound}/`, to: rebound },
    ]) {
      const page = await open(from);
      const paths = [
        `/@id/icon:${id('bell')}`,
        `/@id/${LAZY}`,
        `/@id/${LAZY}&import`,
        lazyPage,
        ...sources,
      ];
      const asked = paths.map((path) =>
        page.evaluate(attack, Object.fromEntries(WAYS.map((way) => [way, to + path]))),
      );
      read.push(...(await Promise.all(asked)).flat());
    }
    expect(read.filter((text) => text === 'an image')).toEqual([]);
    expect(catalog.calls).toEqual(before.calls);
    expect(await lockOf(root)).toBe(before.lock);

    await own.evaluate(() => (Reflect.get(globalThis, 'more') as () => Promise<void>)());
    await own.locator('#more svg').waitFor();
    const page = await open(target + lazyPage);
    await page.locator('#p svg').waitFor();
    expect(catalog.calls).toHaveLength(6);

    // The icon browser is there, guarded, and writes into the file that calls the plugin.
    const asked = pickerApi(new URL(picker));
    expect(await asked.refusals()).toEqual([403, 403, 401]);
    const { write } = await asked.post<ProjectAnswer>('project');
    expect(write).toMatchObject({ possible: true, file: config });
    await asked.post('add', { items: [{ id: String(id('bell')), alias: 'ring' }] });
    expect(await readFile(join(root, config), 'utf8')).toContain(
      `"page":${aliases.page}, "ring": ${id('bell')}}`,
    );
    expect(await lockOf(root)).toContain(`"${id('bell')}:svg"`);
  });
});

const callsFor = (names: readonly (keyof typeof aliases)[]): string[] =>
  names.flatMap((name) => [
    `GET /v2/icon/${aliases[name]}`,
    `GET /v2/icon/${aliases[name]}/download`,
  ]);

/** Has every process print what its servers are asked, as they see it. */
const PRINTS_REQUESTS = `import { subscribe } from 'node:diagnostics_channel';
subscribe('http.server.request.start', ({ request: { method, url, headers } }) =>
  console.log('asked: ' + method + ' ' + url + ' of ' + headers.host));`;

const NEXT_PROJECT = {
  'app/layout.jsx': `export const metadata = { title: 'x', icons: 'data:,' };
export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
  'app/page.jsx': `import shown from 'icon:shown?as=svg';
export default function Page() { return <p id="p" dangerouslySetInnerHTML={{ __html: shown }} />; }`,
  'app/page/page.jsx': `import page from 'icon:page?as=svg';
export default function Page() { return <p id="p" dangerouslySetInnerHTML={{ __html: page }} />; }`,
  'app/styled/page.jsx': `import './page.css'; export default function Page() { return <p id="p" />; }`,
  'app/styled/page.css': '#p { background: url(icon:lazy) }',
  'app/other/route.js': `import other from 'icon:other?as=svg'; export const GET = () => new Response(other);`,
  'public/plain.txt': 'plain',
};

it('the dev server of Next.js with webpack: spends no call on pages of other sites that have it compile', async () => {
  const root = await project({
    ...NEXT_PROJECT,
    'prints.mjs': PRINTS_REQUESTS,
    'next.config.mjs': `${plugin('webpack')}
export default {
  allowedDevOrigins: ['*.mine.test'],
  webpack: (config) => ({ ...config, plugins: [...config.plugins, icons] }),
};`,
  });
  const next = join(REPOSITORY, 'node_modules/next/dist/bin/next');
  const { address, printed } = await startDevServer([next, 'dev', '--webpack', '--port', '0'], {
    cwd: root,
    env: { NEXT_TELEMETRY_DISABLED: '1', NODE_OPTIONS: `--import=${join(root, 'prints.mjs')}` },
    shows: /Local:\s+(http\S+)\s/,
  });
  const { port } = address;
  const target = `http://localhost:${port}`;
  const rebound = `http://rebound.test:${port}`;
  const asked = (text: string): number => printed().split(`asked: ${text}`).length - 1;
  /** Its process has had time for what each request may lead to. */
  const turns = async (): Promise<void> => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    for (let turn = 0; turn < 20; turn += 1)
      expect(await (await fetch(`${target}/plain.txt`, { headers })).text()).toBe('plain');
  };
  const own = await open(target);
  await own.locator('#p svg').waitFor();
  await expect.poll(() => lockOf(root)).toContain(`"${aliases.shown}:svg"`);
  const before = { calls: [...catalog.calls], lock: await lockOf(root) };
  expect(before.calls).toEqual(callsFor(['shown']));

  const others = await servePages({});
  for (const [from, to] of [
    [`http://evil.test:${others}/`, target],
    [`http://localhost:${others}/`, target],
    [`${rebound}/plain.txt`, rebound],
  ] as const) {
    // No more at once than the connections that a browser opens to one server.
    for (const ways of [WAYS.slice(0, 5), WAYS.slice(5)]) {
      const page = await open(from);
      const before = asked('');
      void page
        .evaluate(attack, Object.fromEntries(ways.map((way) => [way, `${to}/page?${way}`])))
        .catch(() => undefined);
      await expect.poll(() => asked('')).toBeGreaterThanOrEqual(before + ways.length);
      // Next.js compiles nothing for a page that is closed before it has come to its requests.
      await expect.poll(printed).toContain('A page of http://');
      await page.close();
    }
  }
  expect(WAYS).toHaveLength(9);
  // The overlay of an open page loads this at some time.
  await own.evaluate(() => fetch('/__nextjs_font/geist-latin.woff2'));
  await turns();
  expect(catalog.calls).toEqual(before.calls);
  expect(await lockOf(root)).toBe(before.lock);

  const page = await open(`${target}/page`);
  await page.locator('#p svg').waitFor();
  expect(catalog.calls).toEqual(callsFor(['shown', 'page']));
  // A link leads here from everywhere. Others may ask while what it leads to is compiled.
  const foreign = await open(`http://evil.test:${others}/`);
  const opened = foreign.waitForEvent('popup');
  await foreign.evaluate((url) => void window.open(url), `${target}/styled`);
  await expect.poll(() => asked('GET /styled of localhost')).toBe(1);
  void foreign.evaluate(attack, { img: `${target}/nothing` }).catch(() => undefined);
  await (await opened).waitForLoadState();
  expect(catalog.calls).toEqual(callsFor(['shown', 'page', 'lazy']));

  // A host that the project allows. An open page asks again when something was compiled, which would let others go on.
  for (const each of [own, page, await opened]) await each.close();
  const waits = (): number => printed().split('They wait, and Next.js with them').length - 1;
  const waited = waits();
  void foreign.evaluate(attack, { img: `${target}/other` }).catch(() => undefined);
  await expect.poll(waits).toBe(waited + 1);
  await turns();
  expect(catalog.calls).toEqual(callsFor(['shown', 'page', 'lazy']));
  const allowed = await open(`http://web.mine.test:${others}/`);
  await allowed.evaluate(attack, { img: `${target}/other` });
  expect(catalog.calls).toEqual(callsFor(['shown', 'page', 'lazy', 'other']));

  // An open page learns of an edited file without a request.
  await (await open(target)).locator('#p svg').waitFor();
  void foreign.evaluate(attack, { img: `${target}/last` }).catch(() => undefined);
  await expect.poll(() => asked('GET /last')).toBe(1);
  const edited = NEXT_PROJECT['app/page.jsx'].replace('icon:shown', 'icon:edited');
  await writeFiles(root, { 'app/page.jsx': edited });
  await expect
    .poll(() => catalog.calls)
    .toEqual(callsFor(['shown', 'page', 'lazy', 'other', 'edited']));
});

const LAZY_PROJECT = {
  'index.js': `import shown from 'icon:shown?as=svg'; document.querySelector('#p').innerHTML = shown;
window.more = async () => { document.querySelector('#more').innerHTML = (await import('./lazy.js')).default };
window.unopened = () => import('./unopened.js');`,
  'unopened.js': `import page from 'icon:page?as=svg'; export default page;`,
  'lazy.js': `import lazy from 'icon:lazy?as=svg'; export default lazy;`,
};
const HTML =
  '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><p id="p"></p><p id="more"></p><script src="/main.js"></script>';

describe.each(['webpack', 'rspack'] as const)('lazy compilation of %s', (bundler) => {
  it('compiles what a page of the project wants, and nothing for pages of other sites that know a path', async () => {
    const root = await project(LAZY_PROJECT);
    const { url: baseUrl, key, secret } = catalog;
    const options = { catalog: { baseUrl, key, secret }, aliases, cacheDir: '.icons', retries: 0 };
    const config: webpack.Configuration = {
      mode: 'development',
      context: root,
      entry: { main: './index.js' },
      output: { path: join(root, 'dist'), publicPath: '/' },
      infrastructureLogging: { level: 'none' },
    };
    const lazy = { entries: false, imports: true };
    const listen = { port: 0, host: '127.0.0.1' };
    const lazyCompilation = { ...lazy, backend: { listen } };
    const plugins = [webpackPlugin(options)];
    const forWebpack = { ...config, experiments: { lazyCompilation }, plugins };
    const forRspack = { ...config, lazyCompilation: lazy, plugins: [rspackPlugin(options)] };
    const byRspack = bundler === 'rspack' ? rspack(forRspack as Configuration) : undefined;
    const compiler = byRspack ?? webpack(forWebpack);
    const trigger = byRspack && lazyCompilationMiddleware(byRspack);
    const server = createServer((request, response) => {
      const serve = (): void => {
        const path = request.url === '/' ? undefined : join(root, 'dist', request.url ?? '');
        response.setHeader('Content-Type', path === undefined ? 'text/html' : 'text/javascript');
        void (path === undefined ? Promise.resolve(HTML) : readFile(path)).then(
          (body) => response.end(body),
          () => response.writeHead(404).end(),
        );
      };
      if (trigger === undefined) serve();
      else void trigger(request, response, serve);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const errors: string[] = [];
    const chunks = new Set<string>();
    const watching = compiler.watch({}, (error, stats) => {
      if (error) errors.push(error.message);
      const reported = stats?.toJson({ all: false, errors: true });
      errors.push(...(reported?.errors ?? []).map(({ message }) => message));
      // The report leaves out what an earlier compilation wrote, and a compilation that is invalidated while it runs is
      // never reported: its files would not be named at all.
      for (const name of Object.keys(stats?.compilation.assets ?? {})) chunks.add(name);
    });
    onTestFinished(async () => {
      await new Promise<void>((done) => watching?.close(() => done()));
      await new Promise<void>((done) => compiler.close(() => done()));
      server.closeAllConnections();
      server.close();
    });
    await expect.poll(() => [...chunks]).toContain('main.js');
    const target = `http://localhost:${(server.address() as AddressInfo).port}`;
    const own = await open(target);
    await own.locator('#p svg').waitFor();
    expect(catalog.calls).toHaveLength(2);

    const others = await servePages({});
    // Paths of modules are no secret, and Rspack's default address is none either.
    const scripts = [...(await readTree(join(root, 'dist'))).values()].join('\n');
    const [, host = ''] = /http%3A%2F%2F([\w.%]+?)%2Flazy-compilation-using-/.exec(scripts) ?? [];
    const [, path = ''] = /data = \\?"([^"]*unopened\.js)/.exec(scripts) ?? [];
    expect(path).toContain(root);
    const address =
      bundler === 'webpack'
        ? `http://${decodeURIComponent(host)}/lazy-compilation-using-${path}`
        : `${target}/_rspack/lazy/trigger`;
    const rebound = (url: string): string => {
      const { pathname, port } = new URL(url);
      return `http://rebound.test:${port}${pathname}`;
    };
    for (const { from, to } of [
      { from: `http://evil.test:${others}/`, to: address },
      { from: `http://localhost:${others}/`, to: address },
      // The name belongs to somebody else, and leads to this machine by now: both are of one origin.
      { from: new URL('/', rebound(address)).href, to: rebound(address) },
    ]) {
      const page = await open(from);
      const ways = Object.fromEntries(WAYS.map((way) => [way, to]));
      await page.evaluate(attack, { ...ways, body: path });
      await page.close();
    }

    // Without a client for hot updates a page gets what was compiled when it is loaded again.
    await own.evaluate(() => void (Reflect.get(globalThis, 'more') as () => Promise<void>)());
    await expect.poll(() => catalog.calls).toHaveLength(4);
    await expect.poll(() => [...chunks]).toContain('lazy_js.js');
    await own.reload();
    await own.evaluate(() => (Reflect.get(globalThis, 'more') as () => Promise<void>)());
    await own.locator('#more svg').waitFor();
    expect(errors).toEqual([]);
    expect(catalog.calls).toEqual(callsFor(['shown', 'lazy']));
  });
});
