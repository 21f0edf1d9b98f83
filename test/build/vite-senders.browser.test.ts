import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServer, type InlineConfig, type ViteDevServer } from 'vite';
import type { Browser, Page } from 'playwright-core';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import { launchBrowser } from '../support/browser.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { attack, servePages, WAYS } from '../support/foreign-pages.ts';
import { writeProject } from '../support/write-project.ts';

const id = (name: string): number => embeddedIconId('tabler', name);
const aliases = { shown: id('home'), lazy: id('star'), styled: id('moon'), drawn: id('bus') };
const LAZY = `/@id/icon:${aliases.lazy}?as=svg&color=currentColor&filetype=svg&size=1em`;

const PROJECT = {
  'index.html':
    '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><p id="p"></p><script type="module" src="/main.js"></script>',
  'drawn.html':
    '<!doctype html><html lang="en"><title>x</title><img inline src="icon:drawn" alt="">',
  'main.js': `import shown from 'icon:shown'; import file from 'icon:shown?url';
const show = (html) => { document.querySelector('#p').innerHTML = html };
show(shown + '<img alt="" src="' + file + '">');
window.file = file;
window.more = async () => { await import('./lazy.css'); show((await import('icon:lazy')).default); };`,
  'lazy.css': 'p { background: url(icon:styled?inline&color=f00) }',
};

/** As a client may write them: `fetch` would correct some. */
const MALFORMED = [
  '/50%.png',
  '//',
  '///a',
  '/%',
  '/%E0%A4%A.svg',
  '/@id/%',
  '/@id/icon:%',
  '/@fs/%zz',
  '/a%00b.png',
  '/icon:%2',
  '/..%2f..%2fetc',
  '/main.js%',
  '/@id/icon:1%3fx%',
];

let catalog: CountingCatalog;
let browser: Browser;
beforeAll(async () => {
  const rules = '--host-resolver-rules=MAP *.test 127.0.0.1';
  [catalog, browser] = await Promise.all([startCountingCatalog(), launchBrowser([rules])]);
});
afterAll(() => Promise.all([catalog.close(), browser.close()]));

async function serve(
  files: Record<string, string>,
  { root, ...config }: InlineConfig = {},
): Promise<{ server: ViteDevServer; root: string; port: number; warnings: string[] }> {
  const folder = root ?? (await writeProject(files));
  const { url: baseUrl, key, secret } = catalog;
  catalog.reset();
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    ...config,
    server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' }, ...config.server },
    plugins: [
      vitePlugin({
        catalog: { baseUrl, key, secret },
        aliases,
        cacheDir: join(folder, '.cache'),
        retries: 0,
      }),
    ],
  });
  onTestFinished(() => server.close());
  const warnings: string[] = [];
  server.config.logger.warn = (message) => void warnings.push(message);
  await server.listen();
  const port = Number(new URL(server.resolvedUrls?.local[0] ?? '').port);
  return { server, root: folder, port, warnings };
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(url);
  return page;
}

