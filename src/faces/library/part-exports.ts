/**
 * `forager/parts`: the parts of a crawl, for programs that combine them in their own way. `crawlWith` runs a whole crawl with some parts replaced. `runCrawl` takes any `Parts`: each part is an interface,
 * and these are the implementations that `crawl` uses. These names may change in a minor version; those of `forager` may not.
 *
 * @example import { HttpFetcher, RobotsCache, systemClock } from 'forager/parts';
 */

export { type Clock, systemClock } from '../../base/core/clock.ts';
export type { Emit } from '../../base/core/parts/crawl-events.ts';
export type { LookupCounts, PageFetcher, RobotsPolicy, UnreachableRobots, Validators } from '../../base/core/parts/fetching.ts';
export type { CorpusEntry, CorpusWriter, KeptPayloads } from '../../base/core/parts/keeping.ts';
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
} from '../../base/core/parts/queueing.ts';
export type {
  Extractor,
  JudgedPageText as JudgedPage,
  ListSource,
  PageReader,
  ReadLink,
  ReadOutcome,
  ReservationSource,
  TopicModel,
} from '../../base/core/parts/reading.ts';
export type { LinkEvidence, LinkExplanation, LinkObserver, LinkScorer, Rescorer, ScorableLink } from '../../base/core/parts/scoring.ts';
export { type Expansion, type Headroom, type HostPolicy, NO_EXTRAS, type Parts, type Scope } from '../../base/core/parts.ts';
export type {
  Discovery,
  Fate,
  FetchedPage,
  FetchOutcome,
  FrontierEntry,
  HostKey,
  Lease,
  LinkText,
  NextLease,
} from '../../base/core/types.ts';
export { parseScope } from '../../base/web/scope.ts';
export { hostKeyOf } from '../../base/web/url.ts';
export { userAgentOf } from '../../base/web/user-agent.ts';
export { FileCorpusWriter } from '../../corpus/records/corpus-writer.ts';
export { newRecordId } from '../../corpus/records/warc-record.ts';
export { keptPayloads } from '../../crawling/crawl/kept-payloads.ts';
export { type CrawlLimits, runCrawl, type StopReason } from '../../crawling/crawl/loop.ts';
export { discoverSeeds } from '../../crawling/crawl/page-records.ts';
export { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
export { HttpFetcher, type HttpFetcherOptions } from '../../crawling/fetch/http-fetcher.ts';
export { RobotsCache } from '../../crawling/fetch/robots-cache.ts';
export { openLmdbFrontier, openLmdbLedger, openMemoryFrontier } from '../../crawling/frontier/frontier.ts';
export type { FrontierOptions } from '../../crawling/frontier/frontier-parts.ts';
export { PageExtractor } from '../../reading/extract/extractor.ts';
export { linkScorer } from '../../reading/links/strategies.ts';
export { STRATEGIES } from '../../reading/links/strategy-names.ts';
export { type CrawlLedgerLine, ledgerOf } from '../../study/inspect/ledger-lines.ts';
export type { ReplaceablePart, ReplaceParts } from '../app/replaced-parts.ts';
export { crawlWith, whyWith } from './crawl-with.ts';
