import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import type { Manifest } from '../../src/types.ts';
import { launchBrowser } from '../support/browser.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { main } from '../../src/cli/main.ts';
import { createFakeHost, type FakeHost } from './support/fake-host.ts';
import { parseManifest } from '../support/parse-manifest.ts';

let catalog: CountingCatalog;
let browser: Browser;
beforeAll(async () => {
  [catalog, browser] = await Promise.all([startCountingCatalog(), launchBrowser()]);
});
afterAll(() => Promise.all([catalog.close(), browser.close()]));

const [HOME, BUS, LION, STAR] = [
  embeddedIconId('tabler', 'home'),
  embeddedIconId('maki', 'bus'),
  embeddedIconId('game-icons', 'lion'),
  embeddedIconId('tabler', 'star'),
];

const PAGE = `<!doctype html><html lang="en"><head><title>x</title>\r
<link rel="icon" href="icon:house?color=f00">
<style>p { background: url(icon:${STAR}?color=0a0) }</style></head>
<body style='mask: url("icon:${STAR}")'>
<img src="icon:${BUS}?url" alt=""><img inline src="icon:${LION}" alt="A &quot;lion&quot; </svg>" class="big">
<svg width="24" height="24"><use href="icon:${HOME}"/></svg>
</body></html>`;

const SITE = {
  'icon-catalog.config.json': JSON.stringify({ aliases: { house: HOME } }),
  'dist/index.html': PAGE,
  'dist/docs/deep/page.html': `<img src="icon:${BUS}?url" alt=""><img src="icon:${BUS}?filetype=png&amp;size=32" alt="">`,
  'dist/plain.html': '<p>icon:nothing</p>',
  'dist/notes.txt': `<img src="icon:${BUS}">`,
};

const CONFIG = 'icon-catalog.config.json';

async function run(root: string, ...args: string[]): Promise<FakeHost & { code: number }> {
  return runWith({}, root, ...args);
}

async function runWith(
  { env = {}, config = SITE[CONFIG] }: { env?: Record<string, string>; config?: string },
  root: string,
  ...args: string[]
): Promise<FakeHost & { code: number }> {
  const host = createFakeHost({
    cwd: root,
    env: {
      ICON_CATALOG_URL: catalog.url,
      ICON_CATALOG_KEY: catalog.key,
      ICON_CATALOG_SECRET: catalog.secret,
      ICON_CATALOG_CACHE_DIR: join(root, '.cache'),
      ...env,
    },
  });
  // This machine reads configurations from memory.
  host.files.set(join(root, CONFIG), Buffer.from(config));
  return Object.assign(host, { code: await main(['html', ...args], host) });
}

async function snapshot(root: string): Promise<Record<string, string>> {
  const tree = await readTree(join(root, 'dist'));
  return Object.fromEntries([...tree].map(([name, bytes]) => [name, bytes.toString()]));
}

async function manifestIn(root: string): Promise<Manifest> {
  return parseManifest(await readFile(join(root, 'dist/icon-attribution.json'), 'utf8'));
}

