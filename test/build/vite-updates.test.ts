import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createServer, type PluginOption, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createUpdates } from '../../src/bundlers/vite/updates.ts';
import { IconCatalogError } from '../../src/errors.ts';
import { createIcons } from '../../src/icons.ts';
import type { Options } from '../../src/options/options.ts';
import { embeddedIconId } from '../../src/server.ts';
import vitePlugin from '../../src/vite.ts';
import { launchBrowser } from '../support/browser.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { unchecked } from '../support/unchecked.ts';
import { writeFiles, writeProject } from '../support/write-project.ts';

const HOME = embeddedIconId('tabler', 'home');
const STAR = embeddedIconId('tabler', 'star');
const BUS = embeddedIconId('maki', 'bus');
const CAFE = embeddedIconId('maki', 'cafe');
const LATE = embeddedIconId('maki', 'airport');
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const ofVitePress = createRequire(createRequire(import.meta.url).resolve('vitepress'));
/** The folder names its parts by conditions: what `import` gets of them. */
const VITE_5 = pathToFileURL(
  join(dirname(ofVitePress.resolve('vite/package.json')), 'dist/node/index.js'),
).href;

let catalog: CountingCatalog;
let browser: Browser;
beforeAll(async () => {
  [catalog, browser] = await Promise.all([startCountingCatalog(), launchBrowser()]);
});
afterAll(() => Promise.all([catalog.close(), browser.close()]));

/** A part of the page that takes updates of its icon and counts them. */
const part = (name: string, id: number): string =>
  `import icon, { credit } from 'icon:${id}';
  const runs = (window.runs ??= {}); runs.${name} = (runs.${name} ?? 0) + 1;
  document.querySelector('#${name}').innerHTML = icon + '<b>' + credit.title + '</b>';
  import.meta.hot.accept();`;

const PAGE = {
  'index.html':
    '<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><p id="home"></p><p id="star"></p><script type="module" src="/main.js"></script>',
  'main.js': `import './home.js'; import './star.js'; import './style.css'; window.loads = (window.loads ?? 0) + 1;`,
  'home.js': part('home', HOME),
  'star.js': part('star', STAR),
  'style.css': `#home { background: url("icon:${BUS}?color=ff0000") }`,
};

async function serve(
  options: Options = {},
  files: Record<string, string> = PAGE,
): Promise<{ server: ViteDevServer; root: string; url: string; lock: string }> {
  const root = await writeProject(files);
  const { url: baseUrl, key, secret } = catalog;
  const common = { catalog: { baseUrl, key, secret }, cacheDir: join(root, '.cache'), ...options };
  const icons = createIcons({ ...common, mode: 'online' }, { root, env: {} });
  await icons.sync([`icon:${HOME}`, `icon:${STAR}`, `icon:${BUS}?color=ff0000`, `icon:${CAFE}`]);
  await icons.close();
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
    plugins: [vitePlugin(common)],
  });
  onTestFinished(() => server.close());
  await server.listen();
  // A change that comes before the watcher has seen the file, or before a page listens, is lost.
  const watched = (): string[] => Object.values(server.watcher.getWatched()).flat();
  await expect.poll(watched).toEqual(expect.arrayContaining(['home.js', 'icons.lock']));
  return { server, root, url: server.resolvedUrls?.local[0] ?? '', lock: join(root, 'icons.lock') };
}

async function open(url: string): Promise<Page> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const connected = page.waitForEvent('console', (message) =>
    message.text().includes('[vite] connected'),
  );
  await page.goto(url);
  await connected;
  await page.locator('#star svg').waitFor();
  await page.evaluate(() => Object.assign(window, { here: true }));
  return page;
}

/** How often each part ran since the page was opened; without `here` the page was loaded again. */
const runsOf = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const { runs, here } = window as unknown as {
      runs: object;
      here?: boolean;
    };
    return { ...runs, here };
  });

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = change(unchecked(before));
  expect(after).not.toBe(before);
  await writeFile(file, after);
}

/** From now on the catalog answers only once it is released. */
function holdCatalog(): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  catalog.reset();
  catalog.hold = () => released;
  onTestFinished(() => {
    release();
    catalog.hold = undefined;
  });
  return release;
}

