import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, createLogger, createServer, type Plugin } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Manifest } from '../../src/types.ts';
import vitePlugin from '../../src/vite.ts';
import { launchBrowser } from '../support/browser.ts';
import { startCountingCatalog, type CountingCatalog } from '../support/counting-catalog.ts';
import { readTree, writeFiles, writeProject } from '../support/write-project.ts';
import { ALIASES, PLAIN_STYLES } from './style-project.ts';
import { countColored, readPicture } from '../support/screenshots.ts';
import { parseManifest } from '../support/parse-manifest.ts';

let catalog: CountingCatalog;
let browser: Browser;
beforeAll(async () => {
  [catalog, browser] = await Promise.all([startCountingCatalog(), launchBrowser()]);
});
afterAll(() => Promise.all([catalog.close(), browser.close()]));

const HOSTILE = `</script><script>document.title='x'</script> {{7*7}} \${x} \`]]> "'`;
const escaped = HOSTILE.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

const PAGE = `<!DOCTYPE html>
<HTML lang=en><head><title>Icons</title>
<link rel="icon" href="icon:home?color=f00">
<link rel="apple-touch-icon" href=icon:home?filetype=png&amp;size=64 sizes=60x60>
<style>.inner { background: url(icon:star?color=0f0) }</style></head>
<body class=x style="background: no-repeat url('icon:moon?color=00f')">
<!-- <img src="icon:nothing"> -->
<p title='icon:nothing'>icon:nothing é</p>
<img id=bus src="icon:bus" alt="">
<img id="castle" alt='a > b' src=icon:castle?url>
<img inline src="icon:lion?color=0a0" alt="${escaped}" class="big &quot;q" data-x="${escaped}" width=40>
<img inline src="icon:crown" alt="">
<picture><source srcset="icon:heart?color=f00 1x, icon:heart?color=f00&amp;size=32 2x"><img id="heart" src="icon:heart" alt=""></picture>
<svg id="used" width="24" height="24"><use href="icon:star"/></svg>
<svg id="again" width="24" height="24" color="red"><use xlink:href='icon:star' /></svg>
<div id="app"></div>
<div id="styled" class="home" style="width:20px;height:20px"></div>
<script type="module" src="/main.js"></script>
</body></HTML>
`;

function pluginOf(root: string, logLevel: 'silent' | 'warn' = 'silent') {
  const { url: baseUrl, key, secret } = catalog;
  return vitePlugin({
    catalog: { baseUrl, key, secret },
    aliases: ALIASES,
    cacheDir: join(root, '.cache'),
    retries: 0,
    logLevel,
  });
}

