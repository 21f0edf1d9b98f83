import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { violationsOf } from '../attribution/axe.ts';
import { serveSite } from '../examples/support.ts';
import { launchBrowser } from '../support/browser.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

let site: string;
let url: string;
let close: (() => Promise<void>) | undefined;
let browser: Browser;

beforeAll(async () => {
  site = await mkdtemp(join(inject('scratch'), 'docs-'));
  const vitepress = join(REPOSITORY, 'node_modules/vitepress/bin/vitepress.js');
  const building = run(process.execPath, [vitepress, 'build', 'docs', '--outDir', site], {
    cwd: REPOSITORY,
    env: { ...process.env, NODE_ENV: 'production', ICON_CATALOG_MODE: 'locked' },
  });
  browser = await launchBrowser();
  await building;
  ({ url, close } = await serveSite(site));
}, 400_000);

afterAll(async () => {
  await browser.close();
  await close?.();
});

/** Addresses of all pages, without those of the plugin's own page of credits. */
function pages(): string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html') && !/^(?:404|icon-attribution)\.html$/.test(path))
    .map((path) => `/${path.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`);
}

function htmlOf(page: string): string | undefined {
  for (const name of [`${page}.html`, `${page}/index.html`, page]) {
    try {
      return readFileSync(join(site, name), 'utf8');
    } catch {
      // The next candidate.
    }
  }
  return undefined;
}

describe('the documentation', () => {
  it('has no dead link, neither to a page nor to a heading', () => {
    const dead: string[] = [];
    let links = 0;
    for (const page of pages()) {
      for (const [, address = ''] of (htmlOf(page) ?? '').matchAll(/<a [^>]*?href="([^"]+)"/g)) {
        if (/^(?:https?:|mailto:)/.test(address)) continue;
        links += 1;
        const [path = '', fragment] = address.replaceAll('&amp;', '&').split('#');
        const { pathname } = new URL(path, `http://site.example${page}`);
        const html = htmlOf(path === '' ? page : pathname.replace(/(?<=.)\/$/, ''));
        const id = decodeURIComponent(fragment ?? '');
        const isThere = html !== undefined && (id === '' || html.includes(` id="${id}"`));
        if (!isThere) dead.push(`${page}: ${address}`);
      }
    }
    expect(links).toBeGreaterThan(1_000);
    expect(dead).toEqual([]);
  });

  it('opens each page without a complaint, with at most 200 kB, and passes axe', async () => {
    const all = pages();
    expect(all.length).toBeGreaterThan(90);
    const faults: string[] = [];
    // One cache for all: most pages load the same files.
    const context = await browser.newContext({ bypassCSP: true });
    const openEach = async (): Promise<void> => {
      // To make a page of the browser takes longer than to lead it elsewhere.
      const page = await context.newPage();
      const seen = watch(page);
      for (const path of all) {
        const found = await lookAt(page, seen, path);
        faults.push(...found.map((fault) => `${path}: ${fault}`));
      }
    };
    const queue = [...all];
    const examineEach = async (): Promise<void> => {
      const page = await context.newPage();
      await page.goto(`${url}/reference/errors/`);
      await hydrated(page);
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
        await follow(page, path);
        const found = await violationsOf(page, WHOLE.has(path) ? undefined : 'main');
        faults.push(...found.map((fault) => `${path}: ${fault}`));
      }
    };
    await Promise.all([openEach(), examineEach(), examineEach()]);
    await context.close();
    expect(faults).toEqual([]);
  }, 400_000);

  it.each([
    ['dark', 1280, '/guides/lock-and-ci'],
    ['light', 320, '/'],
    ['dark', 320, '/reference/cli'],
    ['light', 800, '/guides/credits'],
    ['light', 960, '/guides/css'],
  ] as const)('passes axe, %s at %d px', async (colorScheme, width, path) => {
    const page = await browser.newPage({
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    await page.goto(url + path);
    await hydrated(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    // Nothing of the header is cut off, and without room for its links there is a menu.
    const cut = page.locator('.VPNavBar a:visible, .VPNavBar button:visible');
    for (const item of await cut.all()) {
      const { x = 0, width: own = 0 } = (await item.boundingBox()) ?? {};
      expect(x + own).toBeLessThanOrEqual(width);
    }
    if (width < 960) {
      await page.getByRole('button', { name: 'mobile navigation' }).click();
      await page.locator('.VPNavScreen').getByRole('link', { name: 'Reference' }).waitFor();
    }
    await page.close();
  });
});

async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}