describe.each(['online', 'locked', 'offline'] as const)('a dev server in the mode %s', (mode) => {
  it('updates what depends on a changed line of the lock, and nothing else', async () => {
    const { url, lock } = await serve({ mode });
    const page = await open(url);
    expect(await runsOf(page)).toEqual({ home: 1, star: 1, here: true });
    const styled = await page.locator('style').textContent();

    await edit(lock, (text) => text.replace('"term":"Home"', '"term":"Casa"'));
    await page.getByText('Casa').waitFor();
    expect(await runsOf(page)).toEqual({ home: 2, star: 1, here: true });

    await edit(lock, (text) => text.replace('"term":"Star"', '"term":"Stella"'));
    await page.getByText('Stella').waitFor();
    expect(await runsOf(page)).toEqual({ home: 2, star: 2, here: true });
    expect(await page.locator('style').textContent()).toBe(styled);
  });
});

describe('a dev server', () => {
  it('has other bytes once the lock names them', async () => {
    // The file of the star, under the id of the house: what a catalog does that redraws an icon.
    const { url, lock } = await serve({ mode: 'locked' });
    const page = await open(url);
    const star = await page.locator('#star svg').innerHTML();
    expect(await page.locator('#home svg').innerHTML()).not.toBe(star);
    await edit(lock, (text) => {
      const integrity = new RegExp(`"${STAR}:svg":\\{"rev":1,("integrity":"[^"]+","size":\\d+)`);
      const [, bytes = ''] = integrity.exec(text) ?? [];
      return text.replace(
        new RegExp(`("${HOME}:svg":\\{"rev":)1,"integrity":"[^"]+","size":\\d+`),
        (_, start: string) => `${start}2,${bytes}`,
      );
    });
    await expect.poll(() => page.locator('#home svg').innerHTML()).toBe(star);
    expect(await runsOf(page)).toEqual({ home: 2, star: 1, here: true });
  });

  it('updates once, and on every side, where it hears of one change several times', async () => {
    const { url, lock, server } = await serve({ mode: 'locked' });
    const page = await open(url);
    const rendered = async (id: number): Promise<string> => {
      const { credit } = await server.ssrLoadModule(`icon:${id}`);
      return (credit as { title: string }).title;
    };
    expect(await Promise.all([HOME, STAR].map(rendered))).toEqual(['Home', 'Star']);

    await edit(lock, (text) => text.replace('"term":"Home"', '"term":"Casa"'));
    for (let count = 0; count < 3; count += 1) server.watcher.emit('change', lock);
    await page.getByText('Casa').waitFor();
    // What is sent after all updates of that change.
    await edit(lock, (text) => text.replace('"term":"Star"', '"term":"Stella"'));
    await page.getByText('Stella').waitFor();
    expect(await runsOf(page)).toEqual({ home: 2, star: 2, here: true });
    expect(await Promise.all([HOME, STAR].map(rendered))).toEqual(['Casa', 'Stella']);
  });

  it('does not load the page again for an icon that is on its way', async () => {
    const { url, lock, root } = await serve({ mode: 'online' });
    const page = await open(url);
    const release = holdCatalog();
    await writeFiles(root, { 'late.js': `import icon from 'icon:${LATE}'; window.late = icon;` });
    await edit(join(root, 'home.js'), (text) => `${text} import('./late.js');`);
    await expect.poll(() => catalog.calls.length).toBeGreaterThan(0);

    await edit(lock, (text) => text.replace('"term":"Home"', '"term":"Casa"'));
    await page.getByText('Casa').waitFor();
    release();
    await page.waitForFunction(() => 'late' in window);
    expect(await runsOf(page)).toEqual({ home: 3, star: 1, here: true });
    await expect.poll(() => readFile(lock, 'utf8')).toContain(`"${LATE}:svg"`);
    expect(await runsOf(page)).toEqual({ home: 3, star: 1, here: true });
  });

  it('has what the lock says of an icon that was on its way', async () => {
    const { lock, root, server } = await serve({ mode: 'locked' });
    const rendered = async (id: number): Promise<unknown> =>
      (await server.ssrLoadModule(`icon:${id}`))['credit'] as unknown;
    await rm(join(root, '.cache'), { recursive: true });
    await rendered(STAR);
    const release = holdCatalog();
    const home = rendered(HOME);
    await expect.poll(() => catalog.calls.length).toBeGreaterThan(0);
    await edit(lock, (text) =>
      text.replace('"term":"Home"', '"term":"Casa"').replace('"term":"Star"', '"term":"Stella"'),
    );
    // What was there already tells that the change was looked at.
    await expect.poll(() => rendered(STAR)).toMatchObject({ title: 'Stella' });
    release();
    expect(await home).toMatchObject({ title: 'Casa' });
    expect(await rendered(HOME)).toMatchObject({ title: 'Casa' });
  });

  it('updates style sheets in which a changed icon stands', async () => {
    const { url, lock, server } = await serve({ mode: 'locked' });
    const page = await open(url);
    const { moduleGraph } = server.environments.client;
    const style = [...moduleGraph.idToModuleMap.values()].find(({ id }) => id?.endsWith('.css'));
    const before = style?.transformResult;
    expect(before).toBeTruthy();
    await edit(lock, (text) => text.replace('"term":"Bus"', '"term":"Corriera"'));
    await expect.poll(() => style?.transformResult !== before).toBe(true);
    expect(await runsOf(page)).toEqual({ home: 1, star: 1, here: true });
  });

  it('shows an icon that was missing from the lock once the lock has it', async () => {
    const { url, lock, root } = await serve({ mode: 'locked' });
    const whole = await readFile(lock, 'utf8');
    await edit(lock, (text) => text.replace(new RegExp(`"${CAFE}:svg".*\n`), ''));
    await writeFiles(root, { 'cafe.js': part('star', CAFE) });
    const page = await open(url);
    await edit(join(root, 'home.js'), (text) => `${text} import('./cafe.js').catch(() => {});`);
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.evaluate((element) => element.shadowRoot?.textContent ?? '')).toContain(
      'LOCK_MISSING',
    );
    await writeFile(lock, whole);
    await page.locator('#star b', { hasText: 'Cafe' }).waitFor();
    await overlay.waitFor({ state: 'detached' });
  });

  it('has a style sheet whose icon was missing from the lock once the lock has it', async () => {
    const { url, lock, root } = await serve({ mode: 'locked' });
    const whole = await readFile(lock, 'utf8');
    await edit(lock, (text) => text.replace(new RegExp(`"${CAFE}:svg".*\n`), ''));
    await writeFiles(root, {
      'cafe.css': `#star { background: url("icon:${CAFE}?color=ff0000") }`,
    });
    const page = await open(url);
    await edit(join(root, 'home.js'), (text) => `${text} import('./cafe.css').catch(() => {});`);
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    await writeFile(lock, whole);
    await overlay.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('style').count()).toBe(2);
  });

  it('shows an icon that was missing from the vendor file once it is there', async () => {
    const { url, lock, root } = await serve({ mode: 'offline', vendor: true });
    await rm(join(root, '.cache'), { recursive: true });
    const vendor = join(root, 'icons.vendor.ndjson');
    const whole = await readFile(vendor, 'utf8');
    const line = new RegExp(`"${CAFE}:svg":\\{"rev":1,"integrity":"([^"]+)"`);
    const [, integrity = ''] = line.exec(await readFile(lock, 'utf8')) ?? [];
    const without = whole.split('\n').filter((text) => !text.includes(integrity));
    await writeFile(vendor, without.join('\n'));
    await writeFiles(root, { 'cafe.js': part('star', CAFE) });
    const page = await open(url);
    await edit(join(root, 'home.js'), (text) => `${text} import('./cafe.js').catch(() => {});`);
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.evaluate((element) => element.shadowRoot?.textContent ?? '')).toContain(
      'OFFLINE_MISSING',
    );
    await writeFile(vendor, whole);
    await page.locator('#star b', { hasText: 'Cafe' }).waitFor();
  });

  it('reports a lock that cannot be read, and goes on once it is fixed', async () => {
    const { url, lock } = await serve({ mode: 'locked' });
    const page = await open(url);
    await edit(lock, (text) => text.replace('"rev":1', '"rev":'));
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.evaluate((element) => element.shadowRoot?.textContent ?? '')).toContain(
      'LOCK_INVALID',
    );
    await edit(lock, (text) =>
      text.replace('"rev":,', '"rev":1,').replace('"term":"Home"', '"term":"Casa"'),
    );
    await page.getByText('Casa').waitFor();
  });

  it('starts again with other aliases, which is what Vite does with every option', async () => {
    const config = (id: number): string =>
      `import icons from 'unplugin-icon-catalog/vite';
      export default { logLevel: 'silent', plugins: [icons({ aliases: { mine: ${id} }, catalog: ${JSON.stringify({ baseUrl: catalog.url, key: catalog.key, secret: catalog.secret })}, cacheDir: '.cache' })] };`;
    const root = await writeProject({
      ...PAGE,
      'main.js': `import mine, { credit } from 'icon:mine'; document.querySelector('#star').innerHTML = mine + credit.title;`,
      'vite.config.ts': config(HOME),
    });
    await mkdir(join(root, 'node_modules'));
    await symlink(REPOSITORY, join(root, 'node_modules/unplugin-icon-catalog'), 'junction');
    const server = await createServer({
      root,
      server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
    });
    onTestFinished(() => server.close());
    await server.listen();
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.locator('#star', { hasText: 'Home' }).waitFor();
    await writeFile(join(root, 'vite.config.ts'), config(BUS));
    await page.locator('#star', { hasText: 'Bus' }).waitFor();
  });
});

