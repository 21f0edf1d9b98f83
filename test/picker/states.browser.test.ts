import { mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedKey, Options } from '../../src/options/options.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { createPickerHandler, pickerAddress } from '../../src/picker/shell.ts';
import { createPickerState } from '../../src/picker/state.ts';
import { embeddedIconId } from '../../src/server.ts';
import { launchBrowser } from '../support/browser.ts';
import { type CountingCatalog, startCountingCatalog } from '../support/counting-catalog.ts';
import { recordingLog } from '../support/recording-log.ts';
import { writeProject } from '../support/write-project.ts';

/** Every state of the page, over the real handler and a real catalog that is brought into it. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Shown {
  page: Page;
  /** Signed calls that have arrived. */
  calls(): number;
  catalog: CountingCatalog;
  /** The server of the page goes away. */
  stop(): Promise<void>;
  /** It comes back at the same address. */
  start(): Promise<void>;
}

interface ShownInput {
  /** The secret that the project has. @default the one of the key */
  secret?: string;
  /** What the key may do. */
  key?: Partial<EmbeddedKey>;
  /** Options of the project besides its catalog; `catalog` replaces that. */
  options?: Options;
  /** Whether another clock than that of this machine runs in the catalog. */
  now?: () => number;
  budget?: number;
  /** Whether the project names a catalog. @default true */
  isConfigured?: boolean;
  /** Body of the configuration. @default one that can be edited */
  config?: string;
  /** What the address has behind it. */
  search?: string;
}

const CONFIG = 'export default {\n  aliases: {},\n};\n';

async function show(input: ShownInput = {}): Promise<Shown> {
  const { key, secret = 's', options, now, budget, config = CONFIG, search = '' } = input;
  const { isConfigured = true } = input;
  const catalog = await startCountingCatalog({
    sets: ['tabler', 'game-icons'],
    keys: [{ key: 'k', secret: 's', ...key }],
    ...(now && { now }),
  });
  onTestFinished(() => catalog.close());
  const root = await writeProject({
    'package.json': '{"type":"module"}',
    'icon-catalog.config.js': config,
  });
  // A set that the project has installed.
  await mkdir(join(root, 'node_modules/@iconify-json'), { recursive: true });
  await symlink(
    join(process.cwd(), 'node_modules/@iconify-json/game-icons'),
    join(root, 'node_modules/@iconify-json/game-icons'),
  );
  const resolved = resolveOptions(
    {
      ...(isConfigured && { catalog: { baseUrl: catalog.url, key: catalog.key, secret } }),
      retries: 0,
      cacheDir: join(root, '.cache'),
      ...options,
    },
    { root, env: {} },
  );
  const state = createPickerState({ budget });
  const project = { resolved, env: {}, config: join(root, 'icon-catalog.config.js') };
  const { handle, close } = createPickerHandler({
    project: () => Promise.resolve(project),
    access: { hosts: [], isOpen: false },
    state,
    log: recordingLog(),
  });
  const http = createServer(handle);
  const listen = (port: number): Promise<void> =>
    new Promise((done) => http.listen(port, '127.0.0.1', done));
  const stop = (): Promise<void> =>
    new Promise((done) => {
      http.close(() => done());
      http.closeAllConnections();
    });
  await listen(0);
  const { port } = http.address() as AddressInfo;
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  onTestFinished(async () => {
    await context.close();
    await stop();
    await close();
    expect(wrong).toEqual([]);
  });
  const address = new URL(pickerAddress(`http://127.0.0.1:${port}`, '/', state));
  address.search = search;
  await page.goto(address.href);
  return {
    page,
    catalog,
    calls: () => catalog.calls.filter((call) => call.includes(' /v2/')).length,
    stop,
    start: () => listen(port),
  };
}

const cells = (page: Page) => page.getByRole('gridcell');
const notice = (page: Page, text: string) => page.locator('.notice', { hasText: text });

async function search(page: Page, query: string): Promise<void> {
  await page.fill('#query', query);
  await page.keyboard.press('Enter');
}