/** One page of each layout. Around the text of the others are the same header, sidebar and outline. */
const WHOLE = new Set(['/', '/try', '/guides/credits', '/reference/cli', '/reference/errors/']);

/** Goes to another page as a reader does, by a link: axe is loaded and warm there, which takes most of its time. */
async function follow(page: Page, path: string): Promise<void> {
  const [, title = ''] = /<title>(.*?)<\/title>/.exec(htmlOf(path) ?? '') ?? [];
  expect(title, path).not.toBe('');
  await page.evaluate((address) => {
    const link = document.createElement('a');
    link.href = address;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForFunction(
    ([address, expected]) => location.pathname === address && document.title === expected,
    [path, title] as const,
  );
}

/** By address, as a file host sends it. Most pages load and fetch ahead the same files. */
const compressed = new Map<string, number>();

async function sizeOf(response: Response): Promise<number> {
  const known = compressed.get(response.url());
  if (known !== undefined) return known;
  const size = gzipSync(await response.body()).length;
  compressed.set(response.url(), size);
  return size;
}

interface Seen {
  faults: string[];
  sizes: Promise<number>[];
}

/** What a page of the browser complains of and loads, at whatever address. */
function watch(page: Page): Seen {
  const seen: Seen = { faults: [], sizes: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.faults.push(message.text());
  });
  page.on('pageerror', (error) => seen.faults.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) seen.faults.push(`${response.status()} ${response.url()}`);
    // What it fetches ahead, once it is shown, is for the pages that it links to.
    if (response.request().headers()['sec-purpose'] !== 'prefetch')
      seen.sizes.push(sizeOf(response).catch(() => 0));
  });
  return seen;
}

/** What a reader meets who opens this page first. */
async function lookAt(page: Page, { faults, sizes }: Seen, path: string): Promise<string[]> {
  await page.goto(url + path);
  await hydrated(page);
  const loaded = await Promise.all(sizes.splice(0));
  const bytes = loaded.reduce((sum, size) => sum + size, 0);
  if (bytes > 200_000) faults.push(`loads ${bytes} bytes`);
  // What is still under way is no part of the next address.
  await page.goto('about:blank');
  sizes.length = 0;
  return faults.splice(0);
}