async function askFor(
  port: number,
  path: string,
  accept: string,
): Promise<{ status: number | undefined; body: string }> {
  const sent = request({ host: '127.0.0.1', port, path, headers: { accept } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}

describe("pages that are not the project's", () => {
  it('cost no call, add nothing to the lock and read no icon, whatever they send', async () => {
    const { server, root, port, warnings } = await serve(PROJECT, {
      server: { allowedHosts: true },
    });
    const lockText = (): Promise<string> =>
      readFile(join(root, 'icons.lock'), 'utf8').catch(() => '');
    const own = await open(`http://localhost:${port}/`);
    await own.locator('#p svg').waitFor();
    await expect.poll(lockText).toContain(`"${aliases.shown}:svg"`);
    const before = { calls: [...catalog.calls], lock: await lockText() };
    expect(before.calls).toHaveLength(2);

    const others = await servePages({});
    const server1 = `http://localhost:${port}`;
    const rebound = `http://rebound.test:${port}`;
    const attackers = [
      { page: `http://evil.test:${others}/`, target: server1 },
      // Vite's default lets these pages read the whole project.
      { page: `http://localhost:${others}/`, target: server1 },
      { page: `http://127.0.0.1:${others}/`, target: server1 },
      // A name that led to the attacker's server before, and leads to this one.
      { page: `${rebound}/`, target: rebound },
    ];
    const file = new URL(
      await own.evaluate(() => Reflect.get(globalThis, 'file') as string),
      server1,
    );
    // An icon that the server has made already, by the address under which the project's script imports it.
    const script = await (await fetch(`${server1}/main.js`)).text();
    const [, made = ''] = /"(\/@id\/icon:[^"]*)"/.exec(script) ?? [];
    expect(await (await fetch(server1 + made)).text()).toContain('viewBox');
    const read: string[] = [];
    for (const { page: address, target } of attackers) {
      const page = await open(address);
      const each = (path: (at: number) => string): Record<string, string> =>
        Object.fromEntries(WAYS.map((way, at) => [way, target + path(at)]));
      const unknown = ['bell', 'car', 'cat', 'dog', 'door', 'fish', 'flag', 'key', 'leaf'].map(id);
      const addresses = [
        // Every way asks for another icon.
        each((at) => `/@id/icon:${unknown[at]}`),
        each((at) => `/@id/icon:${unknown[0]}?size=${at + 2}&import`),
        each(() => LAZY),
        each(() => `${LAZY}&import`),
        each(() => LAZY.replace(`${aliases.lazy}`, `${aliases.shown}`)),
        each(() => made),
        each(() => '/icon-attribution.json'),
        // What the project itself asks for in a style sheet and in a page.
        each(() => '/lazy.css'),
        each(() => '/lazy.css?inline'),
        each(() => '/drawn.html'),
      ];
      for (const all of addresses) read.push(...(await page.evaluate(attack, all)));
      if (target === rebound)
        read.push(...(await page.evaluate(attack, { cors: rebound + file.pathname })));
    }
    expect(read.filter((text) => text.includes('viewBox') || text === 'an image')).toEqual([]);
    // They read that there is nothing, or the script of a page of their own name.
    expect(read.join()).toContain('not served to pages of other sites');
    expect(catalog.calls).toEqual(before.calls);
    expect(await lockText()).toBe(before.lock);
    expect(warnings.join('\n')).toContain(`"rebound.test:${port}"`);
    for (const host of ['evil.test', 'localhost', '127.0.0.1'])
      expect(warnings.filter((text) => text.includes(`http://${host}:${others}`))).toHaveLength(1);

    await own.evaluate(() => (Reflect.get(globalThis, 'more') as () => Promise<void>)());
    await own.locator('#p svg').waitFor();
    const drawn = await open(`http://localhost:${port}/drawn.html`);
    await drawn.locator('svg').waitFor();
    await server.close();
    const keys = (await lockText()).match(/\d+:svg/g);
    expect(new Set(keys)).toEqual(new Set(Object.values(aliases).map((one) => `${one}:svg`)));
    expect(catalog.calls).toHaveLength(8);
  });

  it.each<{ says: string; hosts: string[]; server: InlineConfig['server'] }>([
    {
      says: '`server.cors` allows their origins',
      hosts: ['http://localhost', 'http://backend.test'],
      server: { cors: { origin: [/^http:\/\/(localhost|backend\.test)(:|$)/] } },
    },
    {
      says: '`server.origin` is set, as plugins of backends do',
      hosts: ['http://localhost'],
      server: { origin: 'http://localhost:1' },
    },
  ])('that a backend renders have their icons if $says', async ({ hosts, server }) => {
    const { port } = await serve(
      { ...PROJECT, 'page.css': 'p { background: url(icon:styled?inline&color=f00) }' },
      { server },
    );
    const vite = `http://localhost:${port}`;
    const html = `<!doctype html><title>x</title><link rel="stylesheet" href="${vite}/page.css"><p id="p"></p><script type="module" src="${vite}/main.js"></script>`;
    const pages = await servePages({ '/page': html });
    for (const host of hosts) {
      const page = await open(`${host}:${pages}/page`);
      await page.locator('#p svg').waitFor();
      const style = await page.locator('#p').evaluate((p) => getComputedStyle(p).backgroundImage);
      expect(style).toContain('svg');
      const image = page.locator('#p img');
      await image.evaluate((img: HTMLImageElement, origin) => {
        img.src = origin + new URL(img.src).pathname;
        return img.decode();
      }, vite);
      await page.evaluate(() => (Reflect.get(globalThis, 'more') as () => Promise<void>)());
      await page.locator('#p svg').waitFor();
    }
  });
});

describe('ids that no module imports', () => {
  it('do not exist', async () => {
    const { server, port, warnings } = await serve(PROJECT);
    const url = `http://localhost:${port}`;
    const ids = `${id('ad')},${id('bell')}`;
    const paths = [
      `/@id/icon:${id('ad')}`,
      `/@id/icon:${id('ad')}?import&t=123`,
      `/@id/icon:set?ids=${ids}`,
      '/@id/icon:credits',
      '/@id/icon:no-such-alias',
      '/@id/icon:1?x.css',
    ];
    for (const path of paths) expect((await fetch(url + path)).status, path).toBe(404);
    expect(catalog.calls).toEqual([]);
    const ours = warnings.filter((text) => text.includes('icon-catalog'));
    expect(ours).toHaveLength(1);
    expect(ours[0]).toMatch(/GET \/@id\/icon:\d+ is answered with 404/);
    // A script of the project may ask for what it likes.
    expect(await server.ssrLoadModule(`icon:${id('ad')}`)).toHaveProperty('default');
    expect(catalog.calls).toHaveLength(2);
  });

  it('are answered as without the plugin where a path is malformed', async () => {
    const plain = await createServer({
      root: await writeProject(PROJECT),
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
    });
    onTestFinished(() => plain.close());
    await plain.listen();
    const { port } = await serve(PROJECT);
    const plainPort = Number(new URL(plain.resolvedUrls?.local[0] ?? '').port);
    // The last two show the project's page for some of the paths, which asks for its icons.
    for (const accept of ['image/png', 'text/css', 'text/html', '*/*'])
      for (const path of MALFORMED) {
        const [ours, theirs] = await Promise.all(
          [port, plainPort].map((each) => askFor(each, path, accept)),
        );
        expect({ path, accept, ...ours }).toEqual({ path, accept, ...theirs });
        if (accept.includes('html') || accept === '*/*') continue;
        expect([path, ours?.status, catalog.calls]).toEqual([path, 404, []]);
      }
  });

  it('exist again after a restart, for a page that was open meanwhile', async () => {
    const config: InlineConfig = { server: { hmr: false, ws: false } };
    const first = await serve(PROJECT, config);
    const { root, port } = first;
    const page = await open(`http://localhost:${port}/`);
    await page.locator('#p svg').waitFor();
    await first.server.close();
    await serve(PROJECT, { root, server: { ...config.server, port, strictPort: true } });
    await page.evaluate(() => (Reflect.get(globalThis, 'more') as () => Promise<void>)());
    await page.locator('#p svg').waitFor();
    expect(catalog.calls).toContain(`GET /v2/icon/${aliases.lazy}/download`);
  });
});
