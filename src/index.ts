/**
 * Forager as a library: the same parts as the command line.
 * @example
 * import { crawl, harvest, train } from 'forager';
 * await train({ examples: ['examples/moss'], out: 'models/moss' });
 * const { harvestRate } = await crawl({ dir: 'crawls/moss', topic: 'models/moss', seeds: ['https://example.org/'], maxPages: 500 });
 * await harvest({ dir: 'crawls/moss', out: 'corpora/moss', formats: ['jsonl', 'warc'] });
 */

export type { Cited, Example } from './app/citations.ts';
export { type CompactReport, compact } from './app/compact.ts';
export { crawl } from './app/crawl.ts';
export type { CrawlOptions, CrawlReport } from './app/crawl-options.ts';
export { type EvalOptions, type EvalReport, evaluate } from './app/eval.ts';
export { type FetchedList, type FetchListOptions, fetchList } from './app/fetch-list.ts';
export { type CitedHost, type CitedPage, type FindSeedsOptions, type FoundSeeds, findSeeds } from './app/find-seeds.ts';
export { type FreezeOptions, type FreezeReport, freeze } from './app/freeze.ts';
export type { Grounds } from './app/grounds.ts';
export { type HarvestOptions, harvest } from './app/harvest.ts';
export { type InputOptions, readInput } from './app/inputs.ts';
export {
  type CrawlLedgerLine,
  type CrawlStatus,
  ledgerOf,
  type OpenCrawl,
  openCrawl,
  type RetriedHost,
  status,
  type ToldRetry,
  type Why,
  why,
} from './app/inspect.ts';
export { type JudgedPage, type JudgeOptions, judgePages } from './app/judge.ts';
export { type ImportReport, type LabelCounts, Labelling, type LabellingOptions, type Question } from './app/label.ts';
export type { MissingLabels } from './app/label-enough.ts';
export type { RelabelChanges, RelabelOptions } from './app/label-force.ts';
export type { RelabelReport } from './app/label-retrain.ts';
export type { UndoReport } from './app/label-undo.ts';
export { exportLinkModel, type LinkModelOptions, type LinkModelReport } from './app/link-model.ts';
export type { FollowedLinks, MeasuredLocality } from './app/locality.ts';
export type { Outlook } from './app/outlook.ts';
export {
  type ExplainedPage,
  type ExplainOptions,
  type ExtractedPage,
  type ExtractOptions,
  explainPages,
  extractPages,
} from './app/read.ts';
export { type RepairOptions, type RepairReport, type RepairStep, repair } from './app/repair.ts';
export type { SourcePage } from './app/source-page.ts';
export type { TopicYield } from './app/topic-yields.ts';
export { type TrainOptions, type TrainReport, train } from './app/train.ts';
export { type CheckResult, type VerifyOptions, type VerifyReport, verify } from './app/verify.ts';
export { VERSION } from './app/version.ts';
export { CrawlerError, DataError, EnvironmentError, ModelError, StoreError, UsageError } from './core/errors.ts';
export type { CrawlEvent, Emit, Explanation, FrontierCounts, LinkExplanation, RunningVisit, Strategy, VisitStep } from './core/parts.ts';
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
  Topic,
  TopicJudgement,
} from './core/types.ts';
export type { YieldLimit } from './crawl/recent-yield.ts';
export type { Evaluation } from './eval/report.ts';
export type { BlockReason } from './extract/block-model.ts';
export type { BlockExplanation, BlockRule, ModelExplanation, PageExplanation } from './extract/explanation.ts';
export type { MainTextMethod } from './extract/extractor.ts';
export type { TextParts } from './extract/text-parts.ts';
export type { DiskLimits } from './settings/crawl-kinds.ts';
export type { LogLevel } from './settings/settings.ts';
export type { Doubt } from './topic/doubts.ts';
export type { CrawlEstimate, ShareEstimate } from './topic/label-estimate.ts';
export type { Answer } from './topic/label-queue.ts';