describe('a reader’s question is answered by the first hit of the search', () => {
  let page: Page;
  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(url);
    await hydrated(page);
    await page.getByRole('button', { name: 'Search' }).click();
  });
  afterAll(() => page.close());

  it.each([
    ['how do I build without network?', '/guides/offline-and-vendor#build-without-network'],
    ['my key gives 403', '/guides/troubleshooting#key-403'],
    ['two colours?', '/guides/colours-and-sizes#two-colours'],
    ['CI says LOCK_MISSING', '/guides/lock-and-ci#lock-missing'],
    ['merge conflict in icons.lock', '/guides/lock-and-ci#merge-conflicts-in-icons-lock'],
    ['which licences are allowed?', '/guides/licence-policy#allow-only-some-licences'],
    ['one redis cache for all machines', '/guides/fleet-cache#fleet-cache'],
    ['Next.js with Turbopack', '/frameworks/nextjs#with-turbopack'],
    ['where does the secret go?', '/start/with-an-account#where-the-secret-goes'],
    ['rename icon alias', '/guides/find-an-icon#rename-an-icon-with-an-alias'],
    ['private company icons', '/guides/find-an-icon#private-icons-of-your-company'],
    ['how much does it cost', '/start/with-an-account#how-much-it-costs'],
    ['import a name that is only known at run time', '/guides/sets-and-dynamic-names#'],
    ['use my own svg files', '/guides/find-an-icon#private-icons-of-your-company'],
    ['which icon sets can I use', '/guides/find-an-icon#icon-sets-that-you-can-use'],
    ['how do I install it', '/start/quick-start#'],
    ['how to credit icon authors', '/guides/credits#'],
    ['I ran out of API calls', '/guides/troubleshooting#i-ran-out-of-calls'],
    ['does it work with pnpm workspaces', '/guides/monorepos#'],
    ['where is the cache stored', '/guides/caching#where-the-cache-is-stored'],
    ['set up icons in github actions', '/start/first-ci-build#'],
    ['is it safe to use svgs from the internet', '/project/security#svg-files'],
    ['favicon', '/guides/html#favicon'],
    ['my icon is black', '/guides/troubleshooting#the-icon-is-black'],
    ['dark mode icons', '/guides/colours-and-sizes#dark-mode'],
    ['remove unused icons', '#prune'],
    ['behind a corporate proxy', '/guides/troubleshooting#a-proxy'],
    ['icons in tailwind classes', '/frameworks/tailwind#'],
  ])('%s', async (question, answer) => {
    await page.getByRole('searchbox').fill(question);
    const first = page.locator('#localsearch-list a').first();
    await expect.poll(() => first.getAttribute('href')).toContain(answer);
  });
});

describe('the page that tries references', () => {
  it('draws what is typed, with its credit, and shows the parser’s own message', async () => {
    const page = await browser.newPage();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${url}/try`);
    const field = page.getByLabel('Reference');
    await field.fill('icon:tabler/star?color=f00&size=48');
    const drawing = page.locator('.drawing svg');
    await expect.poll(() => drawing.getAttribute('height')).toBe('48');
    const backgroundColor = await page
      .locator('.drawing')
      .evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(backgroundColor, 'of a dark drawing in dark mode').toBe('rgb(255, 255, 255)');
    expect(await page.locator('.try pre').textContent()).toContain('stroke="#ff0000"');
    expect(await page.locator('.credit').textContent()).toContain('“Star” by');
    await field.fill('icon:tabler/star?colour=f00');
    const error = page.locator('.error');
    await expect.poll(() => error.textContent()).toContain('Did you mean `color`?');
    await field.fill('icon:tabler/align-left');
    await expect.poll(() => error.textContent()).toMatch(/not one of the 9\d\d on this page/);
    await page.close();
  });

  it('searches hundreds of icons, which it loads once it is used, and shows files as they ship', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(`${url}/try`);
    const icons = page.locator('.icons button');
    await expect.poll(() => icons.count()).toBe(47);
    const before = scripts.length;
    await page.getByLabel('Find an icon').fill('abacus');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 icon.');
    expect(scripts.slice(before).filter((one) => one.includes('try-more'))).toHaveLength(1);
    await page.getByRole('button', { name: 'tabler/abacus' }).click();
    const field = page.getByLabel('Reference');
    expect(await field.inputValue()).toBe('icon:tabler/abacus?color=1d5c46&size=64');
    const credit = page.locator('.credit');
    expect(await credit.textContent()).toMatch(/“Abacus” by .*recoloured; canvas resized/);
    expect(await violationsOf(page)).toEqual([]);
    await field.fill('icon:tabler/abacus?color=original&inline');
    const code = page.locator('.try pre');
    await expect.poll(() => code.textContent()).toContain('svg%20xmlns=%22http');
    expect(await credit.textContent()).not.toContain('recoloured');
    await page.close();
  });

  it('keeps what somebody types before the scripts of the page have come', async () => {
    const page = await browser.newPage();
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${url}/try`, { waitUntil: 'commit' });
    await page.getByLabel('Find an icon').fill('abacus');
    release();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 icon.');
    expect(await page.getByLabel('Find an icon').inputValue()).toBe('abacus');
    await page.close();
  });
});
