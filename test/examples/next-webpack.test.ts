import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { createPackedConsumer, type PackedConsumer } from '../support/packed-consumer.ts';
import { parseManifest } from '../support/parse-manifest.ts';
import { lookAt, serveSite } from './support.ts';

const run = promisify(execFile);
const SETS = ['@iconify-json/game-icons', '@iconify-json/maki', '@iconify-json/tabler'];

const CONFIG = `import iconCatalog from 'unplugin-icon-catalog/webpack';
import { embeddedIconId } from 'unplugin-icon-catalog/server';

const aliases = {
  flame: embeddedIconId('tabler', 'flame'),
  brush: embeddedIconId('tabler', 'brush'),
  amphora: embeddedIconId('game-icons', 'amphora'),
  shop: embeddedIconId('maki', 'shop'),
  trash: embeddedIconId('tabler', 'trash'),
  bowl: embeddedIconId('tabler', 'bowl'),
  leaf: embeddedIconId('tabler', 'leaf'),
  campfire: embeddedIconId('tabler', 'campfire'),
  tent: embeddedIconId('tabler', 'tent'),
  // Too large to be inlined.
  large: embeddedIconId('game-icons', 'abstract-066'),
  // Its ids need a hook of the very React that draws the page.
  glow: embeddedIconId('drawings', 'glow'),
};
const catalog = { embedded: { folders: ['drawings'] } };
const icons = iconCatalog({ catalog, aliases, framework: 'react' });

export default {
  ...(process.env.NODE_ENV === 'production' && { output: 'export' }),
  webpack(config) {
    config.plugins.push(icons);
    return config;
  },
};`;

const EDGE = `import Flame from 'icon:flame';
import bowl from 'icon:bowl?url';
import campfire from 'icon:campfire?sprite';
import Glow from 'icon:glow';
import { Turn } from '../turn.jsx';
export const runtime = 'edge';
export default function Page() {
  return <main><Flame title="A flame" /><img src={bowl} alt="" /><span dangerouslySetInnerHTML={{ __html: campfire }} /><Glow /><Turn /></main>;
}`;

const FILES = {
  'next.config.js': CONFIG,
  'app/layout.jsx': `import './page.css';
export const metadata = { title: 'x', icons: 'data:,' };
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
  'app/page.css': '.shop { mask: url(icon:shop) } .large { mask: url(icon:large) }',
  'app/page.jsx': `import Flame from 'icon:flame';
import Trash from 'icon:trash';
import amphora from 'icon:amphora?inline&color=b3261e';
import bowl from 'icon:bowl?url';
import campfire from 'icon:campfire?sprite';
import Glow from 'icon:glow';
import { Turn } from './turn.jsx';
const unused = () => <Trash />;
export default function Page() {
  return <main><Flame title="A flame" /><img src={amphora} alt="" /><i className="shop" /><b className="large" />
    <img src={bowl} alt="" /><span dangerouslySetInnerHTML={{ __html: campfire }} /><Glow /><Turn /></main>;
}`,
  'drawings/glow.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <linearGradient id="shade"><stop offset="0"/><stop offset="1" stop-opacity=".1"/></linearGradient>
  <path fill="url(#shade)" d="M2 2h20v20H2z"/>
</svg>`,
  'app/turn.jsx': `'use client';
import { useState } from 'react';
import Brush from 'icon:brush';
import Glow from 'icon:glow';
import leaf from 'icon:leaf?url';
import tent from 'icon:tent?sprite';
export function Turn() {
  const [turns, setTurns] = useState(0);
  return <button onClick={() => setTurns(turns + 1)}><Brush style={{ rotate: turns * 45 + 'deg' }} /><img src={leaf} alt="" /><i dangerouslySetInnerHTML={{ __html: tent }} /><Glow /> {turns} turns</button>;
}`,
};

let consumer: PackedConsumer;
let browser: Browser;
beforeAll(async () => {
  const packages = ['next', 'react', 'react-dom', ...SETS];
  [browser, consumer] = await Promise.all([
    launchBrowser(),
    createPackedConsumer({ packages, files: FILES }),
  ]);
});
afterAll(() => Promise.all([browser.close(), consumer.remove()]));

