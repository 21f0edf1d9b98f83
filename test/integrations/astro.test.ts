import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import iconCatalog from '../../src/astro.ts';
import type { AddAnswer, ProjectAnswer, SearchAnswer } from '../../src/picker/api.ts';
import { copyForms } from '../../src/picker/page/copy-forms.ts';
import { embeddedIconId } from '../../src/server.ts';
import { fakeIcon } from '../support/fake-picker.ts';
import { launchBrowser } from '../support/browser.ts';
import { freePort, startDevServer } from '../support/dev-server.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';

const run = promisify(execFile);
const aliases = {
  telescope: embeddedIconId('tabler', 'telescope'),
  comet: embeddedIconId('tabler', 'comet'),
  moon: embeddedIconId('tabler', 'moon'),
  star: embeddedIconId('tabler', 'star'),
  tower: embeddedIconId('maki', 'observation-tower'),
};
/** Every form that the icon browser copies. */
const { component = '', ...copied } = Object.fromEntries(
  copyForms(
    fakeIcon('telescope', { term: 'Telescope', aliases: ['telescope'] }),
    { color: '1d5c46', size: 24 },
    { framework: 'astro', defaults: {} },
  ).map(({ id, code }) => [id, code]),
);
const [imported = '', tag = ''] = component.split('\n\n');

const FILES = {
  'src/pages/forms.astro': `---
${imported}
${copied['import']}
${copied['url']}
${copied['set']}
---
<html lang="en"><head><title>Forms</title></head><body>
${tag}<p id="set">{Object.keys(icons).join()} {typeof telescope}</p><img src={telescopeUrl} alt="Address" />
${copied['img']}${copied['inline']}
<style>.picture { ${copied['css']} } .mask { ${copied['mask']} }</style>
</body></html>`,
  'astro.config.mjs': `
    import { defineConfig } from 'astro/config';
    import iconCatalog from 'unplugin-icon-catalog/astro';
    export default defineConfig({ base: '/sky', integrations: [iconCatalog()] });
  `,
  'icon-catalog.config.mjs': `export default ${JSON.stringify({ catalog: 'embedded', aliases })};`,
  'src/pages/index.astro': `---
import Telescope from 'icon:telescope';
import tower from 'icon:tower?as=url&size=32';
import comet from 'icon:comet?sprite&size=32';
---
<html lang="en"><head><title>Sky</title></head><body>
<Telescope title={'<b>'} class="big" data-own="yes" size={48} />
<img src={tower} alt="Tower" /><Fragment set:html={comet} />
</body></html>`,
  'src/pages/notes.md':
    '# Notes\n\n![A star](icon:star?size=32)\n\n<img inline src="icon:moon?size=24" alt="Moon">\n',
};

let consumer: PackedConsumer;
let site: Map<string, Buffer>;
let types: string;
let reported: string;
beforeAll(async () => {
  consumer = await createPackedConsumer({
    packages: ['astro', '@iconify-json/tabler', '@iconify-json/maki'],
    files: FILES,
  });
  const { root } = consumer;
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    ASTRO_TELEMETRY_DISABLED: '1',
    ICON_CATALOG_CACHE_DIR: join(root, '.icons'),
  };
  const { stdout, stderr } = await run(process.execPath, ['node_modules/astro/astro.js', 'build'], {
    cwd: root,
    env,
  });
  reported = stdout + stderr;
  site = await readTree(join(root, 'dist'));
  if (!site.has('index.html')) throw new Error(stdout + stderr);
  types = String(
    (await readTree(join(root, '.astro'))).get('integrations/unplugin-icon-catalog/icons.d.ts'),
  );
});
afterAll(() => consumer.remove());

const page = (path: string): string => String(site.get(path));

