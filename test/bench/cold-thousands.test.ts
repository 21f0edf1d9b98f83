import { build } from 'esbuild';
import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MADE_SETS, makeSets } from './support/made-sets.ts';
import { printSlopes, printTable } from './support/print-table.ts';
import { inRounds, median } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';
import { CREDENTIALS, startSlowCatalog } from './support/slow-catalog.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const LATENCIES = (process.env['BENCH_LATENCIES'] ?? '0,50').split(',').map(Number);
const CONCURRENCY = 32;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const COUNTS = (process.env['BENCH_COUNTS'] ?? '500,2000,20000').split(',').map(Number);
const MEBIBYTE = 1024 * 1024;
/** Milliseconds between two looks at what is in use, in a run of its own: they take time. */
const EVERY = 250;

interface Run {
  milliseconds: number;
  cpu: number;
}
interface Sync extends Run {
  icons: number;
  peak: number;
  held: number;
  live: number;
}

const newFolder = async (): Promise<string> => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-bench-cold-')));
  onTestFinished(() => removeFolder(root));
  return root;
};

it.each(LATENCIES)(
  `distinct icons from nothing, %i ms away, ${CONCURRENCY} in flight`,
  async (latency) => {
    const folder = await newFolder();
    const ids = await makeSets(folder);
    const floorScript = join(folder, 'floor.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'support/floor-once.ts')],
      bundle: true,
      platform: 'node',
      outfile: floorScript,
      logLevel: 'error',
    });
    const catalog = await startSlowCatalog(latency, { root: folder, sets: MADE_SETS });
    const rows: string[][] = [];
    const timed: Parameters<typeof printSlopes>[1][number][] = [];
    const runs: Record<'count' | 'bytes' | 'held' | 'live' | 'peak', number>[] = [];

    async function jobOf(count: number, besides: { every?: number } = {}): Promise<string> {
      const root = await newFolder();
      const options = {
        catalog: { baseUrl: catalog.url, ...CREDENTIALS },
        concurrency: CONCURRENCY,
        cacheDir: join(root, 'cache'),
        logLevel: 'silent',
      };
      const own = ids.slice(0, count);
      const specifiers = own.map((id) => `icon:${id}`);
      const file = join(root, 'run.json');
      await writeFile(file, JSON.stringify({ root, options, specifiers, ids: own, ...besides }));
      return file;
    }
    const child = async <Result>(script: string, file: string): Promise<Result> =>
      runChild<Result>(script, { cwd: join(file, '..'), args: [file] });

    await child('sync-once.mjs', await jobOf(20));
    await catalog.seen();
    for (const count of COUNTS) {
      const seen = { calls: 0, peak: 0, bytes: 0 };
      const rounds = await inRounds(
        ['ours', 'floor'] as const,
        count > 5000 ? 1 : ROUNDS,
        async (variant) => {
          const file = await jobOf(count);
          if (variant === 'floor') return child<Run>(floorScript, file);
          await catalog.seen();
          const run = await child<Sync>('sync-once.mjs', file);
          Object.assign(seen, await catalog.seen());
          expect(run.icons).toBe(count);
          return run;
        },
      );
      for (const [variant, results] of Object.entries(rounds))
        timed.push({ count, variant, results });
      expect(seen.calls).toBe(2 * count);
      expect(seen.peak).toBeLessThanOrEqual(CONCURRENCY);
      const ours = rounds.ours as Sync[];
      const quickest = (values: Run[], name: 'milliseconds' | 'cpu'): number =>
        Math.min(...values.map((run) => run[name]));
      const [run] = ours.toSorted((one, other) => one.milliseconds - other.milliseconds);
      const { live } = await child<Sync>('sync-once.mjs', await jobOf(count, { every: EVERY }));
      const { held = 0, peak = 0 } = run ?? {};
      runs.push({ count, bytes: seen.bytes, held, live, peak });
      const bound = (seen.calls * latency) / CONCURRENCY;
      rows.push([
        `${count}`,
        (quickest(ours, 'milliseconds') / 1000).toFixed(2),
        (median(ours.map(({ milliseconds }) => milliseconds)) / 1000).toFixed(2),
        (quickest(ours, 'milliseconds') / quickest(rounds.floor, 'milliseconds')).toFixed(2),
        latency === 0 ? '' : (quickest(ours, 'milliseconds') / bound).toFixed(3),
        (quickest(ours, 'cpu') / count).toFixed(2),
        (quickest(rounds.floor, 'cpu') / count).toFixed(2),
        `${seen.peak}`,
        (seen.bytes / MEBIBYTE).toFixed(1),
        (peak / MEBIBYTE).toFixed(0),
        (live / MEBIBYTE).toFixed(1),
        (held / MEBIBYTE).toFixed(1),
      ]);
    }
    printTable(
      `Distinct icons, nothing cached, a catalog ${latency} ms away`,
      [
        'icons',
        'quickest s',
        'median s',
        '÷ floor',
        '÷ calls × latency / concurrency',
        'CPU ms an icon',
        'of the floor',
        'in flight',
        'MiB received',
        'MiB resident at most',
        'MiB in use at most',
        'MiB in use at the end',
      ],
      rows,
    );
    printSlopes(`Distinct icons, nothing cached, a catalog ${latency} ms away`, timed);
    const [first, last] = [runs[0], runs.at(-1)];
    if (first === undefined || last === undefined || first === last) return;
    const more = (what: 'bytes' | 'held' | 'live' | 'peak'): number =>
      (last[what] - first[what]) / (last.count - first.count);
    const times = (what: 'held' | 'live' | 'peak'): string[] => [
      (more(what) / 1024).toFixed(2),
      (more(what) / more('bytes')).toFixed(2),
    ];
    printTable(
      `What each icon beyond ${first.count} adds, a catalog ${latency} ms away`,
      ['', 'KiB', '÷ received'],
      [
        ['received', (more('bytes') / 1024).toFixed(2), '1.00'],
        ['in use at the end', ...times('held')],
        ['in use at most', ...times('live')],
        // What is dead and not collected yet is in it.
        ['resident at most', ...times('peak')],
      ],
    );
  },
  // Tens of thousands of icons from a catalog that is far away take minutes.
  3_600_000,
);
