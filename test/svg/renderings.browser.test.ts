import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { changedPart } from './support/changed-part.ts';
import { DRAWINGS } from './support/drawings.ts';
import { file, prepare, render } from './support/prepare.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
});

afterAll(async () => {
  await browser?.close();
});

async function compare(before: string, after: string): Promise<number | undefined> {
  const parts = await page.evaluate(changedPart, { pairs: [[before, after]] as const, size: 256 });
  return parts[0];
}

describe('drawings in several colours look the same before and after', () => {
  it.each(Object.entries(DRAWINGS))('%s', async (_name, source) => {
    for (const optimize of [true, false]) {
      const master = await prepare(source, { optimize, fixedColor: true });
      const difference = await compare(source, render(master, { size: '256' }));
      expect(difference).toBeLessThanOrEqual(0.0005);
    }
    expect((await prepare(source)).paint).toBe('multi-tone');
  });

  it('and a difference is seen', async () => {
    const [before, after] = ['red', 'blue'].map((fill) =>
      file(`<path fill="${fill}" d="M2 2h9v9H2z"/>`),
    );
    expect(await compare(before ?? '', after ?? '')).toBeGreaterThan(0.1);
  });
});