import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/fixtures/**'],
    // Real bundlers, browsers and packed tarballs: slow on two cores, never endless.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    server: { deps: { inline: ['vitest-package-exports'] } },
    coverage: { include: ['src/**'] },
  },
});

export default config;
