import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { createLogger, createServer, type ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { createPickerHandler, pickerAddress } from '../../src/picker/shell.ts';
import { createPickerState } from '../../src/picker/state.ts';
import { embeddedIconId } from '../../src/server.ts';
import { isObject } from '../../src/untrusted.ts';
import iconCatalog from '../../src/vite.ts';
import { launchBrowser } from '../support/browser.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { takeCalendarByKeyboard } from './keyboard-walk.ts';
import { removeFolder } from '../support/temporary-folder.ts';

/** The page over the real handler, in a dev server of Vite whose catalog counts what arrives. */

/** What a browser has that the user has let into Vite DevTools. */
const LET_IN = 'a-browser-of-the-user';

let browser: Browser;
let catalog: CountingCatalog;
let server: ViteDevServer;
let page: Page;
let root: string;
let address = '';
/** What the page reports as an error, and what it asks of other origins. */
const wrong: string[] = [];
/** Everything that the page has received, and that the terminal has shown. */
const seen: string[] = [];
const bodies: Promise<unknown>[] = [];

const CONFIG = (url: string, key: string, secret: string): string => `export default {
  catalog: { baseUrl: '${url}', key: '${key}', secret: '${secret}' },
  retries: 0,
  cacheDir: '.cache',
  // Names of this project.
  aliases: {
    home: ${embeddedIconId('tabler', 'home')}, // the first one
  },
};
`;

beforeAll(async () => {
  [browser, catalog] = await Promise.all([
    launchBrowser(),
    startCountingCatalog({ sets: ['tabler'] }),
  ]);
  root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-page-')));
  await writeFiles(root, {
    'package.json': '{"name":"shop","type":"module","private":true}',
    'icon-catalog.config.js': CONFIG(catalog.url, catalog.key, catalog.secret),
    'index.html':
      '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.js"></script>',
    'main.js': `import home from 'icon:home';\ndocument.querySelector('#app').innerHTML = home;\n`,
  });
  const logger = createLogger('silent');
  logger.info = (line) => {
    seen.push(line);
    address = /Icons:\s+(\S+)/.exec(line)?.[1] ?? address;
  };
  for (const level of ['warn', 'error'] as const) logger[level] = (line) => void seen.push(line);
  server = await createServer({
    root,
    configFile: false,
    mode: 'development',
    customLogger: logger,
    devtools: { clientAuthTokens: [LET_IN] },
    server: { port: 0, host: '127.0.0.1' },
    plugins: [iconCatalog()],
  });
  await server.listen();
  server.printUrls();
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = await context.newPage();
  page.on('response', (response) => {
    seen.push(response.url(), JSON.stringify(response.headers()));
    // An answer whose page has gone has no body any more.
    bodies.push(
      response.text().then(
        (text) => seen.push(text),
        () => undefined,
      ),
    );
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) {
      wrong.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL('/', address).href)) wrong.push(request.url());
  });
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await catalog.close();
  await removeFolder(root);
});
afterEach(() => expect(wrong).toEqual([]));

const signed = (): string[] => catalog.calls.filter((call) => call.includes(' /v2/'));
const cells = () => page.getByRole('gridcell');
const config = () => readFile(join(root, 'icon-catalog.config.js'), 'utf8');
const lock = () => readFile(join(root, 'icons.lock'), 'utf8');

async function visit(search = ''): Promise<void> {
  await page.goto('about:blank');
  const { origin, pathname, hash } = new URL(address);
  await page.goto(`${origin}${pathname}${search}${hash}`);
}

async function find(query: string): Promise<void> {
  await page.fill('#query', query);
  await page.keyboard.press('Enter');
  await page.locator('.count-line', { hasText: /icons · (?:\d+ call|asked)/ }).waitFor();
}

