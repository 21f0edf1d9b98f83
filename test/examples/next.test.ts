import { execFile } from 'node:child_process';
import { copyFile, link, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { embeddedIconId } from '../../src/server.ts';
import { launchBrowser } from '../support/browser.ts';
import { createPackedConsumer } from '../support/packed-consumer.ts';
import { serveSite } from './support.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const SETS = ['@iconify-json/game-icons', '@iconify-json/maki', '@iconify-json/tabler'];
const NEEDED = ['next', '@swc/helpers', 'baseline-browser-mapping', 'caniuse-lite', 'postcss'];
const MORE = [
  'nanoid',
  'picocolors',
  'source-map-js',
  'styled-jsx',
  'client-only',
  'react',
  'react-dom',
  'scheduler',
];

/** The files of a folder under another name, without their bytes where both are on one disk. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
}

/** Turbopack reads nothing outside of the project, and a symbolic link leads there. */
async function install(root: string): Promise<void> {
  const own = await readdir(join(REPOSITORY, 'node_modules/@next'));
  for (const name of [...NEEDED, ...MORE, ...own.map((each) => `@next/${each}`)]) {
    const target = join(root, 'node_modules', name);
    await rm(target, { recursive: true, force: true });
    await linkTree(join(REPOSITORY, 'node_modules', name), target);
  }
}

it('is built by Turbopack from files that `icon-catalog emit` wrote, alive in the browser and credited', async () => {
  const consumer = await createPackedConsumer({
    packages: SETS,
    from: join(REPOSITORY, 'playground/next'),
  });
  onTestFinished(consumer.remove);
  const { root } = consumer;
  await install(root);
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    HOME: root,
    NEXT_TELEMETRY_DISABLED: '1',
    ICON_CATALOG_CACHE_DIR: join(root, 'cache'),
  };
  const node = (script: string, ...args: string[]) =>
    run(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root, env });
  await node(
    'unplugin-icon-catalog/dist/cli.js',
    'emit',
    '--out',
    'app/icons',
    '--framework',
    'react',
  );
  await node('next/dist/bin/next', 'build');

  const { url, close } = await serveSite(join(root, 'out'));
  onTestFinished(close);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(url, { waitUntil: 'networkidle' });
  expect(await page.locator('svg').count()).toBe(5);
  expect(await page.getByRole('img', { name: 'An amphora' }).count()).toBe(1);
  const button = page.getByRole('button');
  await button.click();
  await button.getByText('1 turns').waitFor();
  expect(await button.locator('svg').evaluate(({ style }) => style.transform)).toBe(
    'rotate(45deg)',
  );
  expect(await page.locator('svg.clay').count()).toBe(1);

  await page.getByRole('link', { name: 'Icon credits' }).click();
  await page.waitForURL('**/credits');
  const credited = await page.locator('main li').evaluateAll((items) => items.map(({ id }) => id));
  const shown = [
    ['game-icons', 'amphora'],
    ['maki', 'shop'],
    ['tabler', 'bowl'],
    ['tabler', 'brush'],
    ['tabler', 'flame'],
  ] as const;
  const ids = shown.map(([set, name]) => `icon-${embeddedIconId(set, name)}`);
  expect(credited.toSorted()).toEqual(ids.toSorted());
  const words = await page.locator('main').innerText();
  const { icons } = JSON.parse(await readFile(join(root, 'app/icons/credits.json'), 'utf8')) as {
    icons: { credit: { line: string } }[];
  };
  for (const { credit } of icons) expect(words).toContain(credit.line);
  expect(complaints).toEqual([]);
}, 240_000);
