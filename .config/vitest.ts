import { availableParallelism } from 'node:os';
import {
  defineConfig,
  type TestProjectInlineConfiguration,
  type ViteUserConfig,
} from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/** An order of chance where it is asked for, to find files that lean on each other. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

/** Folders whose tests change nothing outside of what they made themselves: no environment, no current folder, no module's state. */
const UNITS = [
  'attribution',
  'bundlers/rollup',
  'bundlers/webpack',
  'catalog',
  'cli',
  'conformance',
  'dts',
  'pipeline',
  'emit',
  'markup',
  'project',
  'request',
  'scan',
  'server',
  'store',
  'svg',
].map((folder) => `test/${folder}/**/*.test.ts`);
const BROWSERS = 'test/**/*.browser.test.ts';
const OTHERS = ['test/bench/**', 'test/fixtures/**'];

const common: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/support/equal-bytes.ts', 'test/support/one-thread.ts'],
  // Real bundlers, browsers and packed tarballs: slow on two cores, never endless.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // What a browser shows in the end, not how soon on two cores.
  expect: { poll: { timeout: 20_000 } },
  // Where CI is set, a build that finds a lock file adds nothing to it: tests say themselves which mode they are about.
  // Catalogs of tests are on this machine, where credits would have no links, and every build would say so.
  env: { CI: '', ICON_CATALOG_SITE_URL: 'https://icons.example' },
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
      // A process for each file: bundlers, browsers, command lines, whatever is not sure to leave no trace.
      {
        test: {
          ...common,
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [...OTHERS, ...UNITS.map((unit) => unit.replace('*.test', '!(*.browser).test'))],
        },
      },
      // The same processes for many files, which import their part once.
      {
        test: {
          ...common,
          name: 'unit',
          include: UNITS,
          exclude: [...OTHERS, BROWSERS],
          isolate: false,
        },
      },
    ],
  },
});

export default config;
