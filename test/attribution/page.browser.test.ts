import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/attribution/render-html.ts';
import type { Manifest } from '../../src/types.ts';
import { launchBrowser } from '../support/browser.ts';
import { HOSTILE } from './hostile.ts';
import { credit, licenseCases, manifest } from './records.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1em" height="1em" viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="currentColor"><path d="M4 4h16v16H4z"></path></svg>';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Visit {
  page: Page;
  requests: string[];
  errors: string[];
}

/** Opens the page as a file of a site would be; everything else that it asks for is listed and refused. */
async function visit(
  html: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Visit> {
  const page = await browser.newPage(options);
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => errors.push('dialog')));
  await page.route('**', (route) => {
    const url = route.request().url();
    if (url === 'http://site.example/icon-attribution.html') {
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    }
    if (!url.startsWith('data:')) requests.push(url);
    return route.abort();
  });
  await page.goto('http://site.example/icon-attribution.html');
  return { page, requests, errors };
}

function artworkOf({ icons }: Manifest): Map<string, string> {
  return new Map(icons.map(({ id }) => [id, DRAWING]));
}

const CASES = manifest([
  ...licenseCases(),
  ...Array.from({ length: 12 }, (_, index) =>
    credit({ id: String(100 + index), term: `Étoile ${index}`, license_description: 'MIT' }),
  ),
  credit({ id: '20', term: 'حوت', creator: { name: 'ليلى', permalink: '/l/', username: 'l' } }),
  credit({ id: '21', term: `Long ${'name '.repeat(40)}${'x'.repeat(120)}` }),
]);

