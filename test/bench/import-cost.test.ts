import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { printTable } from './support/print-table.ts';
import { inRounds, median } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const VARIANTS = [
  'unplugin',
  'unplugin-icon-catalog/vite',
  'unplugin-icon-catalog/webpack',
  'unplugin-icon-catalog',
  'unplugin-icons/vite',
] as const;

it('importing the plugin', async () => {
  const load = (specifier: string): Promise<{ milliseconds: number }> =>
    runChild('import-once.mjs', { cwd: REPOSITORY, args: [specifier] });
  await inRounds(VARIANTS, 1, load);
  const loads = await inRounds(VARIANTS, ROUNDS, load);
  const times = (variant: (typeof VARIANTS)[number]): number[] =>
    loads[variant].map(({ milliseconds }) => milliseconds);

  printTable(
    `import() in a fresh process, median of ${ROUNDS} rounds`,
    ['', 'ms', 'beyond unplugin'],
    VARIANTS.map((variant) => {
      const beyond = times(variant).map((time, round) => time - times('unplugin')[round]!);
      return [variant, median(times(variant)).toFixed(1), median(beyond).toFixed(1)];
    }),
  );
  for (const variant of VARIANTS) expect(loads[variant]).toHaveLength(ROUNDS);
});
