import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIconProject, type IconProject } from './support/icon-project.ts';
import { type Figures, printFigures } from './support/print-table.ts';
import { inRounds } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';

interface Build extends Figures {
  bytes: number;
  gzipped: number;
  /** Distinct paths in the output. */
  icons: number;
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const COUNT = Number(process.env['BENCH_ICONS'] ?? 1000);
/** `nothing prepared`: icons were downloaded and nothing else is there. `nothing there`: no lock and no cache. */
const VARIANTS = [
  'unplugin-icons',
  'ours',
  'ours, nothing prepared',
  'ours, nothing there',
] as const;

let project: IconProject;
beforeAll(async () => {
  project = await createIconProject(COUNT);
});
afterAll(() => project.remove());

it.each(['react', 'vue', 'svelte'])('components of %s', async (framework) => {
  const { root } = project;
  const build = (variant: string): Promise<Build> =>
    runChild('build-components.mjs', { cwd: root, args: [root, framework, variant] });
  // The first build of each fills what is cached; it is not measured.
  await inRounds(VARIANTS, 1, build);
  const builds = await inRounds(VARIANTS, ROUNDS, async (variant) => {
    const built = await build(variant);
    // The next round of the warm variant finds its cache again.
    if (variant === 'ours, nothing there') await build('ours');
    return built;
  });
  printFigures(`Builds of ${COUNT} components of ${framework}`, builds, 'unplugin-icons');
  const [theirs] = builds['unplugin-icons'];
  for (const [variant, results] of Object.entries(builds)) {
    for (const { icons, bytes, gzipped } of results) {
      expect(icons, variant).toBeGreaterThan(COUNT);
      expect(bytes, variant).toBeLessThanOrEqual(theirs?.bytes ?? 0);
      expect(gzipped, variant).toBeLessThanOrEqual(theirs?.gzipped ?? 0);
    }
  }
});
