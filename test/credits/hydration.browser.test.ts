import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { compile } from 'svelte/compiler';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { creditsCode } from '../../src/build/session-reports.ts';
import type { Credit } from '../../src/types.ts';
import { credit, licenseCases } from '../attribution/records.ts';
import { launchBrowser } from '../support/browser.ts';
import { HOSTILE_CREDITS } from './hostile-credits.ts';
import { SERVERS } from './renderers.ts';

const CREDITS: readonly Credit[] = [...licenseCases(), ...HOSTILE_CREDITS];
const HERE = fileURLToPath(new URL('.', import.meta.url));
const ALIVE = ['react', 'vue', 'svelte', 'web-component'] as const;
const BANNER = /^%cDownload the React DevTools/;

const source = (path: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../../src/credits/${path}.ts`, import.meta.url)));

/** Each framework takes over what its server sent, and is given fewer credits on demand. */
const CLIENT = `
import { createElement, useState } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { createApp, createSSRApp, h, ref } from 'vue';
import { hydrate } from 'svelte';
import { writable } from 'svelte/store';
import ReactCredits from ${source('react')};
import VueCredits from ${source('vue')};
import SvelteCredits from ${source('svelte')};
import CreditsElement from ${source('web-component')};
import SvelteApp from './PageOfCredits.svelte';
import credits from './shipped-credits.js';

const change = (globalThis.change = {});
const clicked = (globalThis.clicked = []);

function App() {
  const [shown, setShown] = useState(credits);
  change.react = (next) => flushSync(() => setShown(next));
  return createElement(ReactCredits, { credits: shown, className: 'mine', onClick: () => clicked.push('react') });
}
hydrateRoot(document.querySelector('#react'), createElement(App));

const shown = ref(credits);
change.vue = (next) => (shown.value = next);
createSSRApp({
  render: () => h(VueCredits, { credits: shown.value, class: 'mine', onClick: () => clicked.push('vue') }),
}).mount('#vue');
globalThis.drawHere = (target) =>
  createApp({ render: () => h(VueCredits, { credits, class: 'mine' }) }).mount(target);

const store = writable(credits);
change.svelte = (next) => store.set(next);
hydrate(SvelteApp, { target: document.querySelector('#svelte'), props: { store, click: () => clicked.push('svelte') } });

const element = document.querySelector('icon-credits');
element.credits = credits;
CreditsElement.define();
element.addEventListener('click', () => clicked.push('web-component'));
change['web-component'] = (next) => (element.credits = next);
globalThis.isAlive = true;
`;

const APP = `<script>
  import IconCredits from ${source('svelte')};

  let { store, click } = $props();
</script>

<IconCredits credits={$store} class={['mine']} onclick={click} />
`;

async function bundle(): Promise<string> {
  const texts: Record<string, string> = {
    'page-of-credits.js': CLIENT,
    'PageOfCredits.svelte': APP,
    'shipped-credits.js': creditsCode(CREDITS, true),
  };
  const made = (await build({
    root: HERE,
    configFile: false,
    logLevel: 'error',
    // Frameworks report a mismatch in development only.
    mode: 'development',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (basename(id) in texts ? join(HERE, basename(id)) : undefined),
        load: (id) => texts[basename(id)],
        transform: {
          filter: { id: /\.svelte$/ },
          handler: (code, filename) => ({
            code: compile(code, { filename, generate: 'client' }).js.code,
          }),
        },
      },
    ],
    build: { write: false, rolldownOptions: { input: join(HERE, 'page-of-credits.js') } },
  })) as Rolldown.RolldownOutput;
  return made.output[0].code;
}

let browser: Browser;
let page: Page;
const said: string[] = [];
let before: Record<string, string>;
beforeAll(async () => {
  const [script, ...lists] = await Promise.all([
    bundle(),
    ...ALIVE.map(async (name) => {
      const html = await SERVERS[name]({
        credits: CREDITS,
        ...(name !== 'web-component' && { class: 'mine' }),
      });
      return `<div id="${name}">${html}</div>`;
    }),
  ]);
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on('pageerror', (error) => said.push(error.message));
  page.on('console', (message) => {
    if (!BANNER.test(message.text())) said.push(message.text());
  });
  await page.addInitScript(() =>
    Object.assign(globalThis, { hit: () => document.body.setAttribute('hit', '') }),
  );
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/client.js')
      return route.fulfill({ body: script, contentType: 'text/javascript' });
    if (pathname !== '/') said.push(`asked for ${pathname}`);
    return route.fulfill({
      body: `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${lists.join('')}`,
      contentType: 'text/html',
    });
  });
  await page.goto('http://site.invalid/');
  before = await listsOf();
  await page.evaluate(() => {
    for (const item of document.querySelectorAll('li')) Object.assign(item, { isFromServer: true });
  });
  await page.addScriptTag({ url: '/client.js', type: 'module' });
  await page.waitForFunction(() => 'isAlive' in globalThis);
  // React hydrates when it has time.
  await page.waitForFunction(() => 'react' in (globalThis as unknown as { change: object }).change);
});
afterAll(() => browser.close());

/** Markup of each list. */
function listsOf(): Promise<Record<string, string>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('.icon-credits')].map((list) => [
        list.closest('div[id]:not([about])')?.id ?? '',
        list.innerHTML,
      ]),
    ),
  );
}

it('comes alive without a word, on the elements that the server sent', async () => {
  expect(said).toEqual([]);
  expect(await page.locator('[hit]').count()).toBe(0);
  expect(Object.keys(before)).toEqual([...ALIVE]);
  expect(await listsOf()).toEqual(before);
  const kept = await page.evaluate(() =>
    [...document.querySelectorAll('li')].every((item) => 'isFromServer' in item),
  );
  expect(kept).toBe(true);
});

it('is drawn by Vue in the browser as on the server, without a warning', async () => {
  const [fromServer, fromHere] = await page.evaluate(() => {
    const target = document.createElement('div');
    (globalThis as unknown as { drawHere(target: Element): void }).drawHere(target);
    return [document.querySelector('#vue .icon-credits')?.outerHTML, target.innerHTML];
  });
  expect(said).toEqual([]);
  expect(fromHere).toBe(fromServer);
});

it('fits a narrow page, long addresses too, without a style sheet', async () => {
  await page.setViewportSize({ width: 320, height: 600 });
  const wide = await page
    .locator('.icon-credits *')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.textContent),
    );
  expect(wide).toEqual([]);
});

it('hands on events, and follows its credits', async () => {
  const few = [credit({ id: '7', term: 'One </script> {{ 1 }}' })];
  for (const name of ALIVE) {
    await page.locator(`#${name} .icon-credits h2`).first().click();
    await page.evaluate(
      ({ name, few }) => {
        (globalThis as unknown as { change: Record<string, (few: unknown) => void> }).change[
          name
        ]?.(few);
      },
      { name, few },
    );
    const items = page.locator(`#${name} li`);
    await expect.poll(() => items.count()).toBe(1);
    expect(await items.first().locator('.title').textContent()).toBe('One </script> {{ 1 }}');
  }
  expect(
    await page.evaluate(() => (globalThis as unknown as { clicked: string[] }).clicked),
  ).toEqual([...ALIVE]);
  expect(said).toEqual([]);
});
