import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/fixtures/**'],
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
