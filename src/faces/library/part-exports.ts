/**
 * `forager/parts`: the parts of a crawl, for programs that combine them in their own way. `runCrawl` takes any `Parts`: each part is an interface,
 * and these are the implementations that `crawl` uses. These names may change in a minor version; those of `forager` may not.
 *
 * @example import { HttpFetcher, RobotsCache, systemClock } from 'forager/parts';
 */
export { type Clock, systemClock } from './core/clock.ts';
export type { Emit } from './core/parts/crawl-events.ts';
export type { LookupCounts, PageFetcher, RobotsPolicy, UnreachableRobots, Validators } from './core/parts/fetching.ts';
export type { CorpusEntry, CorpusWriter, KeptPayloads } from './core/parts/keeping.ts';
export type {
  CommitMark,
  CorpusOffsets,
  Durable,
  Frontier,
  FrontierCounts,
  HostReport,
  Ledger,
  Queue,
  Settlement,
  Standing,
} from './core/parts/queueing.ts';
export type {
  Extractor,
  JudgedPage,
  ListSource,
  PageReader,
  ReadLink,
  ReadOutcome,
  ReservationSource,
  TopicModel,
} from './core/parts/reading.ts';
export type { LinkEvidence, LinkExplanation, LinkScorer, Rescorer, ScorableLink } from './core/parts/scoring.ts';
export { type Expansion, type Headroom, type HostPolicy, NO_EXTRAS, type Parts, type Scope } from './core/parts.ts';
export type { Discovery, Fate, FetchedPage, FetchOutcome, FrontierEntry, HostKey, Lease, LinkText, NextLease } from './core/types.ts';
export { FileCorpusWriter } from './corpus/corpus-writer.ts';
export { newRecordId } from './corpus/warc-record.ts';
export { keptPayloads } from './crawl/kept-payloads.ts';
export { type CrawlLimits, crawl as runCrawl, type StopReason } from './crawl/loop.ts';
export { discoverSeeds } from './crawl/page-records.ts';
export { type OpenCrawl, openCrawl } from './crawl-dir/open-crawl.ts';
export { PageExtractor } from './extract/extractor.ts';
export { HttpFetcher, type HttpFetcherOptions } from './fetch/http-fetcher.ts';
export { RobotsCache } from './fetch/robots-cache.ts';
export { type FrontierOptions, openLmdbFrontier, openMemoryFrontier } from './frontier/frontier.ts';
export { type CrawlLedgerLine, ledgerOf } from './inspect/ledger-lines.ts';
export { linkScorer, STRATEGIES } from './links/strategies.ts';
export { parseScope } from './web/scope.ts';
export { hostKeyOf } from './web/url.ts';
export { userAgentOf } from './web/user-agent.ts';
