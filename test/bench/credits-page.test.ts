import { pathToFileURL } from 'node:url';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createManifest } from '../../src/attribution/manifest/create-manifest.ts';
import { renderAttribution } from '../../src/attribution/render/render-attribution.ts';
import { createIcons } from '../../src/icons.ts';
import { launchBrowser } from '../support/browser.ts';
import { iconIds } from '../support/icon-ids.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './support/print-table.ts';

const COUNTS = (process.env['BENCH_COUNTS'] ?? '100,1250,4000').split(',').map(Number);

/** What a reader's browser gets of the credits page, with icons of one set. */
it('the credits page', async () => {
  const root = await temporaryFolder();
  const icons = createIcons(
    { catalog: { embedded: { root: process.cwd() } }, cacheDir: join(root, 'cache') },
    { root },
  );
  const loaded = [];
  for (const id of iconIds('tabler', Math.max(...COUNTS)))
    loaded.push(await icons.load(`icon:${id}`));
  await icons.close();
  const browser = await launchBrowser();
  const rows: string[][] = [];
  for (const count of COUNTS) {
    const listed = loaded.slice(0, count);
    const manifest = createManifest({
      credits: listed.map(({ credit }) => ({
        credit,
        usedIn: [{ build: 'client', file: 'index.js', kind: 'inline-js' }],
      })),
      builds: [{ id: 'client', bundler: 'vite', consumer: 'client', precision: 'emitted' }],
      complete: true,
      catalog: { name: 'Catalog', siteUrl: 'https://icon-sets.iconify.design' },
      generator: { name: 'unplugin-icon-catalog', version: '0' },
    });
    const artwork = new Map(listed.map(({ credit, svg = '' }) => [credit.id, svg]));
    const rendered = startStopwatch();
    const html = renderAttribution(manifest, 'html', { artwork });
    const renderTime = rendered();
    const file = join(root, `${count}.html`);
    await writeFile(file, html);
    const page = await browser.newPage();
    const opened = startStopwatch();
    await page.goto(pathToFileURL(file).href);
    const openTime = opened();
    const elements = await page.locator('*').count();
    await page.waitForLoadState('networkidle');
    const pdf = await page.pdf({ format: 'A4' });
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    await page.close();
    rows.push([
      String(count),
      (Buffer.byteLength(html) / 1e6).toFixed(2),
      String(elements),
      String(sheets),
      renderTime.toFixed(0),
      openTime.toFixed(0),
    ]);
  }
  await browser.close();
  printTable(
    'The credits page of one set (tabler)',
    ['icons', 'MB', 'elements at first paint', 'printed pages (A4)', 'ms to render', 'ms to open'],
    rows,
  );
  expect(rows).toHaveLength(COUNTS.length);
});