it('first visit, typing and the answer: nothing is asked before Enter', async () => {
  const { page, calls } = await show();
  await page.getByRole('heading', { name: 'Which icon do you need?' }).waitFor();
  // Two letters are never sent by themselves.
  await page.fill('#query', 'ro');
  await page.getByRole('button', { name: 'Enter: search the catalog (1 call)' }).waitFor();
  expect(calls()).toBe(0);
  await search(page, 'rocket');
  await page.locator('.count-line', { hasText: '1 call' }).waitFor();
  await expect.poll(() => cells(page).count()).toBeGreaterThan(1);
  expect(calls()).toBe(1);
});

it('loading: the grid is busy until the catalog has answered', async () => {
  const { page, catalog } = await show();
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  catalog.hold = (path) => (path.startsWith('/v2/') ? held : undefined);
  await search(page, 'rocket');
  await page.locator('[aria-busy=true] .skeleton i, .skeleton i').first().waitFor();
  letGo();
  await page.locator('[role=grid][aria-busy=false]').waitFor();
});

it('loading: that this machine has no icon is not said while the catalog is asked next', async () => {
  const { page, calls } = await show();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  const local = page.waitForResponse((response) => response.url().endsWith('/api/search'));
  await page.locator('#query').fill('rocket');
  // This machine is asked soon, and the catalog once the typing has come to a rest.
  await page.clock.runFor(100);
  expect(await (await local).json()).toMatchObject({ from: 'local', icons: [] });
  await page.locator('.count-line', { hasText: /^0 icons · on this machine/ }).waitFor();
  await page.clock.runFor(200);
  expect(await page.locator('.skeleton i').count()).toBeGreaterThan(0);
  expect(await page.locator('.empty').count()).toBe(0);
  expect(calls()).toBe(0);
  await page.clock.resume();
  await expect.poll(() => cells(page).count()).toBeGreaterThan(1);
  expect(calls()).toBe(1);
});

it('no hits: the query, the filter to drop, and words to try', async () => {
  const { page } = await show({ search: '?style=solid' });
  await search(page, 'qqqzzz');
  await page.getByRole('button', { name: 'Suggest words (1 call)' }).waitFor();
  // What is near among the words of icons that this machine knows is offered for nothing.
  await search(page, 'rocket');
  await page.locator('.count-line', { hasText: '1 call' }).waitFor();
  await search(page, 'rocketxyz');
  await page.getByRole('heading', { name: 'Nothing for “rocketxyz”' }).waitFor();
  const chips = page.locator('.empty .chip');
  expect(await chips.allTextContents()).toEqual(['solid icons ×', 'rocket']);
  await page.locator('.empty').getByRole('button', { name: 'solid icons ×' }).click();
  await expect.poll(() => page.url()).not.toContain('style');
});

it('not configured: both ways, the three names, and the installed sets', async () => {
  const { page, calls } = await show({
    isConfigured: false,
  });
  const text = await notice(page, 'No catalog is configured').textContent();
  for (const word of [
    'ICON_CATALOG_URL',
    'ICON_CATALOG_KEY',
    'ICON_CATALOG_SECRET',
    "catalog: 'embedded'",
  ])
    expect(text).toContain(word);
  await page.getByRole('button', { name: 'Use installed sets' }).click();
  await expect.poll(() => notice(page, 'No catalog is configured').count()).toBe(0);
  await page.getByRole('grid', { name: 'Icons of this machine' }).waitFor();
  await search(page, 'rocket');
  await expect.poll(() => cells(page).count()).toBeGreaterThan(0);
  expect(calls()).toBe(0);
});

it('401: key or clock, and the clocks of both', async () => {
  const { page } = await show({ secret: 'another', now: () => Date.now() + 1_200_000 });
  await search(page, 'rocket');
  const text = notice(page, 'refused the signature');
  await text.waitFor();
  expect(await text.textContent()).toMatch(/key or the secret.*clock.*\d+:\d+:\d+.*\d+:\d+:\d+/is);
});

it('403 at Add: a free key, and the button that turns the filter on', async () => {
  const { page } = await show({ key: { access: 'free' } });
  await search(page, 'rocket');
  await cells(page).first().click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await notice(page, 'Your key may only have public-domain icons.').waitFor();
  await page.getByRole('button', { name: 'Show public-domain icons' }).click();
  await expect.poll(() => page.url()).toContain('pd=1');
});

