import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/** An order of chance where it is asked for, to find files that lean on each other. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/fixtures/**'],
    globalSetup: ['test/support/scratch.ts'],
    setupFiles: ['test/support/equal-bytes.ts'],
    // By itself Vitest leaves a core to nobody, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    // Real bundlers, browsers and packed tarballs: slow on two cores, never endless.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a browser shows in the end, not how soon on two cores.
    expect: { poll: { timeout: 20_000 } },
    // Where CI is set, a build that finds a lock file adds nothing to it: tests say themselves which mode they are about.
    env: { CI: '' },
    server: { deps: { inline: ['vitest-package-exports'] } },
    coverage: { include: ['src/**'] },
  },
});

export default config;
