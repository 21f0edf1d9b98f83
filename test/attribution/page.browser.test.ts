import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/attribution/render-html.ts';
import { launchBrowser } from '../support/browser.ts';
import { violationsOf } from './axe.ts';
import { credit, licenseCases, manifest } from './records.ts';
import { artworkOf, visit } from './visit-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

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
        const { page, requests, errors } = await visit(browser, renderHtml(made, artworkOf(made)), {
          colorScheme,
          viewport: { width, height: 900 },
          bypassCSP: true,
        });
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          width,
        );
        expect([requests, errors]).toEqual([[], []]);
        await page.close();
      }
    },
  );

  it('finds icons by title and creator, whatever the case and accents', async () => {
    const { page, errors } = await visit(browser, renderHtml(CASES, artworkOf(CASES)));
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
    const { page } = await visit(browser, renderHtml(CASES, artworkOf(CASES)), {
      javaScriptEnabled: false,
    });
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('.credits > li:visible').count()).toBe(CASES.icons.length);
    await page.close();
  });

  it('stays usable with 5,000 credits: links, search, groups', async () => {
    const made = manifest(
      Array.from({ length: 5000 }, (_, index) =>
        credit({
          id: String(index),
          term: `Icon ${index}`,
          license_description: index % 2 === 0 ? 'MIT' : 'public-domain',
        }),
      ),
    );
    const { page, errors } = await visit(browser, renderHtml(made, artworkOf(made)), {
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
    // What is out of sight is not laid out, and each letter is answered while somebody types.
    const typed = await page.evaluate(() => {
      const box = document.querySelector('input') as HTMLInputElement;
      return ['4', '49', '499', '4999'].map((words) => {
        const started = performance.now();
        box.value = words;
        box.dispatchEvent(new Event('input'));
        document.body.getBoundingClientRect();
        return performance.now() - started;
      });
    });
    expect(Math.max(...typed.slice(1))).toBeLessThan(1000);
    expect(await page.locator('output').textContent()).toBe('1 of 5000');
    expect(await page.locator('.credits > li:visible').count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    expect(await page.locator('nav .count').allTextContents()).toEqual(['2500', '2500']);
    expect(await page.locator('main > section:visible').count()).toBe(2);
    expect(errors).toEqual([]);
    await page.close();
  });
});