describe('the Astro integration', () => {
  it('has components as default form, whose attributes are those of the icon', () => {
    const drawing = /<svg[^>]*data-own[^>]*>.*?<\/svg>/s.exec(page('index.html'))?.[0] ?? '';
    expect(drawing).toMatch(/^<svg [^>]*width="48" height="48" role="img"[^>]*class="big"/);
    expect(drawing).toContain('<title>&#60;b&#62;</title>');
  });

  it('has files and the sprite file below the base, where the page looks for them', () => {
    const addresses = [...page('index.html').matchAll(/(?:src|href)="(\/sky\/[^"#]*)/g)].map(
      ([, path = '']) => path,
    );
    expect(addresses).toHaveLength(2);
    for (const address of addresses) expect(site.has(address.replace('/sky/', ''))).toBe(true);
  });

  it('puts icons into rendered Markdown', () => {
    expect(page('notes/index.html')).toContain('<img src="data:image/svg+xml,');
    expect(page('notes/index.html')).toMatch(
      /<svg [^>]*width="24" height="24"[^>]*role="img"[^>]*><title>Moon<\/title>/,
    );
    expect(page('notes/index.html')).not.toContain('icon:');
  });

  it('credits every icon that the pages show', () => {
    const { icons, complete } = parseManifest(page('icon-attribution.json'));
    expect(icons.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      Object.values(aliases).toSorted((a, b) => a - b),
    );
    expect(complete).toBe(true);
    expect(page('icon-attribution.html')).toContain('Telescope');
  });

  it('says in one line at the end what all its builds did, and where the site serves the credits', () => {
    const lines = reported.split('\n').filter((line) => line.includes('signed call'));
    expect(lines).toEqual([expect.stringMatching(/ 5 icons in 9 variants · 10 signed calls · /)]);
    expect(reported.trimEnd()).toMatch(/ · attribution: \/sky\/icon-attribution\.html$/);
  });

  it('builds every form that the icon browser copies', () => {
    const forms = page('forms/index.html');
    expect(forms).not.toMatch(/["'(=]icon:/);
    const drawings = forms.match(/<svg .*?<\/svg>/gs) ?? [];
    expect(drawings.map((drawing) => drawing.includes('"#1d5c46"'))).toEqual([true, true]);
    expect(forms).toContain('>telescope function</p>');
    expect(forms).toMatch(/<img src="\/sky\/[^"]+\.svg" alt="Address"/);
    expect(forms).toMatch(/<img src="(?:\/sky\/[^"]+\.svg|data:image\/svg[^"]+)" alt="Telescope"/);
    const styles = [...site]
      .filter(([path]) => path.endsWith('.css'))
      .map(([, text]) => String(text));
    expect(
      (forms + styles.join('')).match(/url\(["']?(?:\/sky\/|data:image\/svg)/g)?.length,
    ).toBeGreaterThan(1);
  });

  it('credits the icons of a server whose program an adapter takes away, as that of Vercel does', async () => {
    const root = join(consumer.root, 'server');
    await writeFiles(root, {
      'package.json': '{ "type": "module" }',
      'icon-catalog.config.mjs': FILES['icon-catalog.config.mjs'],
      'site/astro.config.mjs': `
import { rename } from 'node:fs/promises';
import { defineConfig } from 'astro/config';
import iconCatalog from 'unplugin-icon-catalog/astro';
let config;
const adapter = { name: 'carrier', hooks: {
  'astro:config:done': (done) => {
    ({ config } = done);
    const serverEntrypoint = new URL('entry.mjs', import.meta.url).href;
    done.setAdapter({ name: 'carrier', serverEntrypoint, exports: ['render'], supportedAstroFeatures: { serverOutput: 'stable', staticOutput: 'stable' } });
  },
  'astro:build:done': () => rename(config.build.server, new URL('carried/', config.root)),
} };
export default defineConfig({ output: 'server', adapter, integrations: [iconCatalog()] });`,
      'site/entry.mjs': `import { App } from 'astro/app';
export const createExports = (manifest) => ({ render: (request) => new App(manifest).render(request) });`,
      'site/src/pages/index.astro': `---
import Telescope from 'icon:telescope';
---
<html lang="en"><head><title>Late</title></head><body><Telescope /><b>a</b></body></html>
<style>b { background: url(icon:comet?color=f00) }</style>`,
      'site/src/pages/ahead.astro': `---
import tower from 'icon:tower?as=url&size=32';
export const prerender = true;
---
<html lang="en"><head><title>Ahead</title></head><body><img src={tower} alt="Tower" /></body></html>`,
    });
    const astro = join(consumer.root, 'node_modules/astro/astro.js');
    await run(process.execPath, [astro, 'build', '--root', 'site'], {
      cwd: root,
      env: { ...DEV_ENV, PATH: process.env['PATH'], HOME: consumer.root },
    });
    expect((await readTree(join(root, 'site/carried'))).size).toBeGreaterThan(0);
    const published = await readTree(join(root, 'site/dist/client'));
    const { icons, complete } = parseManifest(String(published.get('icon-attribution.json')));
    expect([complete, icons.map(({ title }) => title)]).toEqual([
      true,
      ['Comet', 'Observation tower', 'Telescope'],
    ]);
    // Beside the options, which commands read in the folder of the package.
    expect(await readdir(root)).toContain('icons.lock');
    expect(await readdir(join(root, 'site'))).not.toContain('icons.lock');
  });

  it('declares to TypeScript what a component is', () => {
    expect(types).toBe('/// <reference types="unplugin-icon-catalog/types/astro" />\n');
  });

  it('has a dev server start although the file of options is broken, and no build', async () => {
    const root = await writeProject({ 'icon-catalog.config.json': '{ "aliases": ' });
    const setUp = iconCatalog().hooks['astro:config:setup'];
    const updateConfig = vi.fn();
    const given = {
      config: { root: pathToFileURL(`${root}/`) },
      updateConfig,
      addWatchFile() {},
      addDevToolbarApp() {},
    };
    await expect(setUp({ ...given, command: 'build' })).rejects.toThrow('cannot be loaded');
    await setUp({ ...given, command: 'dev' });
    expect(updateConfig).toHaveBeenCalledOnce();
  });

  it.each([
    ['dev', {}, {}, 1],
    ['build', {}, {}, 0],
    ['preview', {}, {}, 0],
    ['dev', { picker: false }, {}, 0],
    ['dev', {}, { CI: '1' }, 0],
  ] as const)(
    'has an app in the toolbar: command %s, options %j, environment %j: %i',
    async (command, options, env, times) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      onTestFinished(() => void vi.unstubAllEnvs());
      const addDevToolbarApp = vi.fn();
      await iconCatalog(options).hooks['astro:config:setup']({
        command,
        config: { root: pathToFileURL(`${consumer.root}/`) },
        updateConfig() {},
        addWatchFile() {},
        addDevToolbarApp,
      });
      expect(addDevToolbarApp).toHaveBeenCalledTimes(times);
    },
  );
});

const DEV_FILES = {
  'astro.config.mjs': `
import { defineConfig } from 'astro/config';
import iconCatalog from 'unplugin-icon-catalog/astro';
import mdx from './mdx.mjs';
export default defineConfig({
  base: '/sky',
  // The packages of this project are links.
  vite: { server: { fs: { strict: false } } },
  integrations: [
    mdx,
    { name: 'started', hooks: { 'astro:server:start': () => console.log('A server has started.') } },
    iconCatalog({ catalog: { embedded: { sets: ['maki'] } }, aliases: { tower: 'maki/observation-tower' } }),
  ],
});
`,
  'src/pages/index.astro': `---
import Tower from 'icon:tower';
---
<html lang="en"><head><title>Sky</title></head><body><Tower /></body></html>`,
  // As the integration for MDX has it: entries of content are modules, and Astro takes the styles of what they import.
  'mdx.mjs': `export default { name: 'mdx', hooks: { 'astro:config:setup': (setup) => {
    setup.addContentEntryType({
      extensions: ['.mdx'],
      getEntryInfo: ({ contents }) => ({ data: {}, body: contents, slug: '', rawData: '' }),
      contentModuleTypes: '',
    });
    const transform = (code, id) => id.endsWith('.mdx') ? \`import { createComponent, renderComponent } from 'astro/runtime/server/index.js';
\${code}
export const Content = createComponent((result) => renderComponent(result, 'Icon', Icon, { title: 'In an entry' }));
export const frontmatter = {}; export const getHeadings = () => []; export default Content;\` : undefined;
    setup.updateConfig({ vite: { plugins: [{ name: 'mdx', enforce: 'pre', transform }] } });
  } } };`,
  'src/content.config.mjs': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
export const collections = { posts: defineCollection({ loader: glob({ base: 'src/posts', pattern: '*.mdx' }) }) };`,
  'src/posts/one.mdx': `import Icon from 'icon:tower';\n`,
  'src/pages/one.astro': `---
import { getEntry, render } from 'astro:content';
const { Content } = await render(await getEntry('posts', 'one'));
---
<html lang="en"><head><title>One</title></head><body><Content /></body></html>
<style>body { background: url(icon:tower?color=f00) }</style>`,
};

const DEV_ENV = { ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DISABLE_UPDATE_CHECK: 'true' };

describe('the dev server of Astro', () => {
  it.each(['astro6', 'astro7'])(
    'shows icons of entries and styles in %s, whose styles are rendered on the server',
    async (version) => {
      const root = join(consumer.root, version);
      await writeFiles(root, {
        ...DEV_FILES,
        // The command lines of Astro 6 and 7 refuse Node.js 20, their servers do not.
        'dev.mjs': `import { dev } from 'astro';
await dev({ root: import.meta.dirname, server: { port: ${await freePort()} } });`,
      });
      await mkdir(join(root, 'node_modules'));
      const astro = fileURLToPath(new URL(`../../node_modules/${version}`, import.meta.url));
      await symlink(astro, join(root, 'node_modules/astro'), 'junction');
      const dev = await startDevServer(['dev.mjs'], { cwd: root, env: DEV_ENV });
      const entry = await (await fetch(new URL('/sky/one/', dev.address))).text();
      expect(entry).toContain('<title>In an entry</title>');
      expect(entry).toMatch(/<style[^>]*>body *\{\s*background: *url\("data:image/);
      expect(entry).not.toContain('icon:');
    },
  );

  it('shows icons of entries and styles, has the icon browser below its base and in its toolbar, and writes into its configuration', async () => {
    const root = join(consumer.root, 'dev');
    await writeFiles(root, DEV_FILES);
    const dev = await startDevServer(
      ['node_modules/astro/astro.js', 'dev', '--root', 'dev', '--port', String(await freePort())],
      { cwd: consumer.root, env: DEV_ENV },
    );
    expect(dev.address.pathname).toBe('/sky/__icon-catalog/');
    const entry = await (await fetch(new URL('/sky/one/', dev.address))).text();
    expect(entry).toContain('<title>In an entry</title>');
    expect(entry).toMatch(/<style[^>]*>body *\{\s*background: *url\("data:image/);
    expect(entry).not.toContain('icon:');
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(new URL('/sky/', dev.address).href);
    await page.locator('body > svg').waitFor();
    await page.locator('#dev-bar-hitbox-above').hover({ force: true });
    await page.locator('button[data-app-id=unplugin-icon-catalog]').click();
    const picker = page.frameLocator('iframe[title=Icons]');
    // Nothing that other ports can read holds the token: the tab gets it once.
    await picker.getByLabel('Or paste it here').fill(dev.address.href);
    await picker.getByRole('button', { name: 'Connect' }).click();
    await picker.locator('#query').fill('bakery');
    await picker.locator('[role=gridcell] img').first().waitFor();
    // It closes the search and leaves the field, and then the panel is next.
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('Escape');
    await page.locator('iframe[title=Icons]').waitFor({ state: 'hidden' });
    const { write } = await dev.post<ProjectAnswer>('project');
    expect(write).toMatchObject({ possible: true, file: 'astro.config.mjs' });
    const [found] = (await dev.post<SearchAnswer>('search', { query: 'bakery', remote: true }))
      .icons;
    const items = [{ id: found?.id, alias: 'bread' }];
    const { undo } = await dev.post<AddAnswer>('add', { items });
    const config = (): Promise<string> => readFile(join(root, 'astro.config.mjs'), 'utf8');
    expect(await config()).toBe(
      DEV_FILES['astro.config.mjs'].replace(
        "'maki/observation-tower' }",
        "'maki/observation-tower', bread: 'maki/bakery' }",
      ),
    );
    // Astro starts again. The page stays connected, and its address is not printed once more. The server before knows
    // the new alias too, and cuts the connection of whoever asks it while it closes: only the next one is asked.
    const started = (): number => dev.printed().split('A server has started.').length - 1;
    const named = async (): Promise<number> =>
      (await dev.post<ProjectAnswer>('project')).icons.length;
    await expect.poll(started).toBe(2);
    expect(await named()).toBe(2);
    await dev.post('undo', { undo });
    expect(await config()).toBe(DEV_FILES['astro.config.mjs']);
    await expect.poll(started).toBe(3);
    expect(await named()).toBe(1);
    expect(dev.printed().split('Restarting')).toHaveLength(3);
    expect(dev.printed().split('/__icon-catalog/')).toHaveLength(2);
    expect(await dev.refusals()).toEqual([403, 403, 401]);
  });
});
