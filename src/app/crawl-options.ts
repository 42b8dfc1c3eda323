/** What a crawl is asked for, and what it tells when it has ended. */
import type { OnDamaged } from '../core/errors.ts';
import type { FrontierCounts, RunningVisit } from '../core/parts.ts';
import type { Ms } from '../core/types.ts';
import type { StopReason } from '../crawl/crawl.ts';
import type { COMMANDS } from '../settings/commands.ts';
import type { OptionsOf } from '../settings/setting.ts';
import type { Environment } from '../text/written-file.ts';
import type { FailureCounts } from './failures.ts';
import type { Grounds } from './grounds.ts';
import type { SeedEnds } from './lost-seeds.ts';
import type { OperationsOptions } from './operations.ts';
import type { RevisitCounts } from './revisits.ts';
import type { TopicYield } from './topic-yields.ts';

type Settings = Omit<OptionsOf<typeof COMMANDS.crawl>, 'json' | 'skipDamaged'>;

/** What a crawl is asked for. A crawl directory that holds a crawl is resumed; a new crawl needs `topic` and `seeds`. */
export interface CrawlOptions extends Settings, OperationsOptions {
  /** What `${NAME}` stands for in the file of `hosts`. Default: nothing, so that such a value is an error. */
  readonly environment?: Environment;
  /** Told of damaged WARC records of pages that are asked for again: these are asked for as if for the first time. Without it they end the crawl. */
  readonly onDamaged?: OnDamaged;
  /** Told the state of the frontier when the crawl opens, a way to ask for it again, and the visits under way. */
  readonly onOpen?: (counts: () => FrontierCounts, resumed: boolean, visits: () => Iterable<RunningVisit>) => void;
}

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