it('a word, the second hit, a name, Add, copy: by keyboard, and the icon is on screen', async () => {
  await visit();
  await page.getByRole('grid').first().waitFor();
  catalog.reset();
  const { strokes, id: second, copied } = await takeCalendarByKeyboard(page);
  expect(strokes).toBeLessThanOrEqual(12);
  expect(signed()).toEqual(['GET /v2/icon', `GET /v2/icon/${second}/download`]);
  expect(await config()).toContain(`day: ${second}`);

  expect(copied).toBe("import day from 'icon:day';");
  await writeFile(
    join(root, 'main.js'),
    `${copied}\ndocument.querySelector('#app').innerHTML = day;\n`,
  );
  // The same page sees its use, without being loaded again.
  await page.locator(`[role=gridcell][data-id="${second}"] .flag.used`).waitFor();
  await page.getByRole('button', { name: /main\.js:1/ }).waitFor();
  // The server follows the file of options as soon as its watcher has seen the change.
  const script = new URL('/main.js', address).href;
  await expect.poll(async () => (await fetch(script)).status).toBe(200);
  const app = await page.context().newPage();
  await app.goto(new URL('/', address).href);
  await app.locator('#app svg').waitFor();
  await app.close();
  expect(signed()).toHaveLength(2);

  // Words that have been searched cost nothing after a reload.
  await page.reload();
  await page.locator('.count-line', { hasText: 'asked' }).waitFor();
  expect(signed()).toHaveLength(2);
  await visit('?view=project');
  await expect.poll(() => cells().count()).toBe(2);
});

it('moving, filtering, colours and sizes cost nothing, on any screen', async () => {
  await visit();
  await find('calendar');
  catalog.reset();
  await cells().nth(3).click();
  await page.locator('.stage .glyph.mask').waitFor();
  for (let at = 0; at < 10; at += 1) await page.getByLabel('Colour in hex').fill(`12345${at}`);
  for (const size of [16, 20, 24, 32, 48]) {
    await page.locator('.size-row label', { hasText: `${size}` }).click();
  }
  await page.getByRole('button', { name: 'Line', exact: true }).click();
  for (const screen of ['Collections', 'This project', 'Bag', 'Help', 'Search']) {
    await page.getByRole('navigation').getByRole('button', { name: screen }).click();
  }
  await page.locator('#query').waitFor();
  expect(signed()).toEqual([]);
});

it('after a 429 no call is made until the page is loaded again, and the local screens work', async () => {
  await visit();
  await page.getByRole('grid').first().waitFor();
  catalog.reset();
  catalog.intercept = (path, response) => {
    if (!path.startsWith('/v2/')) return false;
    response.writeHead(429, { 'content-type': 'application/json' }).end('{}');
    return true;
  };
  await page.fill('#query', 'rocket');
  await page.keyboard.press('Enter');
  await page.locator('.notice', { hasText: 'limit is reached' }).waitFor();
  const made = signed().length;
  await page.fill('#query', 'moon');
  await page.keyboard.press('Enter');
  await page.locator('.empty', { hasText: 'moon' }).waitFor();
  await page.getByRole('button', { name: 'This project' }).click();
  await expect.poll(() => cells().count()).toBeGreaterThan(0);
  expect(signed()).toHaveLength(made);
  catalog.reset();
  // The first search may be answered before what the page asks of the project.
  let letGo = (): void => undefined;
  const isSearched = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/project', async (route) => {
    await isSearched;
    await route.continue();
  });
  await visit();
  await page.fill('#query', 'moon');
  await page.keyboard.press('Enter');
  await page.locator('.count-line', { hasText: '1 call' }).waitFor();
  letGo();
  expect(await page.locator('.notice').count()).toBe(0);
  await page.unroute('**/api/project');
});

it('a stopped catalog is said, and what was asked before is still there', async () => {
  await visit();
  await find('calendar');
  catalog.intercept = (path, response) => {
    if (!path.startsWith('/v2/')) return false;
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    return true;
  };
  await page.fill('#query', 'sailboat');
  await page.keyboard.press('Enter');
  await page.locator('.notice', { hasText: 'refused the signature' }).waitFor();
  expect(await page.locator('.notice').textContent()).toContain('Clock of this machine');
  await page.fill('#query', 'calendar');
  await page.locator('.count-line', { hasText: /call|asked/ }).waitFor();
  await expect.poll(() => cells().count()).toBeGreaterThan(9);
  catalog.reset();
});

