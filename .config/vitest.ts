import { availableParallelism } from 'node:os';
import {
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/** An order of chance where it is asked for, to find files that lean on each other. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

/**
 * Tests that change what all of their process shares (the environment, prototypes of Node.js), that look at what a process
 * has loaded, or that run site generators, which leave traces of their own.
 */
const APART = [
  'test/{docs,examples,faults,options,types}/**/*.test.ts',
  'test/integrations/{astro,eleventy,nuxt,vitepress}.test.ts',
  'test/*.test.ts',
];
const OTHERS = ['test/bench/**', 'test/fixtures/**'];

const common: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/support/each-file.ts'],
  // Real bundlers, browsers and packed tarballs: slow on two cores, never endless.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // What a browser shows in the end, not how soon on two cores.
  expect: { poll: { timeout: 20_000 } },
  // Where CI is set, a build that finds a lock file adds nothing to it: tests say themselves which mode they are about.
  // Catalogs of tests are on this machine, where credits would have no links, and every build would say so.
  // Compilers written in Go spend a third of a short run on collecting garbage.
  env: { CI: '', ICON_CATALOG_SITE_URL: 'https://icons.example', GOGC: '400' },
  server: { deps: { inline: ['vitest-package-exports'] } },
};

const config: ViteUserConfig = defineConfig({
  test: {
    globalSetup: ['test/support/scratch.ts'],
    // One more than there are cores: a third of the time a file waits for a browser, a watcher or a process.
    maxWorkers: availableParallelism() + 1,
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    coverage: { include: ['src/**'] },
    projects: [
      // A process for each file.
      { test: { ...common, name: 'apart', include: APART, exclude: OTHERS } },
      // The same processes for many files: they import their part once, and start one browser.
      {
        test: {
          ...common,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...OTHERS, ...APART],
          isolate: false,
          unstubEnvs: true,
        },
      },
    ],
  },
});

export default config;
