import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build, type PluginOption } from 'vite';
import vue from '@vitejs/plugin-vue';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import iconCatalog from '../../src/vite.ts';
import { violationsOf } from '../attribution/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { readTree, writeProject } from '../support/write-project.ts';
import { copyTemplate, type Edit } from './copy-template.ts';
import { creditsProblems, EVERY_FORMAT } from './credits-problems.ts';
import { artworkOf, drawIcons, findArtwork } from './find-artwork.ts';
import { ALIASES } from './project.ts';
import { readDrawings } from './read-page.ts';
import { serveFolder } from './serve-folder.ts';
import { parseManifest } from '../support/parse-manifest.ts';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const OPTIONS: Options = {
  aliases: ALIASES,
  attribution: EVERY_FORMAT,
  catalog: { embedded: { sets: ['tabler', 'maki', 'game-icons'], root: process.cwd() } },
};

interface Site {
  options: Options;
  plugins: PluginOption[];
  edits: Edit[];
}
/** Of both: what the page draws once its button was pressed. */
const DRAWN = ['anchor', 'bus', 'heart', 'star'];
const FAVICON = 'castle';

const PAGE: Edit = ['index.html', '/vite.svg', 'icon:castle?color=c00'];
const SITES: Record<string, Site> = {
  vanilla: {
    options: {},
    plugins: [],
    edits: [
      PAGE,
      ['src/main.js', `'/vite.svg'`, `'icon:star?url'`],
      ['src/main.js', `'./javascript.svg'`, `'icon:heart?inline'`],
      ['src/main.js', `import './style.css'`, `import './style.css'\nimport bell from 'icon:bell'`],
      ['src/style.css', '.card {', '.card {\n  background: url(icon:bus?color=333);'],
      [
        'src/counter.js',
        `element.addEventListener('click', () =>`,
        `element.addEventListener('click', async () => element.after(document.createRange().createContextualFragment((await import('icon:anchor')).default)))\n  element.addEventListener('click', () =>`,
      ],
    ],
  },
  // Without an unused import: by the NODE_ENV of tests, Vue keeps all of them for its developer tools.
  vue: {
    options: { framework: 'vue' },
    plugins: [vue()],
    edits: [
      PAGE,
      [
        'src/App.vue',
        '<img src="/vite.svg" class="logo" alt="Vite logo" />',
        '<Star class="logo" />',
      ],
      ['src/App.vue', 'src="./assets/vue.svg"', ':src="heart"'],
      [
        'src/App.vue',
        '<script setup>',
        `<script setup>\nimport Star from 'icon:star'\nimport heart from 'icon:heart?url'`,
      ],
      [
        'src/components/HelloWorld.vue',
        `import { ref } from 'vue'`,
        `import { defineAsyncComponent, ref } from 'vue'\nconst Anchor = defineAsyncComponent(() => import('icon:anchor'))`,
      ],
      ['src/components/HelloWorld.vue', '<p>', '<Anchor v-if="count > 0" />\n    <p>'],
      [
        'src/components/HelloWorld.vue',
        '<style scoped>',
        '<style scoped>\n.card { mask: url(icon:bus) }',
      ],
    ],
  },
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(Object.entries(SITES))('create-vite’s template for %s, with icons', (name, site) => {
  it('credits what its page draws and its files hold, and nothing else', async () => {
    const root = await writeProject({});
    await copyTemplate(`template-${name}`, root, site.edits);
    await symlink(MODULES, join(root, 'node_modules'), 'junction');
    const kept = { cacheDir: join(root, '.icons'), lockfile: join(root, 'icons.lock') };
    const names = [...DRAWN, FAVICON, 'bell'];
    const artwork = artworkOf(await drawIcons({ ...OPTIONS, ...kept }, names));
    const icons = iconCatalog({ ...OPTIONS, ...site.options, ...kept });
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [...site.plugins, icons],
    });

    const files = await readTree(join(root, 'dist'));
    const texts = [...files].flatMap(([file, bytes]) =>
      file.startsWith('icon-attribution.') ? [] : [bytes.toString('latin1')],
    );
    const shipped = [...DRAWN, FAVICON].toSorted();
    expect(findArtwork(texts, artwork)).toEqual(shipped);
    const manifest = parseManifest(String(files.get('icon-attribution.json')));
    expect(manifest.icons.map(({ id }) => nameOf(id)).toSorted()).toEqual(shipped);
    expect(await creditsProblems(files)).toEqual([]);

    const served = await serveFolder(join(root, 'dist'));
    onTestFinished(() => served.close());
    const page = await browser.newPage({ bypassCSP: true });
    onTestFinished(() => page.close());
    await page.goto(served.url);
    await page.getByRole('button').waitFor();
    const before = await page.locator('svg').count();
    await page.getByRole('button').click();
    await expect.poll(() => page.locator('svg').count()).toBe(before + 1);
    expect(findArtwork(await readDrawings(page), artwork)).toEqual(DRAWN);
    await page.goto(`${served.url}icon-attribution.html`);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [320, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        expect([colorScheme, width, await violationsOf(page)]).toEqual([colorScheme, width, []]);
      }
  });
});

function nameOf(id: string): string {
  return Object.keys(ALIASES).find((name) => String(ALIASES[name]) === id) ?? id;
}