it('adds and undoes, and shows no secret, signature or signed address anywhere', async () => {
  await visit();
  await find('anchor');
  const before = [await config(), await lock()];
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('a');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('alias');
  await page.keyboard.type('harbour');
  await page.keyboard.press('Enter');
  await page.locator('.toast', { hasText: 'Added harbour' }).waitFor();
  await page.locator('[role=gridcell]:focus').waitFor();
  seen.push(await page.content());
  expect(await config()).toContain('harbour: ');
  expect(await lock()).not.toBe(before[1]);
  await page.keyboard.press('Control+z');
  await page.locator('.toast', { hasText: 'Undone' }).waitFor();
  expect([await config(), await lock()]).toEqual(before);

  await Promise.all(bodies);
  // A lock of the server's cache may go away while the folder is read.
  const files = await vi.waitFor(() => readTree(root), { timeout: 60_000 });
  files.delete('icon-catalog.config.js');
  const all = [...seen, ...[...files.values()].map((bytes) => bytes.toString('latin1'))];
  expect(all.some((text) => text.includes('harbour'))).toBe(true);
  expect([...files.keys()].filter((path) => path.startsWith('.cache/')).length).toBeGreaterThan(5);
  const words = [catalog.key, catalog.secret, 'oauth_', 'Signature=', 'Expires=', '/asset/'];
  // The scripts of the page know none of them either.
  for (const word of words)
    expect([word, all.filter((text) => text.includes(word))]).toEqual([word, []]);
});

it('reports a write whose answer was lost, as a dev server loses it that starts again for it', async () => {
  await visit();
  await find('anchor');
  const before = [await config(), await lock()];
  const lose = (name: string): Promise<unknown> =>
    page.route(
      `**/api/${name}`,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
  await lose('add');
  await cells().first().click();
  await page.fill('#alias', 'mooring');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('.toast', { hasText: 'Added mooring' }).waitFor();
  expect((await config()).split('mooring').length).toBe(2);
  await lose('undo');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast', { hasText: 'Undone: Added mooring' }).waitFor();
  expect([await config(), await lock()]).toEqual(before);
});

it('is a dock of Vite DevTools, for browsers that the user has let in alone', async () => {
  const app = await browser.newPage();
  const received: string[] = [];
  app.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => received.push(String(payload))),
  );
  const dock = app.locator('devframes-dock-embedded');
  const token = new URL(address).hash.slice('#t='.length);
  await app.goto(new URL('/', address).href);
  await dock.getByRole('button', { name: 'Unauthorized' }).waitFor({ state: 'attached' });
  expect(received.join('\n')).not.toContain(token);

  await app.evaluate(
    (text) => localStorage.setItem('__DEVFRAME_CONNECTION_AUTH_TOKEN__', text),
    LET_IN,
  );
  await app.reload();
  const button = dock.getByRole('button', { name: 'Icons', exact: true });
  await button.waitFor({ state: 'attached' });
  await button.dispatchEvent('click');
  const picker = app.frameLocator('iframe[src*="__icon-catalog"]');
  await picker.locator('[role=gridcell] .glyph').first().waitFor();
  expect(await picker.locator('.notice').count()).toBe(0);
  await app.close();
});

