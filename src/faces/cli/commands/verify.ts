import { command } from '../define.ts';

export const verifyCommand = command({
  name: 'verify',
  positionals: ['dir'],
  summary: 'check all files of a crawl or a corpus against their checksums, and name all damage',
  examples: [
    ['$0 verify crawls/moss', 'exit code 0 if nothing is damaged, 3 if something is'],
    ['$0 verify corpora/moss', 'the same for a harvest: names damaged files'],
  ],
  run: async (options) => (await import('../runs/verify.ts')).runVerify(options),
});