async function buildPage(files: Record<string, string>): Promise<Map<string, Buffer>> {
  const root = await writeProject(files);
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    base: '/sub/',
    plugins: [pluginOf(root)],
  });
  return readTree(join(root, 'dist'));
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** Serves a build below `/sub/`; returns the address of its page. */
async function serve(files: Map<string, Buffer>): Promise<string> {
  const server = createHttpServer((request, response) => {
    const name = (request.url ?? '').replace('/sub/', '') || 'index.html';
    const body = files.get(name);
    response.statusCode = body === undefined ? 404 : 200;
    response.setHeader('content-type', TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/`;
}

async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(request.url()));
  await page.goto(url);
  await page.getByText('ready').waitFor();
  return { page, complaints };
}

/** What a person sees: every image has a size, and every drawing has pixels. */
async function look(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const images = [...document.images];
    await Promise.all(images.map((image) => image.decode()));
    const box = (selector: string): number =>
      Math.round(document.querySelector(selector)?.getBoundingClientRect().width ?? 0);
    const background = (element: Element): Promise<number> => {
      const [, address = ''] =
        /url\("(.*)"\)/.exec(getComputedStyle(element).backgroundImage) ?? [];
      const image = new Image();
      image.src = address;
      return image.decode().then(() => image.naturalWidth);
    };
    return {
      title: document.title,
      images: images.map(({ naturalWidth }) => naturalWidth > 0),
      inline: [...document.querySelectorAll('body > svg[viewBox]')].map((svg) => [
        svg.getAttribute('class'),
        svg.querySelector('title')?.textContent ?? null,
        svg.getAttribute('data-x'),
        svg.getAttribute('aria-hidden'),
        Math.round(svg.getBoundingClientRect().width),
      ]),
      used: [box('#used use'), box('#again use')],
      red: getComputedStyle(document.querySelector('#again use') as Element).color,
      body: await background(document.body),
      styled: await background(document.querySelector('#styled') as Element),
    };
  });
}

const SEEN = {
  title: 'Icons',
  images: [true, true, true],
  inline: [
    ['big "q', HOSTILE, HOSTILE, null, 40],
    [null, null, null, 'true', 16],
  ],
  red: 'rgb(255, 0, 0)',
  body: 16,
  styled: 20,
};

describe('icons in the pages of Vite', () => {
  const FILES = { 'index.html': PAGE, ...PLAIN_STYLES };

  it('are shown by a browser, in every place that shows pictures', async () => {
    const files = await buildPage(FILES);
    const built = String(files.get('index.html'));
    // As a list of credits has it, in front of the symbol.
    const html = built.replace('<p title', `<p id="icon-${ALIASES['star']}" title`);
    files.set('index.html', Buffer.from(html));
    const { page, complaints } = await open(await serve(files));
    const seen = await look(page);
    expect(seen).toMatchObject(SEEN);
    for (const width of seen['used'] as number[]) expect(width).toBeGreaterThan(15);
    expect(complaints).toEqual([]);
    expect(html).toMatch(
      /<link rel="icon" href="\/sub\/assets\/home-[^"]*\.svg" type="image\/svg\+xml" sizes="any">/,
    );
    expect(html).toMatch(/href="\/sub\/assets\/home-[^"]*\.png" type="image\/png" sizes=60x60>/);
    expect(html.match(/<symbol /g)).toHaveLength(1);
  });

  it('leave everything else as it was written', async () => {
    const html = String((await buildPage(FILES)).get('index.html'));
    for (const line of [
      '<!DOCTYPE html>\n<HTML lang=en><head><title>Icons</title>',
      `<!-- <img src="icon:nothing"> -->`,
      `<p title='icon:nothing'>icon:nothing é</p>`,
      `<img id="castle" alt='a > b' src="/sub/assets/castle-`,
    ])
      expect(html).toContain(line);
  });

  it('have the title of each `<use>` in a symbol of its own, and none in those without', async () => {
    const uses = ['', '?title=A', '?title=B', '?title=A', '']
      .map((query) => `<svg><use href="icon:star${query}"/></svg>`)
      .join('');
    const files = await buildPage({
      'index.html': `<!doctype html><html><body>${uses}</body></html>`,
    });
    const html = String(files.get('index.html'));
    const titles = new Map(
      Array.from(
        html.matchAll(/<symbol id="([^"]+)"[^>]*>(.*?)<\/symbol>/g),
        ([, id, body = '']) => [id, /<title[^>]*>(.*?)<\/title>/.exec(body)?.[1]],
      ),
    );
    const shown = Array.from(html.matchAll(/<use href="#([^"]+)"/g), ([, id]) => titles.get(id));
    expect(shown).toEqual([undefined, 'A', 'B', 'A', undefined]);
    expect(titles.size).toBe(3);
  });

  it('are credited with their places', async () => {
    const files = await buildPage(FILES);
    const { icons } = parseManifest(String(files.get('icon-attribution.json')));
    const kinds = Object.fromEntries(
      icons.map(({ title, usedIn }) => [
        title,
        [...new Set(usedIn.map(({ kind }) => kind))].toSorted(),
      ]),
    );
    expect(kinds).toEqual({
      Bell: ['inline-css'],
      Bus: ['inline-css', 'inline-html'],
      Castle: ['asset'],
      Crown: ['inline-html'],
      Heart: ['inline-css', 'inline-html'],
      Home: ['asset', 'inline-css'],
      Lion: ['inline-css', 'inline-html'],
      Moon: ['inline-css', 'inline-html'],
      Star: ['inline-css', 'inline-html'],
    });
    for (const { usedIn } of icons)
      for (const { file } of usedIn) expect([...files.keys()]).toContain(file);
  });

  it('are the same in the dev server, which follows edits', async () => {
    const root = await writeProject(FILES);
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { port: 0, host: '127.0.0.1', hmr: { host: '127.0.0.1' } },
      plugins: [pluginOf(root)],
    });
    onTestFinished(() => server.close());
    await server.listen();
    const url = server.resolvedUrls?.local[0] ?? '';
    const { page, complaints } = await open(url);
    expect(await look(page)).toMatchObject(SEEN);
    expect(complaints).toEqual([]);

    const { icons } = (await (await fetch(`${url}icon-attribution.json`)).json()) as Manifest;
    expect(icons.map(({ title }) => title)).toEqual([
      'Bell',
      'Bus',
      'Castle',
      'Crown',
      'Heart',
      'Home',
      'Lion',
      'Moon',
      'Star',
    ]);

    await page.evaluate(() => document.body.setAttribute('data-same', 'yes'));
    await writeFiles(root, {
      'main.css': '.home { background: url(icon:airport?color=f00&size=33) no-repeat }',
    });
    await page.waitForFunction(() => {
      const element = document.querySelector('#styled') as Element;
      return (
        getComputedStyle(element).backgroundImage.includes('%2233%22') ||
        /height=.33/.test(decodeURIComponent(getComputedStyle(element).backgroundImage))
      );
    });
    expect(await page.getAttribute('body', 'data-same')).toBe('yes');
  });

  it.each([
    ['<script src="icon:home"></script>', /is in `<script src>`[\s\S]*index\.html:1:1/],
    ['<img src="icon:home?component" alt="">', /`as=component` is not an image/],
    ['<img inline src="icon:home?component" alt="">', /cannot be drawn into the page/],
    ['<img src="icon:home?as=svg" alt="">', /`as=svg` is not an image[\s\S]*index\.html:1:1/],
    [
      '<p>\n <img inline src="icon:home?url" alt="">',
      /cannot be drawn into the page[\s\S]*index\.html:2:2/,
    ],
    ['<img src="icon:hom" alt="">', /`icon:hom`[\s\S]*icon:home/],
  ])('say what is wrong with %s, and where', async (html, message) => {
    await expect(buildPage({ 'index.html': html })).rejects.toThrow(message);
  });
});

