import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconifyJSON } from '@iconify/types';
import { Resvg } from '@resvg/resvg-js';
import { optimize, type Config } from 'svgo';
import { expect, it } from 'vitest';
import { checkSite } from '../../src/attribution/check/site.ts';
import {
  createDrawingFinder,
  type KnownDrawing,
} from '../../src/attribution/check/find-drawings.ts';
import { iconifyMarkup } from '../../src/server/read-sets.ts';
import { prepareSvg } from '../../src/svg/prepare-svg.ts';
import { renderSvg } from '../../src/svg/render-svg.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { printTable } from './support/print-table.ts';

const require = createRequire(import.meta.url);
const SETS = ['maki', 'tabler', 'game-icons', 'simple-icons'];
const MOST = Number(process.env['BENCH_ICONS'] ?? 250);
const TREATMENTS: Record<string, Config | undefined> = {
  'as the catalog sends it': undefined,
  svgo: {},
  'svgo, multipass': { multipass: true },
  'svgo, floatPrecision 1': { floatPrecision: 1 },
};

interface Icon {
  key: string;
  raw: string;
}

/** At most `MOST` icons of each set, from all over it. */
function iconsOf(name: string): Icon[] {
  const file = require.resolve(`@iconify-json/${name}/icons.json`);
  const set = JSON.parse(readFileSync(file, 'utf8')) as IconifyJSON;
  const names = Object.keys(set.icons)
    .filter((each) => set.icons[each]?.hidden !== true)
    .toSorted();
  const step = Math.max(1, names.length / MOST);
  return Array.from({ length: Math.min(MOST, names.length) }, (_, index) => {
    const icon = names[Math.floor(index * step)] ?? '';
    return { key: `${name}/${icon}`, raw: iconifyMarkup(set, icon) };
  });
}

/** What the lock of a project knows of an icon. */
async function lockedDrawing({ key, raw }: Icon): Promise<KnownDrawing> {
  const master = await prepareSvg(new TextEncoder().encode(raw), {
    id: 1,
    askedColor: '010203',
    optimize: true,
    strict: false,
    animation: false,
    maxBytes: 1_000_000,
  });
  const look = {
    id: 1,
    color: 'currentColor',
    size: '1em',
    title: null,
    class: null,
    isFile: true,
  };
  return { key, svg: renderSvg(master, look) };
}

/** Share of the pixels that two pictures of 96 pixels differ in. */
function pixelsApart(a: string, b: string): number {
  const [first, second] = [a, b].map(
    (svg) => new Resvg(svg, { fitTo: { mode: 'width', value: 96 } }).render().pixels,
  );
  if (first === undefined || second === undefined || first.length !== second.length) return 1;
  let count = 0;
  for (let at = 3; at < first.length; at += 4)
    if (Math.abs((first[at] ?? 0) - (second[at] ?? 0)) > 128) count += 1;
  return (count * 4) / first.length;
}

it('finds icons by their drawing, however they were optimised', async () => {
  const icons = SETS.flatMap(iconsOf);
  const locked: KnownDrawing[] = [];
  for (const icon of icons) locked.push(await lockedDrawing(icon));
  const rawByKey = new Map(icons.map(({ key, raw }) => [key, raw]));
  const all = createDrawingFinder(locked);
  const half = createDrawingFinder(locked.filter((_, index) => index % 2 === 0));
  const rows: string[][] = [];
  for (const [name, config] of Object.entries(TREATMENTS)) {
    const missing: string[] = [];
    const alarms = new Map<string, number>();
    const alike = new Set<string>();
    let milliseconds = 0;
    for (const [index, { key, raw }] of icons.entries()) {
      const shown = config === undefined ? raw : optimize(raw, config).data;
      const page = `<!doctype html><p>Text</p>${shown}<p>Text</p>`;
      const start = performance.now();
      const found = all.find(page).flat();
      milliseconds += performance.now() - start;
      if (!found.includes(key)) missing.push(key);
      // The lock does not have every other icon: nothing of it is in their pages.
      const others = index % 2 === 0 ? found : [...found, ...half.find(page).flat()];
      for (const other of new Set(others)) {
        if (other === key) continue;
        const apart = pixelsApart(shown, rawByKey.get(other) ?? '');
        if (apart < 0.002) alike.add(`${key} ${other}`);
        else alarms.set(`${key} as ${other}`, apart);
      }
    }
    rows.push([
      name,
      `${icons.length - missing.length}`,
      ((1 - missing.length / icons.length) * 100).toFixed(2),
      `${alarms.size}`,
      `${alike.size}`,
      (milliseconds / icons.length).toFixed(2),
    ]);
    process.stdout.write(
      `${name}: not found ${missing.slice(0, 20).join(', ')}; false ${[...alarms].map(([pair, apart]) => `${pair} (${(apart * 100).toFixed(2)} %)`).join(', ')}\n`,
    );
  }
  printTable(
    `${icons.length} icons of ${SETS.join(', ')}`,
    ['', 'found', '%', 'false alarms', 'drawn alike', 'ms an icon'],
    rows,
  );
  for (const [, , share, alarms] of rows) {
    expect(Number(share)).toBeGreaterThanOrEqual(98);
    expect(alarms).toBe('0');
  }
});

it('checks a site of 5,000 files', async () => {
  const icons = SETS.flatMap(iconsOf).filter((_, index) => index % 4 === 0);
  const drawings: KnownDrawing[] = [];
  for (const icon of icons) drawings.push(await lockedDrawing(icon));
  const text = '<p>Words of a page that stand around its icons.</p>'.repeat(20);
  const files = Array.from({ length: 5000 }, (_, index) => {
    // Three icons of its own and three that are on every page.
    const shown = [0, 1, 2, index, index * 7, index * 13].map(
      (at) => icons[at % icons.length]?.raw,
    );
    const content = `<!doctype html><a href="/">Home</a>${shown.join(text)}`;
    return { path: `page-${index}.html`, content: Buffer.from(content) };
  });
  const manifest = {
    schemaVersion: 1 as const,
    generator: { name: 'bench', version: '1' },
    catalog: { name: 'Catalog', siteUrl: 'https://catalog.example' },
    complete: true,
    builds: [],
    icons: [],
  };
  const megabytes = files.reduce((sum, { content }) => sum + content.length, 0) / 1e6;
  const work = startStopwatch();
  const start = performance.now();
  const { found } = checkSite(files, {
    manifest,
    creditsFiles: [],
    fingerprints: new Map(),
    drawings,
  });
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(
    `${files.length} files (${megabytes.toFixed(0)} MB) against ${drawings.length} icons: ${seconds.toFixed(2)} s, ${(work() / 1000).toFixed(2)} s of work, ${found.length} found\n`,
  );
  // A few icons are drawn alike.
  expect(found.length).toBeGreaterThan(icons.length * 0.99);
});
