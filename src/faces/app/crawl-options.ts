/** The options of a crawl, and its report at the end. */

import type { OnDamaged } from '../../base/core/errors.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import type { RefusalCounts } from '../../base/core/refusal-words.ts';
import type { RenderChoice } from '../../base/core/rendering.ts';
import type { Ms } from '../../base/core/types.ts';
import type { ExcludedPages } from '../../base/text/excluded-pages.ts';
import type { Environment } from '../../base/text/written-file.ts';
import type { S3Credentials } from '../../corpus/object-store/aws-signature.ts';
import type { StopReason } from '../../crawling/crawl/loop.ts';
import type { CrawlSettings } from '../../crawling/crawl-dir/crawl-settings.ts';
import type { OperationsOptions } from '../../crawling/monitor/operations.ts';
import { type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { anObject, call, secret, signal } from '../../crawling/settings/kinds.ts';
import type { CodeFailures } from '../../study/inspect/code-failures.ts';
import type { FailureCounts } from '../../study/inspect/failure-counts.ts';
import type { Grounds, TopicLabels } from '../../study/inspect/grounds.ts';
import type { KnownRecall } from '../../study/inspect/known-recall.ts';
import type { SeedEnds } from '../../study/inspect/lost-seeds.ts';
import type { RefusedDocuments } from '../../study/inspect/refused-documents.ts';
import type { RenderedPages } from '../../study/inspect/rendering-tally.ts';
import type { RevisitCounts } from '../../study/inspect/revisit-counts.ts';
import type { RoundFacts } from '../../study/inspect/round-facts.ts';
import type { Saturation } from '../../study/inspect/saturation.ts';
import type { SinceCounts } from '../../study/inspect/since-counts.ts';
import type { SinkFacts } from '../../study/inspect/sink-facts.ts';
import type { TopicYield } from '../../study/inspect/topic-yields.ts';
import type { WalledHost } from '../../study/inspect/wall-tally.ts';
import type { CrawlHandle, OnOpen } from './crawl-handle.ts';
import type { ReplaceParts } from './replaced-parts.ts';

/** Options of a crawl. If the crawl directory holds a crawl, it is resumed; a new crawl needs `topic` and `seeds`. */
export interface CrawlOptions extends CrawlSettings, OperationsOptions {
  /** Values for `${NAME}` in the file of `hosts`. Default: none, so such a value is an error. */
  readonly environment?: Environment;
  /** Credentials for `corpusBucket`. They are stored nowhere, and no message has them. */
  readonly s3Credentials?: S3Credentials;
  /** Receives damaged WARC records of pages to revisit; the crawl requests these pages as if for the first time. Without it, damage ends the crawl. */
  readonly onDamaged?: OnDamaged;
  /** Called before each request for a page, and each second while it returns false: no request starts meanwhile. Must return at once. Default: always true. */
  readonly mayFetch?: () => boolean;
  /** Receives the handle of the crawl when it begins to visit. */
  readonly onStart?: (crawl: CrawlHandle) => void;
  /** Name of `onStart` in 0.2, until 0.4: receives the members of the handle one by one. @deprecated use `onStart` */
  readonly onOpen?: OnOpen;
}

/** Options of a crawl with parts of a program: see `crawlWith` of forager/parts. */
export interface ReplacedCrawlOptions extends CrawlOptions {
  readonly replaceParts?: ReplaceParts;
}

export const CRAWL: OptionTable<CrawlOptions> = {
  ...without(checksOf(COMMANDS.crawl), 'json', 'skipDamaged', 'page'),
  environment: anObject('texts'),
  s3Credentials: secret,
  mayFetch: call,
  monitor: anObject('values'),
  onStart: call,
  onOpen: call,
  onMetrics: call,
  onEvent: call,
  onDamaged: call,
  signal,
};

/** Facts of this worker in a crawl on several machines. */
export interface WorkerReport {
  /** The address of the crawl, as `at`. */
  readonly at: string;
  /** URLs that this worker visited in this run. */
  readonly visited: number;
  /** URLs that all workers have visited. */
  readonly visitedByAll: number;
}

/** Result of a crawl. With a `worker`, counts and seeds are of the hosts that this worker had. */
export interface CrawlReport extends SeedEnds, Grounds {
  readonly dir: string;
  readonly stopReason: StopReason;
  readonly resumed: boolean;
  readonly counts: FrontierCounts;
  /** On-topic visits (kept pages, duplicates, pages not kept for `noindex`) divided by visits, by the active model. Meaningless if there are `doubts`. */
  readonly harvestRate: number;
  /** Results of each of several topics, with the facts from its labels; empty if there is one. */
  readonly topics: readonly (TopicYield & TopicLabels)[];
  /** Results of this run's revisits; {} if there were none. */
  readonly revisited: RevisitCounts;
  /** Questions of `--ask` without an answer. */
  readonly questions: number;
  /** The round of a crawl by rounds; null for a crawl without rounds. */
  readonly round: RoundFacts | null;
  /** The pages, compared with the corpus of `since`; null without one. */
  readonly since: SinceCounts | null;
  /** Kept records that the sink has, and those that wait for it; null without a sink. */
  readonly sink: SinkFacts | null;
  /** Signs that the model no longer distinguishes pages, from those that this run judged; null without them, and if the precision is measured. */
  readonly saturation: Saturation | null;
  /** Recall by the known pages; null without any. */
  readonly recall: KnownRecall | null;
  /** URLs refused because they lead to loopback or private addresses. */
  readonly privateAddresses: number;
  /** Visits that failed, by cause, e.g. `HTTP 404`, `timeout`; the most frequent first. */
  readonly failures: FailureCounts;
  /** Failures of hooks, of the judge and of the strategy of the user, by function and kind, e.g. `onLinks threw`: numbers of pages. */
  readonly codeFailures: CodeFailures;
  /** The choice of `--render`. */
  readonly render: RenderChoice;
  /** Pages that a browser rendered. */
  readonly rendered: RenderedPages;
  /** Refused URLs by reason; the most frequent first. */
  readonly refusals: RefusalCounts;
  /** Pages that only the NOT of a query or rule keeps off topic. */
  readonly excludedByNot: ExcludedPages;
  /** Hosts with walls in place of pages, those with most first. */
  readonly walls: readonly WalledHost[];
  /** Documents that the crawl refused: of kinds that it does not read, or without text. */
  readonly documents: RefusedDocuments;
  readonly ms: Ms;
  /** Absent in a crawl of one machine. */
  readonly worker?: WorkerReport;
}
