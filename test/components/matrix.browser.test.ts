import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Framework } from '../../src/component.ts';
import { createIcons } from '../../src/icons.ts';
import { launchBrowser } from '../support/browser.ts';
import { readPicture, type Picture } from '../support/screenshots.ts';
import { buildApp, createApps, iconOptions } from './build-app.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const FRAMEWORKS: Framework[] = [
  'react',
  'preact',
  'vue',
  'solid',
  'svelte',
  'lit',
  'web-component',
  'astro',
  'qwik',
];

const SITE = 'http://site.invalid';
const STYLE = `body{margin:0;font:32px sans-serif;color:#123456;background:#fff}
#app{display:block;width:400px}.cell{float:left;width:128px;height:64px;line-height:0}`;

/** What frameworks say at every start in development, where they say too what they find wrong. */
const BANNER = /^(?:%cDownload the React DevTools|Lit is in dev mode)/;

/** What the cells of `apps/shared/cells.js` show: the same as markup. */
const PLAIN = [
  'icon:home?raw',
  'icon:home?raw&size=48',
  'icon:home?raw&size=2em&color=00aa77',
  'icon:home?raw',
  'icon:home?raw',
  'icon:home?raw&size=30',
  'icon:glow?raw',
  'icon:glow?raw&color=cc00ff&size=60',
  'icon:home?raw&color=f00&size=40',
  'icon:home?raw&color=00f&size=40',
  'icon:home?raw&size=20',
];
const RICH = 5;

let browser: Browser;
let root: string;
let expected: Picture;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-components-')));
  [browser] = await Promise.all([launchBrowser(), createApps(root)]);
  const icons = createIcons(iconOptions(root), { root });
  const cells = await Promise.all(
    PLAIN.map(async (specifier, at) => {
      const svg = String((await icons.load(specifier)).svg);
      const style = at === RICH ? 'opacity:.5' : '';
      return `<div class="cell">${svg.replace('<svg', `<svg style="${style}"`)}</div>`;
    }),
  );
  await icons.close();
  const { page } = await open(cells.join(''), '');
  expected = await picture(page);
  await page.close();
});
afterAll(async () => {
  await browser.close();
  await removeFolder(root);
});

