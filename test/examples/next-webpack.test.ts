import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { Manifest } from '../../src/types.ts';
import { launchBrowser } from '../support/browser.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';
import { lookAt, serveSite } from './support.ts';

const run = promisify(execFile);

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
  // Too large to be inlined.
  large: embeddedIconId('game-icons', 'abstract-066'),
};
const icons = iconCatalog({ catalog: 'embedded', aliases, framework: 'react' });

export default {
  output: 'export',
  webpack(config) {
    config.plugins.push(icons);
    return config;
  },
};`;

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
import { Turn } from './turn.jsx';
const unused = () => <Trash />;
export default function Page() {
  return <main><Flame title="A flame" /><img src={amphora} alt="" /><i className="shop" /><b className="large" />
    <img src={bowl} alt="" /><span dangerouslySetInnerHTML={{ __html: campfire }} /><Turn /></main>;
}`,
  'app/turn.jsx': `'use client';
import { useState } from 'react';
import Brush from 'icon:brush';
import leaf from 'icon:leaf?url';
export function Turn() {
  const [turns, setTurns] = useState(0);
  return <button onClick={() => setTurns(turns + 1)}><Brush style={{ rotate: turns * 45 + 'deg' }} /><img src={leaf} alt="" /> {turns} turns</button>;
}`,
};

it('is built by Next.js with webpack: on the server, in the browser and in style sheets', async () => {
  const consumer = await createPackedConsumer({
    packages: [
      'next',
      'react',
      'react-dom',
      '@iconify-json/game-icons',
      '@iconify-json/maki',
      '@iconify-json/tabler',
    ],
    files: FILES,
  });
  onTestFinished(consumer.remove);
  const { root } = consumer;
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ICON_CATALOG_CACHE_DIR: join(root, 'cache'),
  };
  const next = join(root, 'node_modules/next/dist/bin/next');
  const { stdout, stderr } = await run(process.execPath, [next, 'build', '--webpack'], {
    cwd: root,
    env,
  });
  expect(stdout + stderr).not.toMatch(/Caching failed|warning/i);

  const text = await readFile(join(root, '.next/icon-attribution.json'), 'utf8');
  const { icons, complete } = JSON.parse(text) as Manifest;
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
    ['Leaf', ['asset', 'asset']],
    ['Shop', ['inline-css']],
  ]);

  const { url, close } = await serveSite(join(root, 'out'));
  onTestFinished(close);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const { drawings, complaints } = await lookAt(browser, url);
  expect(complaints).toEqual([]);
  expect(drawings).toHaveLength(8);
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('button').click();
  await page.getByText('1 turns').waitFor();
  expect(await page.locator('button svg').getAttribute('style')).toContain('45deg');
}, 240_000);
