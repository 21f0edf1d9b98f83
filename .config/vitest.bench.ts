import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/bench/**/*.test.ts'],
    // Measurements share no core with each other.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

export default config;