describe('templates of other plugins', () => {
  const templates = (order?: 'pre'): Plugin => {
    const handler = (html: string): string =>
      html.replace('{{ icons }}', '<img src="icon:bus?url" alt=""><img inline src="icon:lion">');
    return { name: 'templates', transformIndexHtml: order ? { order, handler } : handler };
  };
  const files = { 'index.html': '<!doctype html><title>A</title><body>{{ icons }}</body>' };

  it.each(['before', 'after'])(
    'have their icons replaced: they come %s the plugin',
    async (where) => {
      const root = await writeProject(files);
      const ours = pluginOf(root);
      const plugins = where === 'before' ? [templates('pre'), ours] : [ours, templates('pre')];
      const config = { root, configFile: false, logLevel: 'silent', plugins } as const;
      await build(config);
      const output = await readTree(join(root, 'dist'));
      const page = String(output.get('index.html'));
      expect(page).toMatch(/<img src="\/assets\/bus-\w+-[\w-]+\.svg" alt="">\s*<svg/);
      const { icons } = parseManifest(String(output.get('icon-attribution.json')));
      expect(icons.map(({ title }) => title)).toEqual(['Bus', 'Lion']);
      const server = await createServer({ ...config, server: { middlewareMode: true, ws: false } });
      onTestFinished(() => server.close());
      const served = await server.transformIndexHtml('/index.html', files['index.html']);
      expect(served).toMatch(/<img src="\/@icon-catalog\/[^"]+\.svg" alt=""><svg/);
    },
  );

  it('are reported where they add icons to a finished page', async () => {
    const root = await writeProject(files);
    const customLogger = createLogger('silent');
    const warnings: string[] = [];
    customLogger.warn = (message) => void warnings.push(message);
    const plugins = [pluginOf(root, 'warn'), templates()];
    await build({ root, configFile: false, customLogger, plugins });
    const reported = warnings.filter((each) => each.includes('transformIndexHtml'));
    expect(reported.map((each) => /`(icon:[^`]+)` in (\S+)/.exec(each)?.slice(1))).toEqual([
      ['icon:bus?url', 'index.html'],
      ['icon:lion', 'index.html'],
    ]);
    // Words are no addresses.
    const words = await writeProject({
      'index.html': '<p title="icon:bus">img src="icon:bus" &lt;img src="icon:bus"&gt;</p>',
    });
    await build({
      root: words,
      configFile: false,
      customLogger,
      plugins: [pluginOf(words, 'warn')],
    });
    expect(warnings.filter((each) => each.includes('transformIndexHtml'))).toEqual(reported);
  });
});

it('names what is drawn in place by its ARIA attributes, and reads every candidate of a srcset', async () => {
  const files = await buildPage({
    'index.html': `<img inline src="icon:crown" aria-label="The crown">
<img inline src="icon:lion" aria-labelledby="name" role="presentation">
<img inline src="icon:moon" alt="">
<img srcset="icon:heart?color=f00, icon:heart?color=f00&amp;size=32 2x," src="icon:heart" alt="">`,
  });
  const html = String(files.get('index.html'));
  const [crown = '', lion = '', moon = ''] = html.match(/<svg [^>]*>/g) ?? [];
  expect(crown).toMatch(/ aria-label="The crown" role="img">$/);
  expect(lion).toMatch(/ aria-labelledby="name" role="presentation">$/);
  for (const named of [crown, lion]) expect(named).not.toContain('aria-hidden');
  expect(moon).toContain('aria-hidden="true"');
  const [, srcset = ''] = /srcset="([^"]*)"/.exec(html) ?? [];
  expect(srcset.replaceAll(/data:\S*?svg%3E/g, 'data:')).toBe('data:, data: 2x');
  expect(html).not.toContain('icon:');
});

const GRADIENT =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><linearGradient id="g"><stop stop-color="#e11"/><stop offset="1" stop-color="#1e1"/></linearGradient><clipPath id="c"><circle cx="12" cy="12" r="12"/></clipPath><path fill="url(#g)" d="M0 0h24v24H0z" clip-path="url(#c)"/></svg>';

it('draws every copy of an icon in a page, whether or not the first is displayed', async () => {
  const root = await writeProject({
    'art/ball.svg': GRADIENT,
    'index.html': `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Copies</title></head><body>ready
<div style="display:none"><img inline src="icon:art/ball" alt=""></div>
<img inline id="second" src="icon:art/ball?size=64" alt="">
<img inline id="third" src="icon:art/ball?size=64" alt="">
<svg id="fourth" width="64" height="64"><use href="icon:art/ball"/></svg></body></html>`,
  });
  const plugin = vitePlugin({
    catalog: { embedded: { sets: [], folders: ['art'], root } },
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
  });
  const plugins = [plugin];
  await build({ root, configFile: false, logLevel: 'silent', base: '/sub/', plugins });
  const files = await readTree(join(root, 'dist'));
  const { page, complaints } = await open(await serve(files));
  const ids = [...String(files.get('index.html')).matchAll(/\sid="(i\d[^"]*)"/g)].map(
    ([, id]) => id,
  );
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(8);
  for (const name of ['second', 'third', 'fourth']) {
    const picture = readPicture(await page.locator(`#${name}`).screenshot());
    expect(countColored(picture), name).toBeGreaterThan(2000);
  }
  expect(complaints).toEqual([]);
  expect(JSON.parse(String(files.get('icon-attribution.json')))).toMatchObject({
    icons: [{ title: 'Ball' }],
  });
});
