/** What a crawl is asked for, and what it tells when it has ended. */

import type { OnDamaged } from '../core/errors.ts';
import type { RunningVisit } from '../core/parts/crawl-events.ts';
import type { FrontierCounts } from '../core/parts/queueing.ts';
import type { Ms } from '../core/types.ts';
import type { StopReason } from '../crawl/loop.ts';
import type { CrawlSettings } from '../crawl-dir/crawl-settings.ts';
import type { FailureCounts } from '../inspect/failure-counts.ts';
import type { Grounds } from '../inspect/grounds.ts';
import type { SeedEnds } from '../inspect/lost-seeds.ts';
import type { RevisitCounts } from '../inspect/revisit-counts.ts';
import type { TopicYield } from '../inspect/topic-yields.ts';
import type { OperationsOptions } from '../monitor/operations.ts';
import { type OptionTable, without } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { anObject, call, signal } from '../settings/kinds.ts';
import type { Environment } from '../text/written-file.ts';

/** What a crawl is asked for. A crawl directory that holds a crawl is resumed; a new crawl needs `topic` and `seeds`. */
export interface CrawlOptions extends CrawlSettings, OperationsOptions {
  /** What `${NAME}` stands for in the file of `hosts`. Default: nothing, so that such a value is an error. */
  readonly environment?: Environment;
  /** Told of damaged WARC records of pages that are asked for again: these are asked for as if for the first time. Without it they end the crawl. */
  readonly onDamaged?: OnDamaged;
  /** Asked before each request for a page, and again each second while it answers false: no request begins meanwhile. Must return at once. Default: always true. */
  readonly mayFetch?: () => boolean;
  /** Told the state of the frontier when the crawl opens, a way to ask for it again, and the visits under way. */
  readonly onOpen?: (counts: () => FrontierCounts, resumed: boolean, visits: () => Iterable<RunningVisit>) => void;
}

export const CRAWL: OptionTable<CrawlOptions> = {
  ...without(checksOf(COMMANDS.crawl), 'json', 'skipDamaged'),
  environment: anObject('texts'),
  mayFetch: call,
  onOpen: call,
  onMetrics: call,
  onEvent: call,
  onDamaged: call,
  signal,
};

export interface CrawlReport extends SeedEnds, Grounds {
  readonly dir: string;
  readonly stopReason: StopReason;
  readonly resumed: boolean;
  readonly counts: FrontierCounts;
  /** By the model, and meaningless where there are `doubts`: on-topic visits / visits: pages kept, kept elsewhere already (duplicates) or not kept for `noindex`, of all visited. After `relabel`, as its model sees them. */
  readonly harvestRate: number;
  /** What each of several topics came to; empty where there is one. */
  readonly topics: readonly TopicYield[];
  /** What kept pages that this run asked for again were found to be; {} where it asked for none. */
  readonly revisited: RevisitCounts;
  /** URLs refused because they lead to loopback or private addresses. */
  readonly privateAddresses: number;
  /** Failed URLs by what came of asking for them, e.g. `HTTP 404`, `timeout`; most first. */
  readonly failures: FailureCounts;
  readonly ms: Ms;
}
