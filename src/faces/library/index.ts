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
} from '../../base/core/errors.ts';
export type {
  ActionName,
  ActionOrigin,
  CrawlEvent,
  Emit,
  RunningVisit,
  VisitedPage,
  VisitStep,
} from '../../base/core/parts/crawl-events.ts';
export type { FrontierCounts } from '../../base/core/parts/queueing.ts';
export type { Explanation } from '../../base/core/parts/reading.ts';
export type { LinkExplanation } from '../../base/core/parts/scoring.ts';
export type {
  Alternate,
  CanonicalUrl,
  CorpusRecord,
  Edge,
  Extraction,
  LedgerLine,
  OfferAvailability,
  OfferCondition,
  Outlink,
  PageFields,
  PageMetadata,
  PageProduct,
  Post,
  ProductOffer,
  ProductProperty,
  ProductSource,
  TextSource,
  Topic,
  TopicJudgement,
} from '../../base/core/types.ts';
export { VERSION } from '../../base/core/version.ts';
export { takeOverLocks } from '../../base/disk/take-over.ts';
export { wordsOf as tokens } from '../../base/text/tokens.ts';
export type { ChangedPage, CorpusChange, CorpusDiff, OnePage, RefetchedPage } from '../../corpus/search/corpus-diff.ts';
export type { SearchAnswer, SearchHit } from '../../corpus/search/corpus-search.ts';
export type { YieldLimit } from '../../crawling/crawl/recent-yield.ts';
export type { FetchedList, FetchListOptions } from '../../crawling/input/fetch-list.ts';
export type { InputOptions } from '../../crawling/input/inputs.ts';
export type { SourcePage } from '../../crawling/input/source-page.ts';
export type { DiskLimits } from '../../crawling/settings/crawl-kinds.ts';
export type { LogLevel } from '../../crawling/settings/settings.ts';
export type { BlockReason } from '../../reading/extract/block-model.ts';
export type { BlockExplanation, BlockRule, ModelExplanation, PageExplanation } from '../../reading/extract/explanation.ts';
export type { MainTextMethod } from '../../reading/extract/text-method-names.ts';
export type { TextParts } from '../../reading/extract/text-parts.ts';
export type { Strategy } from '../../reading/links/strategy-names.ts';
export type { Doubt } from '../../reading/topic/doubts.ts';
export type { SuggestedQuery } from '../../reading/topic/query-suggestions.ts';
export type { Evaluation } from '../../study/eval/report.ts';
export type { Cited, Example } from '../../study/inspect/citations.ts';
export type { Grounds } from '../../study/inspect/grounds.ts';
export type { CrawlLedgerLine, LedgerRetry } from '../../study/inspect/ledger-lines.ts';
export type { RetriedHost } from '../../study/inspect/line-tally.ts';
export type { FollowedLinks, MeasuredLocality } from '../../study/inspect/locality.ts';
export type { Outlook } from '../../study/inspect/outlook.ts';
export type {
  HistoryAbsence,
  HistoryEntry,
  HistoryVersion,
  PageHistory,
  VersionDiff,
  VersionPlace,
} from '../../study/inspect/page-history.ts';
export type { ComparedOutlook, PastOutlooks } from '../../study/inspect/past-outlooks.ts';
export type { RecentFailures } from '../../study/inspect/recent-failures.ts';
export type { Room, RoomLeft } from '../../study/inspect/resources-left.ts';
export type { CrawlStatus } from '../../study/inspect/status.ts';
export type { TopicYield } from '../../study/inspect/topic-yields.ts';
export type { Why } from '../../study/inspect/why.ts';
export type { FlippedPage, RelabelChanges, RelabelOptions } from '../../study/label/activate-model.ts';
export type { CoderDisagreement } from '../../study/label/coder-answers.ts';
export type { Agreement, AnswerPair, Disagreement, ModelAnswerFacts, SharedAnswers } from '../../study/label/judge/agreement.ts';
export type { JudgingProgress, JudgingReport } from '../../study/label/judge/judge-crawl.ts';
export type { MissingLabels } from '../../study/label/label-enough.ts';
export type { CrawlEstimate, ShareEstimate } from '../../study/label/label-estimate.ts';
export type { Answer } from '../../study/label/label-queue.ts';
export type { Asking, JudgingOptions, LabellingOptions } from '../../study/label/labelling-options.ts';
export type { Question } from '../../study/label/page-questions.ts';
export type { CoderAgreement, PersonAgreement } from '../../study/label/person-agreement.ts';
export type { RelabelReport } from '../../study/label/retrain.ts';
export type { LabelCounts } from '../../study/label/stored-answers.ts';
export type { ImportReport } from '../../study/label/stored-import.ts';
export type { UndoReport } from '../../study/label/undo-retraining.ts';
export type { RepairOptions, RepairReport, RepairStep } from '../../study/repair/repair-crawl.ts';
export type { CheckResult, VerifyOptions, VerifyReport } from '../../study/repair/verify-crawl.ts';
export type { CompactReport } from '../app/compact-crawl.ts';
export type { CompareOptions } from '../app/compare-corpora.ts';
export type { EvalOptions, EvalReport } from '../app/compare-strategies.ts';
export type { BiasOptions, CorpusBias, NamedGap } from '../app/corpus-bias.ts';
export type { RightsOptions, RightsReport } from '../app/corpus-rights.ts';
export type { CrawlHandle, CrawlNeeds } from '../app/crawl-handle.ts';
export type { CrawlOptions, CrawlReport } from '../app/crawl-options.ts';
export type { CrawlRun } from '../app/crawl-run.ts';
export type { StabilityOptions, StabilityReport } from '../app/crawl-stability.ts';
export type { SubtopicsOptions, SubtopicsReport } from '../app/crawl-subtopics.ts';
export type { WorkerFacts, WorkersOptions, WorkersReport } from '../app/crawl-workers.ts';
export type { DrawKnownOptions, KnownCounts, KnownDraw, KnownQuestion } from '../app/draw-known.ts';
export type { LinkModelOptions, LinkModelReport } from '../app/export-link-model.ts';
export type { ExplainedPage, ExplainOptions, ExtractOptions } from '../app/extract-pages.ts';
export type { CitedHost, CitedPage, FindSeedsOptions, FoundSeeds } from '../app/find-seeds.ts';
export type { FreezeOptions, FreezeReport } from '../app/freeze-crawl.ts';
export type { GatheredCorpus, GatherOptions, GatherReport } from '../app/gather-crawl.ts';
export type { HarvestOptions } from '../app/harvest-crawl.ts';
export type { HuntOptions, HuntReport } from '../app/hunt-keyword.ts';
export type { ExamplesFound, InitOptions, InitReport, SeedHost } from '../app/init-project.ts';
export type { JudgedPage, JudgeOptions } from '../app/judge-pages.ts';
export type { UrlsOfPage } from '../app/list-page-urls.ts';
export type { MergeOptions } from '../app/merge-corpora.ts';
export {
  canonicalUrl,
  type ExtractedPage,
  type ExtractedText,
  type ExtractPageOptions,
  extract,
  type PageOptions,
  type ReadingOptions,
} from '../app/page-in-memory.ts';
export type { Judgement, Model, ReadText } from '../app/page-model.ts';
export type { RankedPage, RankedSeeds, RankSeedsOptions, ReadSource } from '../app/rank-seeds.ts';
export type { ReadOptions } from '../app/read-crawl.ts';
export type { RefetchLostOptions, RefetchLostReport } from '../app/refetch-lost.ts';
export type { RepeatedSearch, RepeatedSearches, RepeatSearchesOptions } from '../app/repeat-searches.ts';
export type { SearchOptions } from '../app/search-corpus.ts';
export type { FoundResult, SearchedSeeds, SearchSeedsOptions } from '../app/search-seeds.ts';
export type { RankedHost } from '../app/seed-ranking.ts';
export type { SentencePairsOptions } from '../app/sentence-pairs.ts';
export type { SharedModel, ShareModelOptions } from '../app/shared-settings.ts';
export type { Steering, SteerOptions } from '../app/steer-crawl.ts';
export type { TrainOptions, TrainReport } from '../app/train-from-pages.ts';
export type { WithdrawOptions, WithdrawReport } from '../app/withdraw-pages.ts';
export type { Labelling } from './labelling.ts';
export {
  compact,
  compareCorpora,
  corpusBias,
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
  huntKeyword,
  init,
  judgePages,
  ledger,
  listPageUrls,
  mergeCorpora,
  openKnownDraw,
  openLabelling,
  openModel,
  pageHistory,
  rankSeeds,
  readInput,
  records,
  refetchLost,
  repair,
  repeatSearches,
  search,
  searchSeeds,
  sentencePairs,
  shareModel,
  stability,
  statedRights,
  status,
  steer,
  subtopics,
  suggestedQueries,
  train,
  verify,
  versionDiff,
  why,
  withdraw,
  workers,
} from './library.ts';
