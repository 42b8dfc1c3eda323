import { command } from '../define.ts';

export const diffCommand = command({
  name: 'diff',
  positionals: ['dir', 'url', 'between'],
  summary: 'print the words that differ between two versions of a page',
  examples: [
    ['$0 diff crawls/moss https://example.org/peat', 'the last two versions'],
    ['$0 diff crawls/moss https://example.org/peat 1 3', 'the first and the third'],
    ['$0 diff crawls/moss https://example.org/peat 2026-10-01 2026-11-01', 'the newest versions of two days'],
  ],
  run: async (options) => (await import('../runs/diff.ts')).runDiff(options),
});
