import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIconProject } from './support/icon-project.ts';
import { printTable } from './support/print-table.ts';
import { inRounds, median, medianRatio } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';

interface Build {
  milliseconds: number;
  bytes: number;
  gzipped: number;
  /** Distinct paths in the output. */
  icons: number;
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const COUNT = 1000;
const VARIANTS = ['ours', 'unplugin-icons'] as const;

describe.each(['react', 'vue'])(`${COUNT} components of %s`, (framework) => {
  it('are built in half the time that unplugin-icons takes, and are no larger', async () => {
    const project = await createIconProject(COUNT);
    onTestFinished(() => project.remove());
    const { root } = project;
    const build = (variant: string): Promise<Build> =>
      runChild('build-components.mjs', { cwd: root, args: [root, framework, variant] });

    // Icons were downloaded, and nothing else is there yet.
    await rm(join(root, 'cache/packs'), { recursive: true, force: true });
    const first = await inRounds(VARIANTS, 1, build);
    const warm = await inRounds(VARIANTS, ROUNDS, build);
    const times = (builds: readonly Build[]): number[] =>
      builds.map(({ milliseconds }) => milliseconds);

    printTable(
      `${COUNT} components of ${framework}, median of ${ROUNDS} rounds`,
      ['', 'first build, ms', 'ms', '÷ unplugin-icons', 'kB', 'kB gzipped'],
      VARIANTS.map((variant) => {
        const [{ bytes, gzipped }] = warm[variant] as [Build];
        return [
          variant,
          median(times(first[variant])).toFixed(0),
          median(times(warm[variant])).toFixed(0),
          medianRatio(times(warm[variant]), times(warm['unplugin-icons'])).toFixed(2),
          (bytes / 1000).toFixed(0),
          (gzipped / 1000).toFixed(0),
        ];
      }),
    );

    const [ours] = warm.ours as [Build];
    const [theirs] = warm['unplugin-icons'] as [Build];
    expect(ours.icons).toBeGreaterThan(COUNT);
    expect(theirs.icons).toBeGreaterThan(COUNT);
    expect(ours.bytes).toBeLessThanOrEqual(theirs.bytes);
    expect(ours.gzipped).toBeLessThanOrEqual(theirs.gzipped);
    expect(medianRatio(times(warm.ours), times(warm['unplugin-icons']))).toBeLessThanOrEqual(0.5);
  });
});
