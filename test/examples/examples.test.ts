import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createIcons } from '../../src/index.ts';
import { embeddedIconId } from '../../src/server.ts';
import { launchBrowser } from '../support/browser.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildExample, lookAt, serveSite } from './support.ts';
import { parseManifest } from '../support/parse-manifest.ts';

interface Example {
  packages: string[];
  bin: string;
  args?: string[];
  site: string;
  pages: string[];
  /** What somebody who reads the example expects on its pages. */
  icons: string[];
}

/** Icons that no example shows: a credit for one of them would be one for nothing. */
const DECOYS = ['tabler:trash', 'game-icons:axe-swing', 'maki:zoo'];

const EXAMPLES: Record<string, Example> = {
  eleventy: {
    packages: ['@11ty/eleventy'],
    bin: '@11ty/eleventy/cmd.cjs',
    site: '_site',
    pages: ['/', '/wildlife/'],
    icons: [
      'tabler:anchor',
      'tabler:calendar-event',
      'tabler:moon',
      'tabler:ripple',
      'game-icons:crab',
      'game-icons:whale-tail',
      'maki:ferry',
      'maki:lighthouse',
    ],
  },
  vitepress: {
    packages: ['vitepress', 'vue'],
    bin: 'vitepress/bin/vitepress.js',
    args: ['build'],
    site: '.vitepress/dist',
    pages: ['/', '/bees'],
    icons: [
      'tabler:droplet',
      'tabler:seeding',
      'tabler:sun',
      'game-icons:beehive',
      'game-icons:carrot',
      'maki:garden',
    ],
  },
  sveltekit: {
    packages: [
      '@sveltejs/kit',
      '@sveltejs/adapter-static',
      '@sveltejs/vite-plugin-svelte',
      'svelte',
      'vite',
    ],
    bin: 'vite/bin/vite.js',
    args: ['build'],
    site: 'build',
    pages: ['/', '/birds'],
    icons: [
      'tabler:binoculars',
      'tabler:feather',
      'tabler:map-pin',
      'game-icons:owl',
      'game-icons:raven',
      'maki:wetland',
    ],
  },
  astro: {
    packages: ['astro'],
    bin: 'astro/astro.js',
    args: ['build'],
    site: 'dist',
    pages: ['/', '/moon'],
    icons: [
      'tabler:comet',
      'tabler:star',
      'tabler:telescope',
      'game-icons:moon',
      'game-icons:ringed-planet',
      'maki:observation-tower',
    ],
  },
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(Object.entries(EXAMPLES))('the example for %s', (name, example) => {
  it('shows its icons without a complaint, and credits what its pages show', async () => {
    const { site, reported, remove } = await buildExample(name, example);
    onTestFinished(remove);
    // One line for the site, whatever builds made it.
    const lines = reported.split('\n').filter((line) => /signed call/.test(line));
    expect(lines).toEqual([expect.stringContaining(` ${example.icons.length} icons in `)]);
    if (name !== 'eleventy') expect(lines[0]).toMatch(/attribution: \/icon-attribution\.html$/);
    const { url, close } = await serveSite(site);
    onTestFinished(close);

    const seen = [];
    for (const page of example.pages) seen.push(await lookAt(browser, `${url}${page}`));
    for (const { complaints, linksToCredits } of seen) {
      expect(complaints).toEqual([]);
      expect(linksToCredits).toBe(true);
    }

    const drawings = withSpaces(seen.flatMap((page) => page.drawings).join('\n'));
    const traces = await tracesOf([...example.icons, ...DECOYS]);
    const shown = [...traces]
      .filter(([, trace]) => drawings.includes(withSpaces(trace)))
      .map(([icon]) => icon);
    expect(shown.toSorted()).toEqual(example.icons.toSorted());

    const manifest = parseManifest(await readFile(join(site, 'icon-attribution.json'), 'utf8'));
    const ids = new Map([...traces.keys()].map((icon) => [idOf(icon), icon]));
    expect(manifest.icons.map(({ id }) => ids.get(id) ?? id).toSorted()).toEqual(shown.toSorted());
    expect(manifest.complete).toBe(true);
    const credits = await readFile(join(site, 'icon-attribution.html'), 'utf8');
    for (const { id } of manifest.icons) expect(credits).toContain(`id="icon-${id}"`);
  }, 240_000);
});

/** Addresses have commas between the numbers of a path, and markup has spaces. */
function withSpaces(text: string): string {
  return text.replace(/[\s,]+/g, ' ');
}

function idOf(icon: string): string {
  const [set = '', name = ''] = icon.split(':');
  return String(embeddedIconId(set, name));
}

/** Something of each icon that stands in every form of it. */
async function tracesOf(names: readonly string[]): Promise<Map<string, string>> {
  const cacheDir = await temporaryFolder();
  const icons = createIcons(
    { catalog: 'embedded', cacheDir, logLevel: 'error', lockfile: join(cacheDir, 'icons.lock') },
    { env: {} },
  );
  const entries = await Promise.all(
    names.map(async (name) => {
      const { svg = '' } = await icons.load(`icon:${idOf(name)}`);
      const data = [...svg.matchAll(/\sd="([^"]+)"/g)].map(([, value = '']) => value);
      return [name, data.toSorted((a, b) => b.length - a.length)[0] ?? name] as const;
    }),
  );
  await icons.close();
  return new Map(entries);
}
