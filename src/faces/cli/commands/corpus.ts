import { command } from '../define.ts';

export const corpusCommand = command({
  name: 'corpus',
  positionals: ['action', 'corpora'],
  summary: 'merge corpora, or list the differences of two',
  examples: [
    ['$0 corpus merge corpora/may corpora/june --out corpora/both --format jsonl,warc', 'the newest version of each page of two harvests'],
    ['$0 corpus diff corpora/may corpora/june --json', 'pages that are added, gone and changed, with their words'],
  ],
  run: async (options) => (await import('../runs/corpus.ts')).runCorpus(options),
});