describe('a dev server whose options are in a file of the project', () => {
  const CONFIG = 'icon-catalog.config.mjs';
  const FILES = {
    ...PAGE,
    // No change of options below is about the icon of the page.
    'index.html': PAGE['index.html'].replace(
      '<p id="home">',
      `<img src="icon:${CAFE}?color=ff0000&size=9" alt=""><p id="home">`,
    ),
    'home.js': part('home', HOME).replace(`icon:${HOME}`, 'icon:house'),
    'star.js': part('star', STAR).replace(`icon:${STAR}`, `icon:${STAR}?color=00ff00`),
    'style.css': '#home { background: url("icon:house?color=ff0000") }',
  };

  async function project(
    more: {
      files?: Record<string, string>;
      plugins?: PluginOption[];
      start?: typeof createServer;
      /** Of the package, in which Vite works. */
      folder?: string;
    } = {},
  ): Promise<{
    page: Page;
    root: string;
    server: ViteDevServer;
    file: string;
    /** Writes the file of options; as it is, where it is a text. */
    configure(options: Options | string): Promise<void>;
  }> {
    const { files = {}, plugins = [], start = createServer, folder = '' } = more;
    const root = await writeProject({});
    await writeFiles(join(root, folder), { ...FILES, ...files });
    await symlink(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'), 'junction');
    const file = join(root, CONFIG);
    const { url: baseUrl, key, secret } = catalog;
    const configure = (options: Options | string): Promise<void> => {
      const all = { catalog: { baseUrl, key, secret }, cacheDir: '.cache', ...Object(options) };
      const text = typeof options === 'string' ? options : `export default ${JSON.stringify(all)}`;
      return writeFile(file, text);
    };
    await configure({ aliases: { house: HOME } });
    const server = await start({
      root: join(root, folder),
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
      cacheDir: join(root, '.vite'),
      plugins: [vitePlugin(), ...plugins],
    });
    onTestFinished(() => server.close());
    await server.listen();
    const page = await open(server.resolvedUrls?.local[0] ?? '');
    return { page, root, server, file, configure };
  }

  it('updates what depends on what was changed in it, and nothing else', async () => {
    const { page, configure } = await project();
    expect(await page.locator('#home b').textContent()).toBe('Home');
    const styled = await page.locator('style').textContent();

    await configure({ aliases: { house: BUS } });
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    expect(await runsOf(page)).toEqual({ home: 2, star: 1, here: true });
    await expect.poll(() => page.locator('style').textContent()).not.toBe(styled);

    await configure({ aliases: { house: BUS }, defaults: { color: '0000ff' } });
    await page.locator('#home svg[fill="#0000ff"]').waitFor();
    expect(await runsOf(page)).toEqual({ home: 3, star: 1, here: true });

    const licenses = { assert: { [BUS]: { license: 'MIT', by: 'us', evidence: 'a letter' } } };
    await configure({ aliases: { house: BUS }, defaults: { color: '0000ff' }, licenses });
    await expect.poll(() => runsOf(page)).toEqual({ home: 4, star: 1, here: true });
  });

  it('follows the file of the package where Vite works in a folder of it, with the variables beside it', async () => {
    const { url, key, secret } = catalog;
    const variables = `ICON_CATALOG_URL=${url}\nICON_CATALOG_KEY=${key}\nICON_CATALOG_SECRET=${secret}\n`;
    const { page, root, configure } = await project({
      folder: 'src',
      files: { '../package.json': '{}', '../.env.local': variables },
    });
    expect(await page.locator('#home b').textContent()).toBe('Home');
    await configure(`export default { aliases: { house: ${BUS} }, cacheDir: '.cache' };`);
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    expect(await runsOf(page)).toEqual({ home: 2, star: 1, here: true });
    // Where commands read it.
    await expect
      .poll(() => readFile(join(root, 'icons.lock'), 'utf8').catch(() => ''))
      .toContain(`"${BUS}:svg"`);
  });

  it('rebuilds an icon that was not imported when the options changed', async () => {
    const { page, configure } = await project();
    const drawn = page.locator('#home path').first();
    const optimized = await drawn.getAttribute('d');
    await configure({ aliases: { house: BUS } });
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    const svg = { optimize: false };
    await configure({ aliases: { house: BUS }, svg });
    // The icon of the page is another by that, too.
    await expect.poll(() => runsOf(page)).toEqual({ home: 1, star: 1 });
    await configure({ aliases: { house: HOME }, svg });
    await page.locator('#home b', { hasText: 'Home' }).waitFor();
    expect(await drawn.getAttribute('d')).not.toBe(optimized);
  });

  it('updates once where one change is reported several times', async () => {
    const { page, server, file, configure } = await project();
    await configure({ aliases: { house: BUS } });
    for (let count = 0; count < 3; count += 1) server.watcher.emit('change', file);
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    // What is sent after all updates of that change.
    await configure({ aliases: { house: BUS }, defaults: { size: 33 } });
    await page.locator('#home svg[width="33"]').waitFor();
    expect(await runsOf(page)).toMatchObject({ home: 3, here: true });
  });

  it('reports one that is broken, keeps the icons, and goes on once it is fixed', async () => {
    const { page, configure } = await project();
    await configure('export default { alias: {} };');
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    expect(await overlay.evaluate((element) => element.shadowRoot?.textContent ?? '')).toContain(
      `${CONFIG}: There is no option \`alias\``,
    );
    expect(await runsOf(page)).toEqual({ home: 1, star: 1, here: true });
    await configure({ aliases: { other: HOME } });
    await expect
      .poll(() => overlay.evaluate((element) => element.shadowRoot?.textContent ?? ''))
      .toContain('`house` is neither an id nor an alias');
    await configure({ aliases: { house: BUS } });
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    await overlay.waitFor({ state: 'detached' });
    // Right by themselves, and of no use.
    await configure({ catalog: { baseUrl: 'nowhere', key: 'k', secret: 's' } });
    await expect
      .poll(() => overlay.evaluate((element) => element.shadowRoot?.textContent ?? ''))
      .toContain(
        `${CONFIG}: \`catalog.baseUrl\`, the address of the catalog, must be an http or https`,
      );
    await configure({ aliases: { house: HOME } });
    await page.locator('#home b', { hasText: 'Home' }).waitFor();
  });

  it('hears of one that is deleted and put back, and of other new files', async () => {
    const { page, server, file, configure } = await project();
    // It was not there when the server began to watch.
    await expect.poll(() => readFile(join(file, '../icons.lock'), 'utf8')).toContain('"Home"');
    await rm(file);
    const overlay = page.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    // Aliases and catalog were in the file. The page and the script report one each, in any order.
    expect(await overlay.evaluate((element) => element.shadowRoot?.textContent ?? '')).toMatch(
      /`house` is neither an id nor an alias|No catalog is configured/,
    );
    await configure({ aliases: { house: BUS } });
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    // The cache of the project gets files meanwhile, too.
    const added: string[] = [];
    server.watcher.on('add', (path: string) => added.push(path));
    await writeFile(join(file, '../fresh.js'), '');
    await expect.poll(() => added.join('\n')).toContain('fresh.js');
  });

  it('shows what the mode kept out once the mode lets it in', async () => {
    const { page, file, configure } = await project();
    await expect.poll(() => readFile(join(file, '../icons.lock'), 'utf8')).toContain('"Home"');
    await configure({ aliases: { house: STAR }, mode: 'locked' });
    // Only then are the options in force: Vite may see a source that changes with them first.
    await page.locator('#home b', { hasText: 'Star' }).waitFor();
    await edit(join(file, '../star.js'), (text) => text.replace(`icon:${STAR}`, `icon:${BUS}`));
    const overlay = page.locator('vite-error-overlay');
    await expect
      .poll(() => overlay.evaluate((element) => element.shadowRoot?.textContent ?? ''))
      .toContain('LOCK_MISSING');
    await configure({ aliases: { house: HOME }, mode: 'online' });
    await page.locator('#star b', { hasText: 'Bus' }).waitFor();
  });

  it('updates components of Svelte and the styles in them', async () => {
    const { page, configure } = await project({
      plugins: [svelte({ configFile: false })],
      files: {
        'home.js': `import { mount } from 'svelte'; import Home from './Home.svelte';
          mount(Home, { target: document.querySelector('#home') });`,
        'Home.svelte': `<script>import icon, { credit } from 'icon:house'</script>
          <b class="part">{credit.title}</b>{@html icon}
          <style>.part { mask: url(icon:house) }</style>`,
      },
    });
    const mask = (): Promise<string> =>
      page.locator('.part').evaluate((part) => getComputedStyle(part).maskImage);
    const before = await mask();
    await configure({ aliases: { house: BUS } });
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    await expect.poll(mask).not.toBe(before);
    expect(await runsOf(page)).toEqual({ star: 1, here: true });
    expect(await page.locator('vite-error-overlay').count()).toBe(0);
  });

  it('updates them in Vite 5, which VitePress 1 brings along', async () => {
    const { createServer: start } = (await import(VITE_5)) as typeof import('vite');
    const { page, configure } = await project({ start });
    await configure({ aliases: { house: BUS } });
    await page.locator('#home b', { hasText: 'Bus' }).waitFor();
    expect(await runsOf(page)).toEqual({ home: 2, star: 1, here: true });
    const credits = await page.request.get(new URL('/icon-attribution.json', page.url()).href);
    expect(await credits.text()).toContain('"Bus"');
  });
});

it('an import that was being resolved while the options changed leads to a reload', async () => {
  const file = join(REPOSITORY, 'does-not-exist', 'icon-catalog.config.js');
  let answer = (): void => undefined;
  const older = new Promise<void>((resolve) => (answer = resolve));
  const session = {
    config: { files: [file], refresh: () => Promise.resolve(true) },
    lock: { files: [], refresh() {} },
    async resolve() {
      await older;
      throw new IconCatalogError('SPECIFIER_INVALID', { message: 'There is no such alias.' });
    },
  };
  const { plugin } = createUpdates(session as never, () => undefined);
  const sent: unknown[] = [];
  const environment = {
    name: 'client',
    moduleGraph: { getModuleById: () => undefined },
    hot: { send: (payload: unknown) => sent.push(payload) },
  };
  const hooks = plugin as unknown as {
    resolveId: { handler(source: string, importer: string): void };
    hotUpdate(this: object, change: object): Promise<unknown>;
  };
  const server = { environments: { client: environment } };
  const change = { file, timestamp: 1, modules: [], server, read: () => '' };

  hooks.resolveId.handler('icon:house', '/main.js');
  await hooks.hotUpdate.call({ environment }, change);
  answer();
  expect(sent).toEqual([{ type: 'full-reload' }]);
});
