import { command } from '../define.ts';

export const versionsCommand = command({
  name: 'versions',
  positionals: ['dir', 'url'],
  summary: 'list the versions of a page that was requested again, and the times when it was gone',
  examples: [
    ['$0 versions crawls/moss https://example.org/peat', 'each version with its words in and out'],
    ['$0 versions corpora/moss https://example.org/peat --json', 'of a harvest with --versions all, for other programs'],
  ],
  run: async (options) => (await import('../runs/versions.ts')).runVersions(options),
});
