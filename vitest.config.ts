import { defineConfig } from 'vitest/config';

/** Parts by themselves: they share a process, which saves a second a file. What changes a process has one of its own. */
const SHARING = ['core', 'corpus', 'eval', 'extract', 'fetch', 'frontier', 'inspect', 'links', 'settings', 'text', 'topic', 'web'];
const OWN_PROCESS = ['test/corpus/frozen-flush.test.ts'];
const sharing = SHARING.map((room) => `test/${room}/**/*.test.ts`);

export default defineConfig({
  test: {
    setupFiles: ['test/support/property-seed.ts'],
    globalSetup: ['test/support/shared-models.ts'],
    // The built program runs as Node runs it: through Vite's transform it takes longer.
    server: { deps: { external: [/\/dist\//] } },
    // It only guards against hanging: tests that start processes took eight times as long beside other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // CI has two cores. Suites that start crawls, servers and child processes wait for a part of their time.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'parts', include: sharing, exclude: OWN_PROCESS, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts', ...OWN_PROCESS], exclude: sharing } },
    ],
  },
});
