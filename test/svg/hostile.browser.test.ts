import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { exposeDrawings } from './support/expose-drawings.ts';
import { hostileFiles } from './support/hostile-files.ts';
import { prepare, render } from './support/prepare.ts';

const BATCH = 40;
const files = hostileFiles();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
});

/** What comes out of every file that is not refused, each text once. */
async function clean(animation: boolean): Promise<Set<string>> {
  const drawings = new Set<string>();
  for (const [index, { bytes }] of files.entries()) {
    const master = await prepare(bytes, { id: index, animation }).catch(() => undefined);
    if (master === undefined) continue;
    drawings.add(
      render(master, {
        id: index,
        color: index % 2 === 0 ? 'ff0000' : 'currentColor',
        title: index % 5 === 0 ? '</title><script>alert(1)</script>' : null,
        class: 'a" onload="alert(1)',
      }),
    );
  }
  return drawings;
}

function batches(drawings: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(drawings.length / BATCH) }, (_, index) =>
    drawings.slice(index * BATCH, (index + 1) * BATCH),
  );
}

describe('hostile files in a browser', () => {
  it('would run, fetch and leave the page if they were not cleaned', async () => {
    const raw = files
      .filter(({ name }) =>
        /onload-root|script-plain|use-external|image-external|feimage-external|onclick-shape|a-javascript\.svg/.test(
          name,
        ),
      )
      .map(({ bytes }) => new TextDecoder().decode(bytes));
    const exposure = await exposeDrawings(browser, raw);
    expect(exposure.dialogs).toBeGreaterThan(3);
    expect(exposure.requests.some((url) => url.includes('evil.example'))).toBe(true);
  });

  it('run nothing and fetch nothing once cleaned', async () => {
    const still = await clean(false);
    const moving = await clean(true);
    expect([...moving].some((svg) => svg.includes('<animate') || svg.includes('<set'))).toBe(true);
    const drawings = [...new Set([...still, ...moving])];
    expect(drawings.length).toBeGreaterThan(60);
    for (const batch of batches(drawings)) {
      const exposure = await exposeDrawings(browser, batch);
      expect(exposure).toMatchObject({ dialogs: 0, requests: [], navigations: [] });
      // Inline twice, an object and two frames: each drawing was there and could be reached.
      expect(exposure.elements).toBeGreaterThanOrEqual(batch.length * 5 * 2);
    }
  }, 240_000);
});