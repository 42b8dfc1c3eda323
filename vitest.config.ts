import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    globalSetup: ['test/support/shared-models.ts'],
    // The built program runs as Node runs it: through Vite's transform it takes longer.
    server: { deps: { external: [/\/dist\//] } },
    // It only guards against hanging: tests that start processes took eight times as long beside other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Suites that start crawls, servers and child processes share two cores in CI.
    maxWorkers: 2,
  },
});
