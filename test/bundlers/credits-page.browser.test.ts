import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { createProject, SHIPPED, type Project, type Shown } from './project.ts';

const SITE = 'http://site.invalid';
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

let browser: Browser;
let catalog: CountingCatalog;
let project: Project;
beforeAll(async () => {
  [browser, catalog, project] = await Promise.all([
    launchBrowser(),
    startCountingCatalog(),
    createProject(),
  ]);
  await project.build('vite', { cache: 'vite', catalog });
});
afterAll(async () => {
  await Promise.all([browser.close(), catalog.close(), project.remove()]);
});

/** Opens a page of Vite's output; lists what it asks for that is no part of the output. */
async function open(path: string) {
  const page = await browser.newPage();
  const elsewhere: string[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.route('**', async (route) => {
    const url = new URL(route.request().url());
    if (url.protocol === 'data:') return route.continue();
    const file = join(project.root, 'dist/vite', url.pathname);
    const body = url.origin === SITE ? await readFile(file).catch(() => undefined) : undefined;
    if (body !== undefined) {
      return route.fulfill({ body, contentType: TYPES[extname(file)] ?? 'text/plain' });
    }
    elsewhere.push(url.href);
    return route.abort();
  });
  await page.goto(SITE + path);
  return { page, elsewhere, errors };
}

it('the credits page of a build shows every shipped icon, drawn, without a request', async () => {
  const { page, elsewhere, errors } = await open('/icon-attribution.html');
  const credits = page.locator('.credits > li');
  const found = await credits.evaluateAll((elements) =>
    elements.map((element) => {
      const drawing = element.querySelector('.tile > svg');
      const picture = element.querySelector<HTMLImageElement>('.tile > img');
      const { width = 0, height = 0 } = (drawing ?? picture)?.getBoundingClientRect() ?? {};
      return { id: element.id, isDrawn: width > 0 && height > 0, text: element.textContent };
    }),
  );
  expect(found.map(({ id }) => id.replace('icon-', '')).toSorted()).toEqual(SHIPPED);
  expect(found.filter(({ isDrawn }) => !isDrawn)).toEqual([]);
  expect(found.filter(({ text }) => !text.includes('Licence:'))).toEqual([]);
  await page.locator('.credits img').first().scrollIntoViewIfNeeded();
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete && image.naturalWidth > 0),
  );
  expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
  await page.close();
});

it('the built page has its icons in the browser: markup, addresses, files, the lazy part', async () => {
  const { page, elsewhere, errors } = await open('/index.html');
  await page.waitForFunction(() => 'shown' in globalThis);
  const seen = await page.evaluate(async () => {
    const { shown } = globalThis as unknown as { shown: Shown & { lazy: Promise<Shown['lazy']> } };
    const lazy = await shown.lazy;
    document.body.innerHTML = [
      ...Object.values({ ...shown.markup, ...lazy.markup }),
      ...Object.values({ ...shown.data, ...shown.files, ...lazy.files }).map(
        (address) => `<img src="${address}" alt="">`,
      ),
    ].join('');
    await Promise.all([...document.images].map((image) => image.decode()));
    const drawings = [...document.querySelectorAll('svg')];
    return {
      drawings: drawings.filter((svg) => svg.getBBox().width > 0).length,
      images: [...document.images].filter((image) => image.naturalWidth > 0).length,
    };
  });
  expect(seen).toEqual({ drawings: 17, images: 9 });
  expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
  await page.close();
});
