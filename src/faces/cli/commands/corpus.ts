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
    ['$0 corpus diff crawls/moss --from 2026-05-31 --to 2026-06-30', 'the same of two dates of one crawl'],
  ],
  run: async (options) => (await import('../runs/corpus.ts')).runCorpus(options),
});

export const corpusWithdrawCommand = command({
  name: 'corpus withdraw',
  positionals: ['corpus'],
  summary: 'take pages back: a new corpus without them, or a list that later harvests of a crawl obey',
  examples: [
    [
      '$0 corpus withdraw corpora/moss --url https://example.org/page --reason "request of the author" --out corpora/moss-2',
      'all formats of the corpus, without the page',
    ],
    ['$0 corpus withdraw crawls/moss --host example.org --reason "request of the owner"', 'later harvests of the crawl omit the pages'],
    [
      '$0 corpus withdraw crawls/moss --url urls.txt --reason "request of the owner" --purge',
      'the files of the crawl itself lose the pages',
    ],
    ['$0 corpus withdraw corpora/moss --id ids.txt --reason "personal data" --out corpora/moss-2', 'a file with one id a line'],
  ],
  run: async (options) => (await import('../runs/corpus-withdraw.ts')).runWithdraw(options),
});

export const pairsCommand = command({
  name: 'pairs',
  positionals: ['corpus'],
  summary: 'find pages that are the same in two languages, and align their sentences',
  examples: [
    ['$0 pairs crawls/moss --langs en,fr --out pairs/moss', 'a translation memory of the kept pages of a crawl'],
    ['$0 pairs corpora/moss --langs en,de --out pairs/moss --format tmx,parquet --split 90/5/5', 'of a harvest, in parts for training'],
    ['$0 pairs corpora/moss --langs en,de --out pairs/sure --min-score 0.9', 'fewer pairs, and fewer wrong ones'],
  ],
  run: async (options) => (await import('../runs/pairs.ts')).runPairs(options),
});
