import { defineConfig } from 'vitest/config';

/** They count the memory of their process, or put something in the place of a part of Node. */
const OWN_PROCESS = [
  'test/hostile/**/*.test.ts',
  'test/crawling/monitor/headroom.test.ts',
  'test/crawling/frontier/own-memory.test.ts',
  'test/crawling/render/lifetime.test.ts',
  'test/corpus/records/frozen-flush.test.ts',
  'test/corpus/records/reset-marks.test.ts',
  'test/crawling/frontier/flushed-commits.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['test/support/set-up.ts'],
    globalSetup: ['test/support/shared-models.ts'],
    // The built program runs as Node runs it: through Vite's transform it takes longer.
    server: { deps: { external: [/\/dist\//] } },
    // It only guards against hanging: tests that start processes took eight times as long beside other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // CI has two cores. Suites that start crawls, servers and child processes wait for a part of their time.
    maxWorkers: 3,
    projects: [
      // Test files share a process one after the other: a new one takes a second to load the program, and then runs it cold.
      // V8's young generation of 16 MB is too small for what hundreds of test files leave behind: with 64 MB they take 8 % less CPU time.
      // From the start, and with an old generation that is not collected before it has 600 MB: again a sixth less.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: OWN_PROCESS,
          isolate: false,
          setupFiles: ['test/support/no-flush.ts'],
          execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-old-space-size=600'],
        },
      },
      { extends: true, test: { name: 'own', include: OWN_PROCESS } },
    ],
  },
});
