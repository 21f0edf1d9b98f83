import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Options } from '../../src/options/options.ts';
import { redis } from '../support/redis-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { createIconProject } from './support/icon-project.ts';
import { printTable } from './support/print-table.ts';
import { inRounds, median, medianRatio, quickestRatio } from './support/rounds.ts';
import { runChild } from './support/run-child.ts';

interface Build {
  milliseconds: number;
  megabytes: number;
  icons: number;
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const COUNTS = (process.env['BENCH_COUNTS'] ?? '2000').split(',').map(Number);
const LATENCY = 20;

/** `constants` is the floor; the others are ours, by the place that has the icons. */
const ALL = [
  'constants',
  'render pack',
  'content',
  'vendor file',
  'shared cache',
  'unplugin-icons',
] as const;
type Variant = (typeof ALL)[number];
/** Places besides the floor, the render pack and the peer: many times slower, so a close look at the pack leaves them out. */
const PLACES = (process.env['BENCH_PLACES'] ?? 'content,vendor file,shared cache').split(',');
const VARIANTS = ALL.filter(
  (variant) => /constants|render pack|unplugin/.test(variant) || PLACES.includes(variant),
);

describe('locked Vite builds', () => {
  it.each(COUNTS)('of %i icons', async (count) => {
    const project = await createIconProject(count);
    onTestFinished(() => project.remove());
    const { root } = project;
    const server = await redis.start();
    onTestFinished(() => server.close());
    const proxy = await startTcpProxy(server.port, { latency: LATENCY });
    onTestFinished(() => proxy.close());
    const sharedCache = `redis://127.0.0.1:${proxy.port}`;

    // One more build from the catalog fills what the first one did not know of.
    const load = JSON.parse(await readFile(join(root, 'load.json'), 'utf8')) as {
      options: Options;
    };
    const filling = { ...load.options, cacheDir: join(root, 'filling'), vendor: true, sharedCache };
    await writeFile(join(root, 'load.json'), JSON.stringify({ ...load, options: filling }));
    await runChild('load-icons.mjs', { cwd: root, args: [root] });

    const folder = (variant: Variant): string => join(root, `cache ${variant}`);
    const optionsByVariant: Partial<Record<Variant, Options>> = {
      'render pack': {},
      content: {},
      'vendor file': { vendor: true },
      'shared cache': { sharedCache },
    };
    const prepare: Partial<Record<Variant, () => Promise<void>>> = {
      content: () => rm(join(folder('content'), 'packs'), { recursive: true, force: true }),
      'vendor file': () => rm(folder('vendor file'), { recursive: true, force: true }),
      'shared cache': () => rm(folder('shared cache'), { recursive: true, force: true }),
    };
    for (const variant of ['render pack', 'content'] as const)
      await cp(join(root, 'cache'), folder(variant), { recursive: true });

    const build = async (variant: Variant): Promise<Build> => {
      await prepare[variant]?.();
      const own = optionsByVariant[variant];
      const besides = { ...own, mode: 'locked', cacheDir: folder(variant) };
      const name = own === undefined ? variant : 'ours';
      return runChild('build-once.mjs', {
        cwd: root,
        args: [root, name, JSON.stringify(besides)],
      });
    };
    await inRounds(VARIANTS, 1, build);
    const builds = await inRounds(VARIANTS, ROUNDS, build);
    const times = (variant: Variant): number[] =>
      builds[variant].map(({ milliseconds }) => milliseconds);
    printTable(
      `Locked Vite builds of ${count} icons by where the icons are (shared: ${redis.name}, ${LATENCY} ms away), median of ${ROUNDS} rounds`,
      [
        '',
        'ms',
        '÷ floor',
        '÷ unplugin-icons',
        'quickest ms',
        '÷ floor',
        '÷ unplugin-icons',
        'peak MB',
      ],
      VARIANTS.map((variant) => [
        variant,
        median(times(variant)).toFixed(0),
        medianRatio(times(variant), times('constants')).toFixed(2),
        medianRatio(times(variant), times('unplugin-icons')).toFixed(2),
        Math.min(...times(variant)).toFixed(0),
        quickestRatio(times(variant), times('constants')).toFixed(2),
        quickestRatio(times(variant), times('unplugin-icons')).toFixed(2),
        median(builds[variant].map(({ megabytes }) => megabytes)).toFixed(0),
      ]),
    );
    for (const variant of VARIANTS)
      for (const { icons } of builds[variant]) expect(icons, variant).toBe(count);
  });
});