/** A page as the server sends it; with a script it is alive once the script has run. */
async function open(html: string, script: string): Promise<{ page: Page; said: string[] }> {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  const said: string[] = [];
  page.on('pageerror', (error) => said.push(error.message));
  page.on('console', (message) => {
    if (!BANNER.test(message.text())) said.push(message.text());
  });
  const tag = script === '' ? '' : '<script type="module" src="/client.js"></script>';
  const body = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><style>${STYLE}</style><script>globalThis._$HY={events:[],completed:new WeakSet(),r:{},fe(){}}</script><div id="app">${html}</div>${tag}`;
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ body, contentType: 'text/html' });
    if (pathname === '/client.js')
      return route.fulfill({ body: script, contentType: 'text/javascript' });
    said.push(`asked for ${pathname}`);
    return route.abort();
  });
  await page.goto(SITE, { waitUntil: 'load' });
  return { page, said };
}

async function picture(page: Page): Promise<Picture> {
  return readPicture(await page.screenshot());
}

/** Pixels in which the page differs from the markup that stands alone. */
async function difference(page: Page): Promise<number> {
  const { width, height, data } = await picture(page);
  return pixelmatch(expected.data, data, undefined, width, height, { threshold: 0 });
}

/** Every id inside a drawing, and how often its own tree has it. */
function namesIn(page: Page): Promise<{ id: string; copies: number }[]> {
  return page.locator('.cell svg [id]').evaluateAll((elements) =>
    elements.map((element) => {
      const tree = element.getRootNode() as Document | ShadowRoot;
      return { id: element.id, copies: tree.querySelectorAll(`[id="${element.id}"]`).length };
    }),
  );
}

describe.each(FRAMEWORKS)('components of %s', (framework) => {
  let html: string;
  let again: string;
  let named: string[];
  let page: Page;
  let said: string[];
  beforeAll(async () => {
    const built = await buildApp(root, framework);
    ({ html, again, named } = built);
    ({ page, said } = await open(html, built.script));
  });
  afterAll(() => page.close());
  afterEach(() => expect(said.splice(0)).toEqual([]));

  it('are drawn by the server as the markup is', async () => {
    const { page: silent } = await open(html, '');
    expect(await difference(silent)).toBe(0);
    await silent.close();
  });

  it('come alive without a word, and look the same', async () => {
    expect(await difference(page)).toBe(0);
  });

  it('are hidden from readers unless they have a name or a role', async () => {
    const seen = await page.locator('.cell').evaluateAll((cells) =>
      cells.map((cell) => {
        const within = cell.firstElementChild?.shadowRoot;
        const svg = (within ?? cell).querySelector('svg');
        return {
          role: svg?.getAttribute('role'),
          isHidden: svg?.getAttribute('aria-hidden') === 'true',
          title: svg?.querySelector('title')?.textContent ?? null,
          class: cell.querySelector('[class*=usual]') === null ? '' : 'usual',
        };
      }),
    );
    const hidden = { role: null, isHidden: true, title: null, class: '' };
    const named = { role: 'img', isHidden: false, class: '' };
    expect(seen.toSpliced(RICH, 1)).toEqual([
      hidden,
      // The role of a custom element is not that of the drawing in it.
      framework === 'web-component' ? hidden : { ...hidden, role: 'button', isHidden: false },
      hidden,
      { ...named, title: 'Home <b>"&' },
      { ...named, title: null },
      hidden,
      hidden,
      hidden,
      { ...named, title: 'Start', class: 'usual' },
      { ...hidden, class: 'usual' },
      hidden,
    ]);
    expect(await page.locator('#labelled').count()).toBe(1);
  });

  it('give every copy of a gradient ids of its own, and those of the server stay', async () => {
    const found = await namesIn(page);
    expect(found.map(({ copies }) => copies)).toEqual(Array.from({ length: 9 }, () => 1));
    const { page: silent } = await open(html, '');
    expect(found).toEqual(await namesIn(silent));
    await silent.close();
  });

  it('are the same markup for equal requests', () => {
    // Qwik's own name of a page is chance.
    const plain = (text: string): string => text.replace(/ q:instance="?[^\s">]*"?/, '');
    if (framework !== 'lit') return expect(plain(again)).toBe(plain(html));
    // Lit has nothing of a page to go by but the ids that its icons are given.
    const counted = /\bis\d+/g;
    expect(again.replaceAll(counted, '')).toBe(html.replaceAll(counted, ''));
    expect(named[1]).toBe(named[0]);
    const ids = [...(named[0] ?? '').matchAll(/<\w+gradient [^>]*?id="([^"]*)/gi)];
    expect(ids.map(([, id = '']) => id.replace(/-\w$/, ''))).toEqual(['i-a', 'i-b_20_22']);
  });

  it('hand on class, style, data, events and refs, and follow what changes', async () => {
    const rich = page.locator('[data-rich=yes]');
    expect(await rich.getAttribute('class')).toMatch(/(?:^| )mine(?: |$)/);
    await rich.click();
    await page.waitForFunction(() => {
      const { clicked } = globalThis as { clicked?: Element };
      return clicked instanceof SVGElement && clicked.getAttribute('width') === '36';
    });
    expect(await rich.getAttribute('role')).toBe('presentation');
    const isSame = await rich.evaluate((element) => {
      const { clicked } = globalThis as unknown as { clicked: Element };
      return clicked === element || clicked.parentElement === element;
    });
    expect(isSame).toBe(true);
  });
});

it.each(['react', 'vue'] as const)('a mismatch would be heard of in %s', async (framework) => {
  const { html, script } = await buildApp(root, framework);
  const { page, said } = await open(html.replace('width="48"', 'width="47"'), script);
  await expect.poll(() => said.join()).toMatch(/hydrat/i);
  await page.close();
});

it('a custom element with ids draws itself wherever it comes from', async () => {
  const { script } = await buildApp(root, 'web-component');
  const { page, said } = await open('', script);
  const drawn = await page.evaluate(() => {
    const { Glow } = globalThis as unknown as {
      Glow: { new (): HTMLElement & { size: unknown }; toHTML(props: object): string };
    };
    const made = new Glow();
    made.size = 20;
    const place = document.querySelector('#app');
    if (place !== null) place.innerHTML = Glow.toHTML({ title: 'As text' });
    place?.append(made);
    made.size = 30;
    made.remove();
    place?.append(made);
    return [...(place?.children ?? [])].map(({ shadowRoot }) => {
      const [svg, ...others] = shadowRoot?.children ?? [];
      const { length } = others;
      return [svg?.getAttribute('part'), svg?.getAttribute('height'), svg?.textContent, length];
    });
  });
  expect(drawn).toEqual([
    ['svg', '1em', 'As text', 0],
    ['svg', '30', '', 0],
  ]);
  // Chromium's remark on markup that is made for a server.
  expect(said.filter((words) => !/declarative Shadow DOM/.test(words))).toEqual([]);
  await page.close();
});
