import { command } from '../define.ts';

export const knownCommand = command({
  name: 'known',
  positionals: ['dir'],
  summary: 'draw pages from a list at random, and ask which are on topic: they tell the recall of a crawl',
  examples: [
    ['$0 known crawls/moss --from sitemap --out known.jsonl', 'draw 60 pages of the sitemaps of the seeds, and answer y or n'],
    ['$0 known crawls/moss --from index.cdx.gz --draw 100 --out known.jsonl', 'draw from the index of an archive'],
    ['$0 known crawls/moss --out known.jsonl', 'continue after q'],
    ['$0 crawl crawls/moss --known known.jsonl', 'the pages with the answer y are the known pages of the crawl'],
  ],
  run: async (options) => (await import('../runs/known.ts')).runKnown(options),
});