describe('installed sets and a folder of the project', () => {
  /** Its address, for a project whose catalog is in the same process. */
  async function serveEmbedded(): Promise<string> {
    const folder = await writeProject({});
    const hostile = fileURLToPath(new URL('../svg/hostile', import.meta.url));
    const catalogOptions = { sets: ['tabler'], folders: [{ path: hostile, name: 'Downloads' }] };
    const resolved = resolveOptions(
      {
        catalog: { embedded: { ...catalogOptions, root: process.cwd() } },
        cacheDir: join(folder, '.cache'),
      },
      { root: folder, env: {} },
    );
    const state = createPickerState();
    const { handle, close } = createPickerHandler({
      project: () => Promise.resolve(project),
      access: { hosts: [], isOpen: false },
      state,
      log: recordingLog(),
    });
    const project = { resolved, env: {}, config: undefined };
    const http = createHttpServer(handle);
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    onTestFinished(async () => {
      http.closeAllConnections();
      http.close();
      await close();
    });
    return pickerAddress(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, '/', state);
  }

  it('cost nothing, come page after page by themselves, and run nothing of hostile drawings', async () => {
    const shown = await serveEmbedded();
    const tab = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    const asked: string[] = [];
    const events: string[] = [];
    tab.on('request', (request) => asked.push(request.url()));
    tab.on('dialog', (dialog) => void dialog.dismiss().then(() => events.push('dialog')));
    tab.on('popup', () => events.push('popup'));
    tab.on('pageerror', (error) => events.push(error.message));
    tab.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
        events.push(message.text());
    });
    await tab.goto(shown);
    const count = tab.locator('.count-line');
    await count.filter({ hasText: /^120 of \d,\d+ icons on this machine$/ }).waitFor();
    await tab.fill('#query', 'arrow');
    // The second page may be there already: the first one can end less than a window below this one.
    await count.filter({ hasText: /^\d+ of \d+ icons$/ }).waitFor();
    const total = Number(/of (\d+)/.exec((await count.textContent()) ?? '')?.[1]);
    expect(total).toBeGreaterThan(240);
    // The next pages come while the user scrolls.
    const loaded = async (): Promise<string> => {
      await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return (await count.textContent()) ?? '';
    };
    await expect.poll(loaded).toBe(`${total} icons`);
    expect(await tab.locator('body').textContent()).not.toMatch(/\d calls?\b/);

    await tab.getByRole('navigation').getByRole('button', { name: 'Collections' }).click();
    await tab.getByRole('button', { name: /Downloads/ }).click();
    await tab.getByRole('heading', { name: 'Downloads' }).waitFor();
    const all = tab.locator('.count-line', { hasText: /^\d+ icons$/ });
    await expect
      .poll(async () => {
        await tab.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return all.count();
      })
      .toBe(1);
    expect(Number.parseInt((await all.textContent()) ?? '', 10)).toBeGreaterThan(150);
    // Each row is shown once, and some icons in detail, large and in a colour.
    const bottom = await tab.evaluate(() => document.documentElement.scrollHeight);
    for (let top = 0; top < bottom; top += 1500) {
      await tab.evaluate((to) => scrollTo(0, to), top);
      const cell = tab.locator('[role=gridcell]').nth(5);
      await cell.click();
      await tab.locator('.stage').waitFor();
      await tab.keyboard.press('Escape');
      await tab.evaluate(async () => {
        const pictures = [...document.images].filter(({ complete }) => !complete);
        await Promise.all(
          pictures.map(
            (picture) =>
              new Promise((done) => {
                picture.addEventListener('load', done);
                picture.addEventListener('error', done);
              }),
          ),
        );
      });
    }
    // A reload brings back all pages, and the place in them.
    await tab.evaluate(() => scrollTo(0, 1200));
    await expect.poll(() => tab.evaluate(() => (history.state as { y: number }).y)).toBe(1200);
    const firstPages: unknown[] = [];
    tab.on('request', (request) => {
      const body: unknown = request.url().endsWith('/collection') && request.postDataJSON();
      if (isObject(body) && body['nextPage'] === undefined) firstPages.push(body);
    });
    await tab.reload();
    await all.waitFor();
    await expect.poll(() => tab.evaluate(() => scrollY)).toBe(1200);
    // The answer to a second request would put the first page alone in their place.
    expect(firstPages).toHaveLength(1);
    expect(asked.filter((url) => url.includes('/thumb/')).length).toBeGreaterThan(150);
    const { origin } = new URL(shown);
    expect(asked.filter((url) => !url.startsWith(`${origin}/__icon-catalog/`))).toEqual([]);
    expect(events).toEqual([]);
    expect(await tab.title()).not.toMatch(/pwned|xss|hacked/i);
    expect(tab.context().pages()).toHaveLength(1);
    await tab.close();
  });
});