it('429: the limit of the month, the day on which it is renewed, and no further call', async () => {
  const { page, calls } = await show({ key: { monthlyLimit: 1 } });
  await search(page, 'rocket');
  await page.locator('.count-line', { hasText: '1 call' }).waitFor();
  await search(page, 'calendar');
  await notice(page, 'limit is reached').waitFor();
  const made = calls();
  await search(page, 'moon');
  await page.locator('.empty', { hasText: 'moon' }).waitFor();
  // What was asked before is still there.
  await page.fill('#query', 'rocket');
  await expect.poll(() => cells(page).count()).toBeGreaterThan(1);
  expect(calls()).toBe(made);
});

it('the budget of the session: it asks, and one click allows as many more', async () => {
  const { page, calls } = await show({ budget: 1 });
  await search(page, 'rocket');
  await page.locator('.count-line', { hasText: '1 call' }).waitFor();
  await search(page, 'calendar');
  await notice(page, '1 call made in this session. Go on?').waitFor();
  expect(calls()).toBe(1);
  await page.getByRole('button', { name: 'Allow 1 more' }).click();
  await expect.poll(calls).toBe(2);
  await expect.poll(() => page.locator('.notice').count()).toBe(0);
});

it('offline: what is on this machine, and no attempt', async () => {
  const { page, catalog } = await show({ options: { mode: 'offline' } });
  await page.getByRole('heading', { name: /Showing \d+ icons? of this machine/ }).waitFor();
  await search(page, 'rocket');
  await page.locator('.empty', { hasText: 'rocket' }).waitFor();
  expect(catalog.calls).toEqual([]);
});

it('locked, or options that cannot be edited: lines to copy, and the reason', async () => {
  const { page } = await show({
    config: 'const make = () => ({});\nexport default make();\n',
  });
  await search(page, 'rocket');
  await cells(page).first().click();
  await page.getByText(/Nothing is written here: /).waitFor();
  expect(await page.locator('.take .lines').textContent()).toMatch(
    /^aliases: \{\n  "rocket": \d+,\n\}$/,
  );
  await page.getByRole('button', { name: 'Copy these lines' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^aliases: \{\n  "rocket": \d+,\n\}$/);

  const locked = await show({ options: { mode: 'locked' } });
  await search(locked.page, 'rocket');
  await locked.page.locator('.empty', { hasText: 'rocket' }).waitFor();
  await locked.page.getByRole('navigation').getByRole('button', { name: 'This project' }).click();
  await locked.page.getByText('the mode is `locked`, in which the lock does not change').waitFor();
  expect(locked.calls()).toBe(0);
});

it('a licence that the project refuses: a badge, Add off, and why', async () => {
  const { page } = await show({ options: { licenses: { allow: ['MIT'] } } });
  await search(page, 'dragon');
  const refused = cells(page).filter({ hasText: 'not allowed' }).first();
  await refused.click();
  expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await page.locator('.why').waitFor();
});

it('no token: the address that the terminal shows', async () => {
  const { page } = await show();
  const { origin, pathname } = new URL(page.url());
  const other = await page.context().newPage();
  await other.goto(`${origin}${pathname}`);
  await notice(other, 'Open the address that the terminal shows').waitFor();
});

it('the server is gone: copying works, and the page connects by itself', async () => {
  const { page, stop, start } = await show();
  await search(page, 'rocket');
  await cells(page).first().click();
  await stop();
  await notice(page, 'does not answer').waitFor();
  await page.locator('[data-form=import]').click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^import \w+ from 'icon:/);
  // Nothing answers what is typed now, so the hits say what they were for.
  const count = page.locator('.count-line');
  expect(await count.textContent()).not.toContain('for “');
  await page.fill('#query', 'rockets');
  await count.filter({ hasText: /icons for “rocket” ·/ }).waitFor();
  await page.fill('#query', 'rocket');
  await count.filter({ hasNotText: 'for “' }).waitFor();
  await start();
  await expect.poll(() => page.locator('.notice').count()).toBe(0);
});

it('recently used and used here: drawn from lock and local bytes', async () => {
  const { page, calls } = await show({
    config: `export default {\n  aliases: { home: ${embeddedIconId('tabler', 'home')} },\n};\n`,
    options: { aliases: { home: embeddedIconId('tabler', 'home') } },
  });
  await page.getByRole('navigation').getByRole('button', { name: 'This project' }).click();
  await expect.poll(() => cells(page).count()).toBe(1);
  expect(calls()).toBe(0);
});
