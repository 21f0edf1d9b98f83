import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIconProject, type IconProject } from './support/icon-project.ts';
import { type Figures, printFigures, printSlopes } from './support/print-table.ts';
import { inRounds } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';
import { BUN } from '../support/bun.ts';

interface Build extends Figures {
  icons: number;
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const COUNTS = (process.env['BENCH_COUNTS'] ?? '500,5000').split(',').map(Number);
/** The floor of each bundler: a plugin that answers with constants, or files where no plugin can be that small. */
const FLOORS: Record<string, string> = {
  vite: 'constants',
  rollup: 'constants',
  rolldown: 'constants',
  webpack: 'constants',
  'webpack cached': 'constants',
  rspack: 'files',
  'rspack cached': 'files',
  esbuild: 'constants',
  farm: 'constants',
  bun: 'constants',
};
/** unplugin-icons has no entry for these. */
const WITHOUT_PEER = new Set(['farm', 'bun']);

const timed: Record<string, Parameters<typeof printSlopes>[1][number][]> = {};
afterAll(() => {
  for (const [bundler, runs] of Object.entries(timed))
    printSlopes(`Warm builds by ${bundler}`, runs);
});

describe.each(COUNTS)('warm builds of %i icons', (count) => {
  let project: IconProject;
  beforeAll(async () => {
    project = await createIconProject(count);
  });
  afterAll(() => project.remove());

  it.each(Object.entries(FLOORS))('by %s', async (bundler, floor) => {
    const { root, hasPeer } = project;
    const isCompared = hasPeer && !WITHOUT_PEER.has(bundler);
    const variants = [floor, 'ours', ...(isCompared ? ['unplugin-icons'] : [])];
    const build = (variant: string): Promise<Build> =>
      runChild('bundle-once.mjs', {
        cwd: root,
        args: [root, bundler, variant],
        ...(bundler === 'bun' && { runtime: BUN }),
      });
    // The first build of each fills what is cached; it is not measured.
    await inRounds(variants, 1, build);
    const builds = await inRounds(variants, ROUNDS, build);
    printFigures(`Warm builds of ${count} icons by ${bundler}`, builds, floor);
    const runs = (timed[bundler] ??= []);
    for (const [variant, results] of Object.entries(builds)) runs.push({ count, variant, results });
    // Each variant ships every icon.
    for (const results of Object.values(builds))
      for (const { icons } of results) expect(icons).toBe(count);
  });
});
