import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    // Tests of the command line start several processes each; on a machine that is busy besides a test of 5 s took 25.
    testTimeout: 60_000,
    // Suites that start crawls, servers and child processes share two cores in CI.
    maxWorkers: 2,
  },
});
