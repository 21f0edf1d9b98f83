import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { IconifyJSON } from '@iconify/types';
import { getIconData, iconToSVG } from '@iconify/utils';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isIconCatalogError } from '../../src/errors.ts';
import { launchBrowser } from '../support/browser.ts';
import { changedPart } from '../svg/support/changed-part.ts';
import { prepare, render } from '../svg/support/prepare.ts';
import { printTable } from './support/print-table.ts';

/** Drawn in many colours. They are large, so that they are installed for the measurement and by nothing else. */
const SETS = [
  'circle-flags',
  'devicon',
  'flat-color-icons',
  'fluent-emoji',
  'logos',
  'meteocons',
  'noto',
  'openmoji',
  'skill-icons',
  'streamline-color',
  'twemoji',
  'vscode-icons',
];
/** A folder that holds them already, under node_modules; without one they are installed into a folder of their own. */
const INSTALLED = process.env['BENCH_ICON_SETS'];
/** Every how many icons one is drawn; all of them are prepared. */
const STRIDE = Number(process.env['BENCH_STRIDE'] ?? 1);
const SIZE = 96;
/** A part of the pixels: edges that a rounded coordinate moves are less. */
const CHANGED = 0.005;
const BATCH = 40;
const MOST_NAMES = 8;

let folder = INSTALLED ?? '';
/** What npm said, if it could not install the sets. */
let missing: string | undefined;
let browser: Browser;
let page: Page;
const rows: string[][] = [];
const found: string[] = [];

beforeAll(async () => {
  if (INSTALLED === undefined) {
    folder = await mkdtemp(join(tmpdir(), 'icon-sets-'));
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const installing = promisify(execFile)(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...SETS.map(toPackage)],
      { cwd: folder, shell: process.platform === 'win32' },
    );
    missing = await installing.then(
      () => undefined,
      ({ message }: Error) => message,
    );
    if (missing !== undefined) {
      process.stdout.write(
        `The icon sets cannot be installed, so nothing is measured: ${missing}\n`,
      );
      return;
    }
  }
  browser = await launchBrowser();
  page = await browser.newPage();
});

afterAll(async () => {
  await browser?.close();
  if (INSTALLED === undefined && existsSync(folder)) await rm(folder, { recursive: true });
  if (missing !== undefined) return;
  printTable(
    `icon sets in many colours, each ${STRIDE === 1 ? 'icon' : `${STRIDE}th icon`} drawn at ${SIZE} px`,
    ['set', 'icons', 'ms each', 'refused', 'only animated', 'parts removed', 'drawn', 'changed'],
    rows,
  );
  for (const line of found) process.stdout.write(`  ${line}\n`);
});

function toPackage(set: string): string {
  return `@iconify-json/${set}`;
}

interface Icon {
  name: string;
  source: string;
}

function readSet(set: string): Icon[] {
  const file = join(folder, 'node_modules', toPackage(set), 'icons.json');
  const data = JSON.parse(readFileSync(file, 'utf8')) as IconifyJSON;
  return Object.keys(data.icons).map((name) => {
    const { attributes, body } = iconToSVG(getIconData(data, name) ?? { body: '' });
    const namespaces =
      'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
    return { name, source: `<svg ${namespaces} viewBox="${attributes.viewBox}">${body}</svg>` };
  });
}

async function findChanged(pairs: readonly (Icon & { output: string })[]): Promise<string[]> {
  const changed: string[] = [];
  for (let at = 0; at < pairs.length; at += BATCH) {
    const batch = pairs.slice(at, at + BATCH);
    const parts = await page.evaluate(changedPart, {
      pairs: batch.map(({ source, output }) => [source, output] as const),
      size: SIZE,
    });
    for (const [index, part] of parts.entries())
      if (part > CHANGED) changed.push(`${batch[index]?.name} ${(part * 100).toFixed(1)} %`);
  }
  return changed;
}

describe('of an icon set in many colours', () => {
  it.for(SETS)('at most one in a hundred is refused: %s', async (set, { skip }) => {
    if (missing !== undefined) skip('the icon sets cannot be installed');
    const icons = readSet(set);
    const refused: string[] = [];
    const moving: string[] = [];
    const reduced: string[] = [];
    const drawn: (Icon & { output: string })[] = [];
    let time = 0;
    for (const [index, icon] of icons.entries()) {
      const start = performance.now();
      const master = await prepare(icon.source, { fixedColor: true }).catch((error: unknown) => {
        if (!isIconCatalogError(error)) throw error;
        // It is there for those who keep animations.
        if (error.remedy.includes('svg.animation')) moving.push(icon.name);
        else refused.push(`${icon.name}: ${error.message.split('\n')[0]}`);
      });
      time += performance.now() - start;
      if (master === undefined) continue;
      if (Object.keys(master.removed).length > 0) reduced.push(icon.name);
      else if (index % STRIDE === 0)
        drawn.push({ ...icon, output: render(master, { size: `${SIZE}` }) });
    }
    const changed = await findChanged(drawn);
    rows.push(
      [
        set,
        icons.length,
        (time / icons.length).toFixed(2),
        refused.length,
        moving.length,
        reduced.length,
      ].map(String),
    );
    rows.at(-1)?.push(String(drawn.length), String(changed.length));
    for (const [what, names] of Object.entries({ refused, changed }))
      if (names.length > 0) found.push(`${set}, ${what}: ${names.slice(0, MOST_NAMES).join(', ')}`);
    expect(refused.length / icons.length).toBeLessThanOrEqual(0.01);
    expect(changed.length / icons.length).toBeLessThanOrEqual(0.01);
  });
});
