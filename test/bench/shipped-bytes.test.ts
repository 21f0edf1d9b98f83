import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IconifyJSON } from '@iconify/types';
import { getIconData, iconToHTML, iconToSVG } from '@iconify/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { printTable } from './support/print-table.ts';
import { runChild } from './support/run-child.ts';
import { removeFolder } from '../support/temporary-folder.ts';

interface Shipped {
  bytes: number;
  gzipped: number;
  icons: number;
}

const COUNT = 200;
/** What each form is compared with. `Vite` is what Vite itself makes of the same files, `Iconify` its encoder for CSS. */
const OTHERS = {
  markup: ['unplugin-icons', 'Vite'],
  react: ['unplugin-icons', 'svgr'],
  vue: ['unplugin-icons'],
  svelte: ['unplugin-icons'],
  astro: ['unplugin-icons', 'astro-icon', 'astro-icon inline'],
  data: ['Vite'],
  css: ['Vite', 'Iconify'],
  sprite: [],
};

const INSTALLED = fileURLToPath(new URL('../../node_modules', import.meta.url));
const rows: string[][] = [];
let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-bench-bytes-')));
  const file = createRequire(import.meta.url).resolve('@iconify-json/tabler/icons.json');
  const set = JSON.parse(readFileSync(file, 'utf8')) as IconifyJSON;
  const names = Object.keys(set.icons)
    .filter((name) => set.icons[name]?.hidden !== true)
    .toSorted();
  // Evenly spread over the set: outlines and filled icons, as many of each as it has.
  const icons = Array.from(
    { length: COUNT },
    (_, at) => names[Math.floor((at * names.length) / COUNT)] ?? '',
  );
  const options = { catalog: { embedded: { sets: ['tabler'] } }, cacheDir: join(root, 'cache') };
  await symlink(INSTALLED, join(root, 'node_modules'), 'junction');
  await writeFile(join(root, 'package.json'), '{"type":"module","private":true}');
  await writeFile(join(root, 'icons.json'), JSON.stringify({ options, icons }));
  await mkdir(join(root, 'svg'));
  for (const name of icons) {
    const { attributes, body } = iconToSVG(getIconData(set, name) ?? { body: '' });
    await writeFile(join(root, `svg/${name}.svg`), iconToHTML(body, attributes));
  }
});
afterAll(async () => {
  printTable(
    `What ${COUNT} icons of Tabler add to a page, without the framework and without the credits page`,
    ['', 'bytes', 'gzipped', 'ours ÷ this', 'ours ÷ this, gzipped'],
    rows,
    [
      'Markup: ours says `aria-hidden="true"` on every icon without a title, so that screen readers skip it; the others say nothing.',
      'CSS: an address of ours stands with and without quotes and in attributes, and is the same text in every output, by which the credits find it. Quotes and spaces are three characters each in it; Iconify writes them as they are, for addresses in double quotes alone.',
    ],
  );
  await removeFolder(root);
});

it.each(Object.entries(OTHERS))('%s', async (form, others) => {
  const ship = (variant: string): Promise<Shipped> =>
    runChild('ship-icons.mjs', { cwd: root, args: [root, form, variant] });
  const ours = await ship('ours');
  rows.push([`${form}: ours`, String(ours.bytes), String(ours.gzipped), '', '']);
  for (const variant of others) {
    const { bytes, gzipped, icons } = await ship(variant);
    const ratios = [ours.bytes / bytes, ours.gzipped / gzipped];
    const figures = ratios.map((ratio) => ratio.toFixed(3));
    rows.push([`${form}: ${variant}`, String(bytes), String(gzipped), ...figures]);
    // Both ship every drawing.
    expect(icons, variant).toBe(ours.icons);
    if (variant === 'Iconify') continue;
    expect(ours.gzipped, variant).toBeLessThanOrEqual(gzipped);
    // Our markup says `aria-hidden="true"`, which none of the others does.
    expect(ours.bytes, variant).toBeLessThanOrEqual(bytes + COUNT * ' aria-hidden="true"'.length);
  }
  expect(ours.icons).toBeGreaterThan(COUNT);
});