describe('the credits page in a browser', () => {
  it.each([
    ['light', 320],
    ['light', 1280],
    ['dark', 320],
    ['dark', 1280],
  ] as const)(
    'passes axe, %s at %d px, and does not scroll sideways',
    async (colorScheme, width) => {
      for (const made of [
        CASES,
        manifest([]),
        manifest(licenseCases().slice(6, 7), { complete: false }),
      ]) {
        const { page, requests, errors } = await visit(renderHtml(made, artworkOf(made)), {
          colorScheme,
          viewport: { width, height: 900 },
          bypassCSP: true,
        });
        await page.evaluate(AXE);
        const violations = await page.evaluate(async () => {
          const axe = (
            globalThis as unknown as {
              axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
            }
          ).axe;
          const { violations } = await axe.run();
          return violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`,
          );
        });
        expect(violations).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          width,
        );
        expect([requests, errors]).toEqual([[], []]);
        await page.close();
      }
    },
  );

  it('shows strangers’ words as words', async () => {
    const made = manifest(
      HOSTILE.map((text, index) =>
        credit({
          id: index === 0 ? '"><script>hit()</script>' : `${index} ${text}`.slice(0, 60),
          term: `T${text}`,
          attribution: `C${text}`,
          creator: { name: `N${text}`, permalink: text, username: text },
          license_description: `L${text}`,
          permalink: text,
        }),
      ),
      {
        catalog: { name: HOSTILE.join(' '), siteUrl: 'javascript:hit()' },
        generator: { name: HOSTILE.join(' '), version: '1' },
      },
    );
    const { page, requests, errors } = await visit(renderHtml(made, new Map()), {
      bypassCSP: true,
    });
    const found = await page.evaluate(() => {
      for (const element of document.querySelectorAll('*')) {
        for (const type of ['click', 'mouseover', 'focus', 'load', 'error'])
          element.dispatchEvent(new Event(type));
      }
      const texts = (selector: string): string[] =>
        [...document.querySelectorAll(selector)].map((element) => element.textContent);
      return {
        scripts: [...document.querySelectorAll('script')].map((element) => element.type),
        elements: [
          ...new Set([...document.querySelectorAll('body *')].map((element) => element.localName)),
        ].sort(),
        handlers: [...document.querySelectorAll('*')]
          .flatMap((element) => element.getAttributeNames())
          .filter((name) => name.startsWith('on')),
        links: [...document.querySelectorAll('a')].map((element) => element.protocol),
        titles: texts('[property="dct:title"]'),
        names: texts('[property="cc:attributionName"]'),
        isolated: [
          ...document.querySelectorAll(
            '.credits [property="dct:title"], .credits [property="cc:attributionName"]',
          ),
        ].every((element) => element.localName === 'bdi'),
        data: JSON.parse(document.querySelector('script')?.textContent ?? '{}')['@graph'].length,
      };
    });
    expect(found.scripts).toEqual(['application/ld+json', '']);
    expect(found.elements).toEqual([
      'a',
      'bdi',
      'div',
      'footer',
      'h1',
      'h2',
      'header',
      'input',
      'label',
      'li',
      'main',
      'nav',
      'output',
      'p',
      'script',
      'section',
      'span',
      'ul',
    ]);
    expect(found.handlers).toEqual([]);
    expect([...new Set(found.links)]).toEqual(['http:', 'https:']);
    expect(found.data).toBe(HOSTILE.length);
    expect(found.isolated).toBe(true);
    const shown = (text: string): string =>
      text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe]|\p{Surrogate}/gu, '\uFFFD');
    expect(found.titles.toSorted()).toEqual(HOSTILE.map((text) => shown(`T${text}`)).toSorted());
    expect(found.names.toSorted()).toEqual(HOSTILE.map((text) => shown(`N${text}`)).toSorted());
    expect(requests).toEqual([]);
    // `hit` is defined nowhere: a run of it would be an error of the page.
    expect(errors).toEqual([]);
    await page.close();
  });

  it('would notice a script that runs', async () => {
    const html = renderHtml(CASES, new Map([['1', '<svg onload="hit()"></svg>']]));
    const bypassed = await visit(html, { bypassCSP: true });
    expect(bypassed.errors.join()).toContain('hit');
    await bypassed.page.close();
    const guarded = await visit(html);
    expect(guarded.errors.join()).toContain('Content Security Policy');
    expect(guarded.errors.join()).not.toContain('hit is not defined');
    await guarded.page.close();
  });

  it('finds icons by title and creator, whatever the case and accents', async () => {
    const { page, errors } = await visit(renderHtml(CASES, artworkOf(CASES)));
    const listed = (): Promise<string[]> =>
      page.locator('.credits > li:visible .title').allTextContents();
    const total = (await listed()).length;
    expect(total).toBe(CASES.icons.length);
    await page.getByLabel('Find an icon or a creator').fill('ETOILE 7');
    expect(await listed()).toEqual(['Étoile 7']);
    expect(await page.locator('output').textContent()).toBe(`1 of ${total}`);
    expect(await page.locator('main > section:visible').count()).toBe(1);
    await page.getByRole('searchbox').fill('ليلى');
    expect(await listed()).toEqual(['حوت']);
    await page.getByRole('searchbox').fill('');
    expect(await listed()).toHaveLength(total);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('is whole without scripts', async () => {
    const { page } = await visit(renderHtml(CASES, artworkOf(CASES)), { javaScriptEnabled: false });
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('.credits > li:visible').count()).toBe(CASES.icons.length);
    await page.close();
  });

  it('stays usable with 5,000 credits', async () => {
    const made = manifest(
      Array.from({ length: 5000 }, (_, index) =>
        credit({
          id: String(index),
          term: `Icon ${index}`,
          license_description: index % 2 === 0 ? 'MIT' : 'public-domain',
        }),
      ),
    );
    const { page } = await visit(renderHtml(made, artworkOf(made)), {
      viewport: { width: 390, height: 844 },
    });
    const took = await page.evaluate(() => {
      const started = performance.now();
      location.hash = '#icon-4999';
      const top = document.querySelector('#icon-4999')?.getBoundingClientRect().top ?? Number.NaN;
      return { ms: performance.now() - started, top };
    });
    expect(Math.abs(took.top)).toBeLessThan(844);
    expect(took.ms).toBeLessThan(5000);
    await page.close();
  });
});
