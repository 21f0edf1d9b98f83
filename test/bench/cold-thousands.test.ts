import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { iconIds } from '../support/icon-ids.ts';
import { printTable } from './support/print-table.ts';
import { runChild } from './support/run-child.ts';
import { CREDENTIALS, startSlowCatalog } from './support/slow-catalog.ts';

const LATENCY = 100;
const CONCURRENCY = 32;
const COUNTS = (process.env['BENCH_COUNTS'] ?? '500,5000').split(',').map(Number);
const MEBIBYTE = 1024 * 1024;
/** Milliseconds between two looks at what is in use, in a run of its own: they take time. */
const EVERY = 250;

interface Run {
  milliseconds: number;
  icons: number;
  peak: number;
  held: number;
  live: number;
}

it(`distinct icons from nothing, ${LATENCY} ms away, ${CONCURRENCY} calls in flight`, async () => {
  const catalog = await startSlowCatalog(LATENCY);
  const rows: string[][] = [];
  const runs: Record<'count' | 'bytes' | 'held' | 'live' | 'peak', number>[] = [];
  for (const count of COUNTS) {
    const specifiers = iconIds('tabler', count).map((id) => `icon:${id}`);
    const sync = async (besides: { every?: number }): Promise<Run> => {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-bench-cold-')));
      onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));
      const options = {
        catalog: { baseUrl: catalog.url, ...CREDENTIALS },
        concurrency: CONCURRENCY,
        cacheDir: join(root, 'cache'),
        logLevel: 'silent',
      };
      const file = join(root, 'run.json');
      await writeFile(file, JSON.stringify({ root, options, specifiers, ...besides }));
      const run = await runChild<Run>('sync-once.mjs', { cwd: root, args: [file] });
      expect(run.icons).toBe(count);
      return run;
    };
    const run = await sync({});
    const { calls, peak, bytes } = await catalog.seen();
    expect(calls).toBe(2 * count);
    expect(peak).toBeLessThanOrEqual(CONCURRENCY);
    const { live } = await sync({ every: EVERY });
    await catalog.seen();
    runs.push({ count, bytes, held: run.held, live, peak: run.peak });
    rows.push([
      `${count}`,
      (run.milliseconds / 1000).toFixed(2),
      (run.milliseconds / ((calls * LATENCY) / CONCURRENCY)).toFixed(3),
      `${peak}`,
      (bytes / MEBIBYTE).toFixed(1),
      (run.peak / MEBIBYTE).toFixed(0),
      (live / MEBIBYTE).toFixed(1),
      (run.held / MEBIBYTE).toFixed(1),
    ]);
  }
  printTable(
    'Distinct icons, nothing cached',
    [
      'icons',
      's',
      '÷ floor',
      'in flight',
      'MiB received',
      'MiB resident at most',
      'MiB in use at most',
      'MiB in use at the end',
    ],
    rows,
  );
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined || first === last) return;
  const more = (what: 'bytes' | 'held' | 'live' | 'peak'): number =>
    (last[what] - first[what]) / (last.count - first.count);
  const times = (what: 'held' | 'live' | 'peak'): string[] => [
    (more(what) / 1024).toFixed(2),
    (more(what) / more('bytes')).toFixed(2),
  ];
  printTable(
    `What each icon beyond ${first.count} adds`,
    ['', 'KiB', '÷ received'],
    [
      ['received', (more('bytes') / 1024).toFixed(2), '1.00'],
      ['in use at the end', ...times('held')],
      ['in use at most', ...times('live')],
      // What is dead and not collected yet is in it.
      ['resident at most', ...times('peak')],
    ],
  );
});
