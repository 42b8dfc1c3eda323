import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Suites that start crawls, servers and child processes share two cores in CI.
    maxWorkers: 2,
  },
});
