import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { iconIds } from '../support/icon-ids.ts';
import { printTable } from './support/print-table.ts';
import { median } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';
import { CREDENTIALS, startSlowCatalog } from './support/slow-catalog.ts';
import { removeFolder } from '../support/temporary-folder.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const CONCURRENCY = 8;
const ICONS = 100;

it.each([0, 50])(
  `${ICONS} icons in three variants each, from nothing, %i ms away`,
  async (latency) => {
    const catalog = await startSlowCatalog(latency);
    const ids = iconIds('tabler', ICONS);
    const specifiers = ids.flatMap((id) => [
      `icon:${id}`,
      `icon:${id}?color=ff0000&size=32`,
      `icon:${id}?color=0000ff&as=data`,
    ]);

    const runs: {
      milliseconds: number;
      /** Milliseconds of all threads, a call. */
      cpu: number;
      /** Of the same calls by the client alone, in the same round. */
      alone: number;
      calls: number;
      peak: number;
      ratio: number;
    }[] = [];
    // The first run wakes up the catalog, which reads its icons on the first call; it is not measured.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const root = await realpath(await mkdtemp(join(tmpdir(), 'icon-catalog-bench-cold-')));
      onTestFinished(() => removeFolder(root));
      const options = {
        catalog: { baseUrl: catalog.url, ...CREDENTIALS },
        concurrency: CONCURRENCY,
        cacheDir: join(root, 'cache'),
        logLevel: 'silent',
      };
      const file = join(root, 'run.json');
      await writeFile(file, JSON.stringify({ root, options, specifiers, ids }));
      const { milliseconds, cpu, icons } = await runChild<{
        milliseconds: number;
        cpu: number;
        icons: number;
      }>('fetch-once.mjs', { cwd: root, args: [file] });
      expect(icons).toBe(specifiers.length);
      const { calls, peak } = await catalog.seen();
      const floor = (calls * latency) / CONCURRENCY;
      const { milliseconds: alone } = await runChild<{ milliseconds: number }>('calls-once.mjs', {
        cwd: root,
        args: [file],
      });
      await catalog.seen();
      if (round > 0)
        runs.push({
          milliseconds,
          cpu: cpu / calls,
          alone,
          calls,
          peak,
          ratio: milliseconds / floor,
        });
    }

    printTable(
      `${ICONS} icons in ${specifiers.length} variants from a catalog ${latency} ms away, ${CONCURRENCY} calls in flight`,
      [
        '',
        'ms',
        'CPU ms a call',
        'calls',
        'peak in flight',
        '÷ calls × latency / concurrency',
        '÷ client alone',
      ],
      runs.map(({ milliseconds, cpu, alone, calls, peak, ratio }, round) => [
        `round ${round + 1}`,
        milliseconds.toFixed(0),
        cpu.toFixed(2),
        `${calls}`,
        `${peak}`,
        latency === 0 ? '' : ratio.toFixed(2),
        (milliseconds / alone).toFixed(2),
      ]),
    );
    const middle = (values: number[]): string => median(values).toFixed(2);
    process.stdout.write(
      `median ${latency === 0 ? '' : `ratio ${middle(runs.map(({ ratio }) => ratio))}, `}÷ client alone ${middle(runs.map(({ milliseconds, alone }) => milliseconds / alone))}\n`,
    );
    for (const { calls, peak } of runs) {
      expect(calls).toBe(2 * ICONS);
      expect(peak).toBeLessThanOrEqual(CONCURRENCY);
    }
  },
);
