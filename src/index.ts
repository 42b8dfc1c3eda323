/**
 * Forager as a library: the same parts as the command line.
 * @example
 * import { crawl, harvest, train } from 'forager';
 * await train({ examples: ['examples/moss'], out: 'models/moss' });
 * const { harvestRate } = await crawl({ dir: 'crawls/moss', topic: 'models/moss', seeds: ['https://example.org/'], maxPages: 500 });
 * await harvest({ dir: 'crawls/moss', out: 'corpora/moss', formats: ['jsonl', 'warc'] });
 */
export { type CrawlOptions, type CrawlReport, crawl } from './app/crawl.ts';
export { type FetchedList, type FetchListOptions, fetchList } from './app/fetch-list.ts';
export { type HarvestOptions, harvest } from './app/harvest.ts';
export { type InputOptions, readInput, type SourcePage } from './app/inputs.ts';
export { type CrawlStatus, ledgerOf, type OpenCrawl, openCrawl, status, type Why, why } from './app/inspect.ts';
export { type ExtractedPage, type ExtractOptions, extractPages, type JudgedPage, judgePages } from './app/read.ts';
export { type TrainOptions, type TrainReport, train } from './app/train.ts';
export { VERSION } from './app/version.ts';
export { CrawlerError, DataError, EnvironmentError, ModelError, StoreError, UsageError } from './core/errors.ts';
export type { CrawlEvent, Emit, Explanation, FrontierCounts, LinkExplanation, Strategy } from './core/parts.ts';
export type {
  Alternate,
  CanonicalUrl,
  CorpusRecord,
  Edge,
  Extraction,
  LedgerLine,
  Outlink,
  PageFields,
  PageMetadata,
} from './core/types.ts';
