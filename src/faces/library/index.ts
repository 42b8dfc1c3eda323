/**
 * Forager as a library: the same operations as the command line.
 * @example
 * ```ts
 * import { crawl, harvest, train } from 'forager';
 * await train({ examples: ['examples/moss'], out: 'models/moss' });
 * const { harvestRate } = await crawl({ dir: 'crawls/moss', topic: 'models/moss', seeds: ['https://example.org/'], maxPages: 500 });
 * await harvest({ dir: 'crawls/moss', out: 'corpora/moss', formats: ['jsonl', 'warc'] });
 * ```
 */

export type { CompactReport } from './app/compact-crawl.ts';
export type { CompareOptions } from './app/compare-corpora.ts';
export type { EvalOptions, EvalReport } from './app/compare-strategies.ts';
export type { CrawlOptions, CrawlReport } from './app/crawl-options.ts';
export type { CrawlRun } from './app/crawl-run.ts';
export type { WorkerFacts, WorkersOptions, WorkersReport } from './app/crawl-workers.ts';
export type { LinkModelOptions, LinkModelReport } from './app/export-link-model.ts';
export type { ExplainedPage, ExplainOptions, ExtractOptions } from './app/extract-pages.ts';
export type { CitedHost, CitedPage, FindSeedsOptions, FoundSeeds } from './app/find-seeds.ts';
export type { FreezeOptions, FreezeReport } from './app/freeze-crawl.ts';
export type { GatheredCorpus, GatherOptions, GatherReport } from './app/gather-crawl.ts';
export type { HarvestOptions } from './app/harvest-crawl.ts';
export type { ExamplesFound, InitOptions, InitReport, SeedHost } from './app/init-project.ts';
export type { JudgedPage, JudgeOptions } from './app/judge-pages.ts';
export type { MergeOptions } from './app/merge-corpora.ts';
export {
  canonicalUrl,
  type ExtractedPage,
  type ExtractedText,
  type ExtractPageOptions,
  extract,
  type PageOptions,
  type ReadingOptions,
} from './app/page-in-memory.ts';
export type { Judgement, Model, ReadText } from './app/page-model.ts';
export type { ReadOptions } from './app/read-crawl.ts';
export type { RefetchLostOptions, RefetchLostReport } from './app/refetch-lost.ts';
export type { SearchOptions } from './app/search-corpus.ts';
export type { SharedModel, ShareModelOptions } from './app/shared-settings.ts';
export type { TrainOptions, TrainReport } from './app/train-from-pages.ts';
export {
  CrawlerError,
  DataError,
  EnvironmentError,
  type ErrorCode,
  type ForagerError,
  InvariantError,
  isForagerError,
  ModelError,
  StoreError,
  UsageError,
} from './core/errors.ts';
export type { ActionName, ActionOrigin, CrawlEvent, Emit, RunningVisit, VisitedPage, VisitStep } from './core/parts/crawl-events.ts';
export type { FrontierCounts } from './core/parts/queueing.ts';
export type { Explanation } from './core/parts/reading.ts';
export type { LinkExplanation } from './core/parts/scoring.ts';
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
export { VERSION } from './core/version.ts';
export type { YieldLimit } from './crawl/recent-yield.ts';
export type { Evaluation } from './eval/report.ts';
export type { BlockReason } from './extract/block-model.ts';
export type { BlockExplanation, BlockRule, ModelExplanation, PageExplanation } from './extract/explanation.ts';
export type { MainTextMethod } from './extract/text-methods.ts';
export type { TextParts } from './extract/text-parts.ts';
export type { ChangedPage, CorpusChange, CorpusDiff, OnePage, RefetchedPage } from './harvest/corpus-diff.ts';
export type { SearchAnswer, SearchHit } from './harvest/corpus-search.ts';
export type { FetchedList, FetchListOptions } from './input/fetch-list.ts';
export type { InputOptions } from './input/inputs.ts';
export type { SourcePage } from './input/source-page.ts';
export type { Cited, Example } from './inspect/citations.ts';
export type { Grounds } from './inspect/grounds.ts';
export type { CrawlLedgerLine, ToldRetry } from './inspect/ledger-lines.ts';
export type { RetriedHost } from './inspect/line-tally.ts';
export type { FollowedLinks, MeasuredLocality } from './inspect/locality.ts';
export type { Outlook } from './inspect/outlook.ts';
export type { ComparedOutlook, PastOutlooks } from './inspect/past-outlooks.ts';
export type { RecentFailures } from './inspect/recent-failures.ts';
export type { Room, RoomLeft } from './inspect/room-left.ts';
export type { CrawlStatus } from './inspect/status.ts';
export type { TopicYield } from './inspect/topic-yields.ts';
export type { Why } from './inspect/why.ts';
export type { FlippedPage, RelabelChanges, RelabelOptions } from './label/activate-model.ts';
export type { Agreement, AnswerPair, Disagreement, ModelAnswerFacts, SharedAnswers } from './label/judge/agreement.ts';
export type { JudgingProgress, JudgingReport } from './label/judge/judge-crawl.ts';
export type { MissingLabels } from './label/label-enough.ts';
export type { CrawlEstimate, ShareEstimate } from './label/label-estimate.ts';
export type { Answer } from './label/label-queue.ts';
export type { LabelCounts, Labelling, Question } from './label/labelling.ts';
export type { Asking, JudgingOptions, LabellingOptions } from './label/labelling-options.ts';
export type { PersonAgreement } from './label/person-agreement.ts';
export type { RelabelReport } from './label/retrain.ts';
export type { ImportReport } from './label/stored-import.ts';
export type { UndoReport } from './label/undo-retraining.ts';
export {
  compact,
  compareCorpora,
  crawl,
  evaluate,
  explainPages,
  exportLinkModel,
  extractPages,
  fetchList,
  findSeeds,
  freeze,
  gather,
  harvest,
  init,
  judgePages,
  ledger,
  mergeCorpora,
  openLabelling,
  openModel,
  readInput,
  records,
  refetchLost,
  repair,
  search,
  shareModel,
  status,
  train,
  verify,
  why,
  workers,
} from './library.ts';
export type { Strategy } from './links/strategies.ts';
export type { RepairOptions, RepairReport, RepairStep } from './repair/repair-crawl.ts';
export type { CheckResult, VerifyOptions, VerifyReport } from './repair/verify-crawl.ts';
export type { DiskLimits } from './settings/crawl-kinds.ts';
export type { LogLevel } from './settings/settings.ts';
export { wordsOf as tokens } from './text/tokens.ts';
export type { Doubt } from './topic/doubts.ts';
