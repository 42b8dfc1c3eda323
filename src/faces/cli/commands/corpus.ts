import { command } from '../define.ts';

export const corpusCommand = command({
  name: 'corpus',
  positionals: ['action', 'corpora'],
  summary: 'merge corpora, list the differences of two, or compare one with a frame',
  examples: [
    ['$0 corpus merge corpora/may corpora/june --out corpora/both --format jsonl,warc', 'the newest version of each page of two harvests'],
    ['$0 corpus bias corpora/moss --frame index.cdx.gz', 'shares of domains and hosts against the index of an archive'],
    [
      '$0 corpus bias crawls/moss --frame random --weights weights.csv',
      'against the random visits of --explore, with a weight for each page',
    ],
    ['$0 corpus diff corpora/may corpora/june --json', 'pages that are added, gone and changed, with their words'],
  ],
  run: async (options) => (await import('../runs/corpus.ts')).runCorpus(options),
});
