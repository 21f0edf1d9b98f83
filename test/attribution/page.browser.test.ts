import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/attribution/render/render-attribution.ts';
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
  credit({ id: '20', term: 'حوت', creator: { name: 'ليلى', permalink: '/l/', username: 'mdi-x' } }),
  credit({ id: '22', term: 'a_b <i>&' }),
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
      page.locator('main li:visible [property="dct:title"]').allTextContents();
    const total = (await listed()).length;
    // One of them has no title.
    expect(total).toBe(CASES.icons.length - 1);
    await page.getByLabel('Find an icon, creator, set, licence or id').fill('ETOILE 7');
    expect(await listed()).toEqual(['Étoile 7']);
    expect(await page.locator('#found').textContent()).toBe(`1 of ${CASES.icons.length}`);
    expect(await page.locator('main > section:visible').count()).toBe(1);
    await page.getByRole('searchbox').fill('ليلى');
    expect(await listed()).toEqual(['حوت']);
    // The short name of an installed set, which imports are written with.
    await page.getByRole('searchbox').fill('mdi-x');
    expect(await listed()).toEqual(['حوت']);
    // Licence, set and id, and words from several of them.
    await page.getByRole('searchbox').fill('mit');
    expect(await listed()).toHaveLength(13);
    await page.getByRole('searchbox').fill('CC BY');
    expect(await listed()).toEqual(expect.arrayContaining(['No version', 'Stated', 'Ported']));
    expect(await listed()).not.toContain('Permissive');
    await page.getByRole('searchbox').fill('sea étoile 103');
    expect(await listed()).toEqual(['Étoile 3']);
    await page.getByRole('searchbox').fill('sea ported');
    expect(await listed()).toEqual(['Ported']);
    await page.getByRole('searchbox').fill('etoile 7 ada');
    expect(await listed()).toEqual(['Étoile 7']);
    await page.getByRole('searchbox').fill('nowhere <b>');
    expect(await page.locator('#none').textContent()).toBe('Nothing found for “nowhere <b>”.');
    expect(await listed()).toEqual([]);
    await page.getByRole('searchbox').fill('');
    expect(await listed()).toHaveLength(total);
    expect(await page.locator('#none').isVisible()).toBe(false);
    expect(errors).toEqual([]);
    await page.close();
  });

  it('is whole without scripts', async () => {
    const { page } = await visit(browser, renderHtml(CASES, artworkOf(CASES)), {
      javaScriptEnabled: false,
    });
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('.credits > li:visible, .grid > li:visible').count()).toBe(
      CASES.icons.length,
    );
    await page.close();
  });

  it('copies a credit as text, HTML and Markdown, with the keyboard alone', async () => {
    const { page, errors } = await visit(browser, renderHtml(CASES, artworkOf(CASES)));
    await page.locator('#icon-103 .tile').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Étoile 3' });
    const text = page.getByRole('dialog').getByRole('textbox');
    expect(await text.inputValue()).toBe(
      '“Étoile 3” (https://catalog.example/icon/whale-103/) by Ada (https://catalog.example/ada/). Licence: MIT (https://spdx.org/licenses/MIT.html). Changes: recoloured; optimised (encoding only). Credit: Whale by Ada from the catalog.',
    );
    await dialog.getByLabel('HTML').check();
    expect(await text.inputValue()).toContain(
      '<a href="https://catalog.example/icon/whale-103/">“Étoile 3”</a> by <a href="https://catalog.example/ada/">Ada</a>.',
    );
    await dialog.getByLabel('Markdown').check();
    expect(await text.inputValue()).toContain(
      '[“Étoile 3”](<https://catalog.example/icon/whale-103/>) by [Ada](<https://catalog.example/ada/>).',
    );
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => dialog.locator('output').textContent()).toBe('Copied');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    // An icon that stands alone has its credit in its own lines.
    await page.locator('#icon-2 .tile').click();
    expect(await text.inputValue()).toContain('Stated by Ada (CC BY 3.0)');
    // Words stay words, whatever they are written with.
    await page.keyboard.press('Escape');
    await page.locator('#icon-22 .tile').click();
    expect(await text.inputValue()).toContain(String.raw`[“a\_b \<i\>\&”](<`);
    await page.getByLabel('HTML').check();
    expect(await text.inputValue()).toContain('>“a_b &#60;i&#62;&#38;”</a>');
    await page.getByLabel('Text').check();
    expect(await text.inputValue()).toMatch(/^“a_b <i>&” \(https:/);
    expect(errors).toEqual([]);
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
    expect(await page.locator('*').count()).toBeLessThan((15_000 / 4000) * 5000);
    // Folded, and drawn when it is unfolded: by an address that leads into it, too.
    expect(await page.locator('.grid .tile').count()).toBe(0);
    await page.evaluate(() => {
      location.hash = '#icon-4999';
    });
    await expect
      .poll(() =>
        page
          .locator('#icon-4999')
          .evaluate((item) => Math.abs(item.getBoundingClientRect().top) < 844),
      )
      .toBe(true);
    await expect.poll(() => page.locator('#icon-4999 svg path').count()).toBe(1);
    expect(await page.locator('.grid .tile').count()).toBe(2500);
    await page.getByRole('searchbox').pressSequentially('4999');
    expect(await page.locator('#found').textContent()).toBe('1 of 5000');
    expect(await page.locator('.grid > li:visible').count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    expect(await page.locator('nav .count').allTextContents()).toEqual(['2,500', '2,500']);
    expect(await page.locator('main > section:visible').count()).toBe(2);
    // Paper shows all of them, and the screen what it showed before.
    const open = page.locator('details[open]');
    const before = await open.count();
    await page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
    expect([await open.count(), await page.locator('.grid .tile').count()]).toEqual([2, 5000]);
    await page.evaluate(() => void dispatchEvent(new Event('afterprint')));
    expect(await open.count()).toBe(before);
    expect(errors).toEqual([]);
    await page.close();
  });
});