describe('icon-catalog html', () => {
  it('puts icons into finished pages, which a browser then shows', async () => {
    const root = await writeProject(SITE);
    const { code, out, err } = await run(root, 'dist/**/*.html');
    expect([code, out(), err()]).toEqual([
      0,
      'docs/deep/page.html\nindex.html\n',
      expect.stringContaining('8 icons in 2 of 3 pages, 5 files written beside them'),
    ]);
    expect(err()).toContain(
      'Pages that show icons need a link to their credits, for example <a href="/icon-attribution.html">Icon credits</a>.',
    );
    const files = await snapshot(root);
    const names = Object.keys(files).filter((name) => /\.(?:svg|png)$/.test(name));
    expect(names.map((name) => name.replace(/-\d+-[0-9a-f]{8}/, ''))).toEqual([
      'assets/icons/bus.svg',
      'assets/icons/home.svg',
    ]);
    const [bus = '', home = ''] = names;
    expect(files['docs/deep/page.html']).toContain(`<img src="../../${bus}" alt="">`);
    expect(files['index.html']).toContain(
      `<link rel="icon" href="${home}" type="image/svg+xml" sizes="any">\n<style>`,
    );
    expect(files['index.html']).toMatch(
      /^<!doctype html><html lang="en"><head><title>x<\/title>\r\n/,
    );
    expect(files['index.html']).toContain('<title>A "lion" &lt;/svg&gt;</title>');

    const page = await browser.newPage();
    onTestFinished(() => page.close());
    const failed: string[] = [];
    page.on('requestfailed', (request) => {
      // The next page may come before the favicon of the last one.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(request.url());
    });
    for (const name of ['index.html', 'docs/deep/page.html']) {
      await page.goto(pathToFileURL(join(root, 'dist', name)).href);
      const widths = await page.evaluate(() =>
        Promise.all(
          [...document.images].map((image) => image.decode().then(() => image.naturalWidth)),
        ),
      );
      expect(widths.every((width) => width > 0)).toBe(true);
    }
    expect(failed).toEqual([]);

    const { icons, complete } = await manifestIn(root);
    expect(complete).toBe(true);
    expect(
      icons.map(({ title, usedIn }) => [
        title,
        [
          ...new Set(usedIn.map(({ kind, file }) => `${kind} ${file.replace(/-.*/, '')}`)),
        ].toSorted(),
      ]),
    ).toEqual([
      ['Bus', ['asset assets/icons/bus', 'inline-html docs/deep/page.html']],
      ['Home', ['asset assets/icons/home', 'inline-html index.html']],
      ['Lion', ['inline-html index.html']],
      ['Star', ['inline-html index.html']],
    ]);
  });

  it('does nothing the second time, and leaves pages without icons alone from the first', async () => {
    const root = await writeProject(SITE);
    const plain = join(root, 'dist/plain.html');
    const past = new Date(1_600_000_000_000);
    await utimes(plain, past, past);
    await run(root, 'dist');
    expect((await stat(plain)).mtime).toEqual(past);
    const before = await snapshot(root);
    await utimes(join(root, 'dist/index.html'), past, past);
    catalog.reset();
    const { code, out, err } = await run(root, 'dist');
    expect([code, out(), err()]).toEqual([0, '', '0 icons in 0 of 3 pages.\n']);
    expect(await snapshot(root)).toEqual(before);
    expect((await stat(join(root, 'dist/index.html'))).mtime).toEqual(past);
    expect(catalog.calls).toEqual([]);
  });

  it.each([
    ['--dry-run', 0],
    ['--check', 1],
  ])('writes nothing with %s', async (flag, expected) => {
    const root = await writeProject(SITE);
    const before = await snapshot(root);
    const { code, out } = await run(root, 'dist', flag);
    expect([code, out()]).toEqual([expected, 'docs/deep/page.html\nindex.html\n']);
    expect(await snapshot(root)).toEqual(before);
    await run(root, 'dist');
    expect((await run(root, 'dist', flag)).code).toBe(0);
  });

  it('adds to the credits that are there, and replaces its own', async () => {
    const root = await writeProject({ 'dist/a.html': `<img src="icon:${BUS}" alt="">` });
    await run(root, 'dist');
    const built = await manifestIn(root);
    const others = {
      ...built,
      builds: built.builds.map((build) => ({ ...build, id: 'client', bundler: 'vite' })),
      icons: built.icons.map((icon) =>
        Object.assign(icon, { usedIn: [{ build: 'client', file: 'main.js', kind: 'inline-js' }] }),
      ),
    };
    await writeFiles(root, {
      'dist/icon-attribution.json': JSON.stringify(others),
      'dist/main.js': 'export {};',
      'dist/a.html': `<img src="icon:${LION}" alt="">`,
      'dist/b.html': `<img src="icon:${STAR}" alt="">`,
    });
    await run(root, 'dist');
    await writeFiles(root, { 'dist/b.html': `<img src="icon:${HOME}" alt="">` });
    await run(root, 'dist/b.html');
    const { icons, builds } = await manifestIn(root);
    expect(icons.map(({ title, usedIn }) => [title, usedIn.map(({ file }) => file)])).toEqual([
      ['Bus', ['main.js']],
      ['Home', ['b.html']],
      ['Lion', ['a.html']],
    ]);
    expect(builds.map(({ id }) => id).toSorted()).toEqual(['client', 'html']);
    const page = await readFile(join(root, 'dist/icon-attribution.html'), 'utf8');
    for (const id of [BUS, HOME, LION]) expect(page).toContain(`icon-${id}`);
  });

  it('no longer credits what another tool has written again without icons', async () => {
    const page = (name: number): string => `<!doctype html><img inline src="icon:${name}" alt="">`;
    const root = await writeProject({
      'dist/a.html': page(BUS),
      'dist/b.html': page(LION),
      'dist/c.html': `<!doctype html><style>p { background: url(icon:${STAR}?color=0a0) }</style>`,
    });
    const credited = async (): Promise<(string | null)[]> =>
      (await manifestIn(root)).icons.map(({ title }) => title);
    await run(root, 'dist');
    await writeFiles(root, { 'dist/a.html': '<!doctype html><p>Nothing' });
    const { code, err } = await run(root, 'dist');
    expect([code, err()]).toEqual([0, '0 icons in 0 of 3 pages, 3 files written beside them.\n']);
    expect(await credited()).toEqual(['Lion', 'Star']);
    // As a minifier writes it.
    const minified = (await readFile(join(root, 'dist/b.html'), 'utf8')).replaceAll('"', "'");
    await writeFiles(root, { 'dist/b.html': minified, 'dist/c.html': '<!doctype html>' });
    await run(root, 'dist');
    expect(await credited()).toEqual(['Lion']);
    const text = await readFile(join(root, 'dist/icon-attribution.html'), 'utf8');
    expect([text.includes(`icon-${LION}`), text.includes(`icon-${STAR}`)]).toEqual([true, false]);
  });

  it('adds to them what one run over all pages writes, byte for byte, whatever the project draws in', async () => {
    const pages = {
      'dist/a.html': `<img src="icon:${BUS}" alt=""><img inline src="icon:${LION}" alt="">`,
      'dist/b.html': `<img inline src="icon:${STAR}" alt="">`,
    };
    const attribution = {
      text: 'icons.txt',
      spdx: 'icons.spdx.json',
      cyclonedx: 'icons.cdx.json',
    };
    const given = {
      env: { SOURCE_DATE_EPOCH: '1700000000' },
      config: JSON.stringify({ attribution, defaults: { color: '0a0', size: '2em' } }),
    };
    const [atOnce, inTwo] = [await writeProject(pages), await writeProject(pages)];
    expect(await runWith(given, atOnce, 'dist')).toMatchObject({ code: 0 });
    expect(await runWith(given, inTwo, 'dist/b.html')).toMatchObject({ code: 0 });
    expect(await runWith(given, inTwo, 'dist')).toMatchObject({ code: 0 });
    const whole = await snapshot(atOnce);
    expect(await snapshot(inTwo)).toEqual(whole);
    expect(whole['icons.spdx.json']).toContain('"created": "2023-11-14T22:13:20Z"');
  });

  it('draws copies with ids that no drawing in the page has, whichever step drew it', async () => {
    const ball =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><linearGradient id="g"><stop stop-color="#e11"/><stop offset="1" stop-color="#11e"/></linearGradient><path fill="url(#g)" d="M0 0h9v9H0z"/></svg>';
    const img = '<img inline src="icon:art/ball" alt="">';
    const root = await writeProject({ 'art/ball.svg': ball, 'dist/a.html': img });
    const config = JSON.stringify({ catalog: { embedded: { folders: ['art'], sets: [] } } });
    const page = join(root, 'dist/a.html');
    // A minifier may leave out quotes.
    for (const quote of ['"', '']) {
      expect((await runWith({ env: {}, config }, root, 'dist')).code).toBe(0);
      const drawn = await readFile(page, 'utf8');
      const again = drawn.replaceAll(/ id="([^"]*)"/g, ` id=${quote}$1${quote}`) + img;
      await writeFiles(root, { 'dist/a.html': again });
    }
    await runWith({ env: {}, config }, root, 'dist');
    const html = await readFile(page, 'utf8');
    const ids = [...html.matchAll(/ id="?([^" >]+)/g)].map(([, id]) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    expect([...html.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id)).toEqual(ids);
  });

  it('takes a base and a folder, and reports all of it as JSON', async () => {
    const root = await writeProject(SITE);
    const { code, out } = await run(root, 'dist', '--base', '/a b/', '--assets', 'img', '--json');
    expect(code).toBe(0);
    const report = JSON.parse(out()) as { pages: string[]; files: string[] };
    expect(report).toMatchObject({
      icons: 8,
      looked: 3,
      pages: ['docs/deep/page.html', 'index.html'],
    });
    const bus = report.files.find((name) => name.startsWith('img/bus'));
    expect(await readFile(join(root, 'dist/docs/deep/page.html'), 'utf8')).toContain(
      `src="/a%20b/${bus}"`,
    );
  });

  it.each([
    ['an icon that is not there', `<img src="icon:999999999999" alt="">`, /CATALOG_NOT_FOUND/],
    ['an unknown alias', `<p>\n  <img src="icon:hose" alt="">`, /a\.html:2:3/],
    ['a script', `<script src="icon:${BUS}"></script>`, /shows no picture/],
  ])('leaves the site as it was for %s, and says where', async (_, html, message) => {
    const root = await writeProject({ ...SITE, 'dist/a.html': html });
    const before = await snapshot(root);
    const { code, err } = await run(root, 'dist');
    expect([code, await snapshot(root)]).toEqual([1, before]);
    expect(err()).toMatch(message);
  });

  it.each([
    [['dist/*.htm'], /No HTML file fits/],
    [['nowhere'], /no file or folder/],
    [['dist', '--site', 'other'], /is not in/],
    [[], /page/i],
  ])('takes %j for a wrong use', async (args, message) => {
    const root = await writeProject(SITE);
    const { code, err } = await run(root, ...args);
    expect([code, err()]).toEqual([2, expect.stringMatching(message)]);
  });
});
