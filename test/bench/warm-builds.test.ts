import { describe, expect, it, onTestFinished } from 'vitest';
import { createIconProject } from './support/icon-project.ts';
import { printTable } from './support/print-table.ts';
import { inRounds, median, medianRatio, quickestRatio } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';

interface Build {
  milliseconds: number;
  /** Milliseconds of all threads together. */
  cpu: number;
  /** Peak of the whole process. */
  megabytes: number;
  icons: number;
  files: string[];
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const COUNTS = (process.env['BENCH_COUNTS'] ?? '5000').split(',').map(Number);

/**
 * `constants` is the floor: a plugin of a few lines answers the same ids with constant strings.
 * `files` are the same constants on disk without any plugin.
 */
const VARIANTS = ['constants', 'files', 'ours', 'ours without credits', 'unplugin-icons'] as const;

describe('warm Vite builds', () => {
  it.each(COUNTS)('of %i icons', async (count) => {
    const project = await createIconProject(count);
    onTestFinished(() => project.remove());
    const build = (variant: string): Promise<Build> =>
      runChild('build-once.mjs', { cwd: project.root, args: [project.root, variant] });

    // The first build of each fills what the system caches; it is not measured.
    await inRounds(VARIANTS, 1, build);
    const builds = await inRounds(VARIANTS, ROUNDS, build);
    const figures = (
      variant: (typeof VARIANTS)[number],
      name: 'milliseconds' | 'cpu' | 'megabytes',
    ) => builds[variant].map((result) => result[name]);

    printTable(
      `Warm Vite builds of ${count} icons, median of ${ROUNDS} rounds`,
      [
        '',
        'ms',
        '÷ floor',
        '÷ unplugin-icons',
        'quickest ms',
        '÷ floor',
        '÷ unplugin-icons',
        'CPU ms',
        '÷ floor',
        'peak MB',
        '÷ floor',
      ],
      VARIANTS.map((variant) => {
        const [times, cpu, memory] = [
          figures(variant, 'milliseconds'),
          figures(variant, 'cpu'),
          figures(variant, 'megabytes'),
        ];
        const ratio = (values: number[], floor: number[]): string =>
          medianRatio(values, floor).toFixed(2);
        return [
          variant,
          median(times).toFixed(0),
          ratio(times, figures('constants', 'milliseconds')),
          ratio(times, figures('unplugin-icons', 'milliseconds')),
          Math.min(...times).toFixed(0),
          quickestRatio(times, figures('constants', 'milliseconds')).toFixed(2),
          quickestRatio(times, figures('unplugin-icons', 'milliseconds')).toFixed(2),
          median(cpu).toFixed(0),
          ratio(cpu, figures('constants', 'cpu')),
          median(memory).toFixed(0),
          ratio(memory, figures('constants', 'megabytes')),
        ];
      }),
    );

    const added = (name: 'milliseconds' | 'cpu'): string => {
      const ratio = quickestRatio(figures('ours', name), figures('ours without credits', name));
      return `${((ratio - 1) * 100).toFixed(1)} %`;
    };
    process.stdout.write(
      `Credits add ${added('milliseconds')} to the time of a build of ours without them, ${added('cpu')} of CPU (goal: 10 % at 5000 icons)\n`,
    );

    // What was measured is what it says: every variant ships every icon, and only ours its credits.
    for (const variant of VARIANTS) {
      for (const { icons } of builds[variant]) expect(icons, variant).toBe(count);
    }
    for (const { files } of builds.ours) expect(files).toContain('icon-attribution.json');
  });
});