/** Next.js's own command in the project. */
function commandOf(mode: 'production' | 'development', ...args: string[]) {
  const { root } = consumer;
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    NODE_ENV: mode,
    NEXT_TELEMETRY_DISABLED: '1',
    ICON_CATALOG_CACHE_DIR: join(root, 'cache'),
  };
  const next = join(root, 'node_modules/next/dist/bin/next');
  return [process.execPath, [next, ...args, '--webpack'], { cwd: root, env }] as const;
}

it('is built by Next.js with webpack: on the server, in the browser and in style sheets', async () => {
  const { root } = consumer;
  const { stdout, stderr } = await run(...commandOf('production', 'build'));
  expect(stdout + stderr).not.toMatch(/Caching failed|Parsing of|warning/i);
  // Of its builds for servers and browsers together, with the outermost list alone.
  const lines = (stdout + stderr).split('\n').filter((line) => line.includes('signed call'));
  expect(lines).toEqual([expect.stringMatching(/attribution: \.next\/icon-attribution\.json, /)]);
  expect(lines[0]).not.toContain('.next/server');

  const text = await readFile(join(root, '.next/icon-attribution.json'), 'utf8');
  const { icons, complete } = parseManifest(text);
  expect(complete).toBe(true);
  // What is drawn on the server alone is in no script of the page, and in its HTML.
  const shipped = icons.map(({ title, usedIn }) => [title, usedIn.map(({ kind }) => kind)]);
  expect(shipped).toEqual([
    ['Abstract 066', ['asset']],
    ['Amphora', ['server-only']],
    ['Bowl', ['asset']],
    ['Brush', ['inline-js', 'server-only']],
    ['Campfire', ['sprite-symbol']],
    ['Flame', ['server-only']],
    ['Glow', ['inline-js', 'server-only']],
    // One file, which both builds write.
    ['Leaf', ['asset']],
    ['Shop', ['inline-css']],
    ['Tent', ['sprite-symbol', 'sprite-symbol']],
  ]);

  const { url, close } = await serveSite(join(root, 'out'));
  onTestFinished(close);
  const { drawings, complaints } = await lookAt(browser, url);
  expect(complaints).toEqual([]);
  expect(drawings).toHaveLength(11);
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('button').click();
  await page.getByText('1 turns').waitFor();
  expect(await page.locator('button > svg').first().getAttribute('style')).toContain('45deg');
  await page.close();
}, 240_000);

it('is served by its dev server, hydrated without a word, and drawn by its edge runtime', async () => {
  const { root } = consumer;
  await mkdir(join(root, 'app/edge'));
  await writeFile(join(root, 'app/edge/page.jsx'), EDGE);
  const dev = spawn(...commandOf('development', 'dev', '--port', '0', '--hostname', '127.0.0.1'));
  const gone = once(dev, 'exit');
  onTestFinished(async () => {
    dev.kill();
    await gone;
  });
  const url = await new Promise<string>((resolve) => {
    let reported = '';
    dev.stdout.on('data', (text: Buffer) => {
      reported += text.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(reported) ?? [];
      if (address !== undefined) resolve(address);
    });
  });

  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  // The first request for a page waits until it is compiled.
  await page.goto(`${url}/edge`, { timeout: 120_000 });
  await page.getByRole('button', { name: 'turns' }).click();
  await page.getByText('1 turns').waitFor();
  await page.waitForFunction(() => {
    const symbols = [...document.querySelectorAll('use')].map((use) => use.getBBox().width > 0);
    const images = [...document.images].map(({ naturalWidth }) => naturalWidth > 0);
    return symbols.length === 2 && images.length === 2 && [...symbols, ...images].every(Boolean);
  });
  expect(await page.getByRole('img', { name: 'A flame' }).count()).toBe(1);
  const gradients = page.locator('main linearGradient');
  const ids = await gradients.evaluateAll((elements) => elements.map(({ id }) => id));
  expect(new Set(ids).size).toBe(2);
  expect(complaints).toEqual([]);
  await page.close();

  // The next build would credit what only the dev server has shown.
  const below = await readdir(join(root, '.next/dev'), { recursive: true });
  expect(below).toContain(join('static', 'chunks'));
  expect(below.filter((name) => name.includes('icon-attribution'))).toEqual([]);
}, 240_000);
