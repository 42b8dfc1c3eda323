/** The results of a crawl, counted as its URLs are settled: in one pass over a ledger, or one by one during a run. */

import { isListed } from '../../base/core/listed-links.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { EXCLUDED, reasonText, redirectIn, wordOf } from '../../base/core/reason.ts';
import type { RefusalCounts } from '../../base/core/refusal-words.ts';
import { shareOf } from '../../base/core/share.ts';
import type { EpochMs, Fate, FrontierEntry, Topic, Unit } from '../../base/core/types.ts';
import type { ExcludedPages } from '../../base/text/excluded-pages.ts';
import { isLoginPath } from '../../base/web/login-path.ts';
import { RecentYield } from '../../crawling/crawl/recent-yield.ts';
import { type CodeFailures, CodeFailureTally } from './code-failures.ts';
import { ExplorationCount, type ExploredYield } from './explored-yield.ts';
import { type FailureCounts, FailureTally } from './failure-counts.ts';
import { type LedgerVisitor, type SettledUrl, walkSettled } from './ledger-walk.ts';
import { LocalityCount, type MeasuredLocality } from './locality.ts';
import { type RecentFailures, RecentFailureTally } from './recent-failures.ts';
import { type RenderedPages, RenderingTally } from './rendering-tally.ts';
import { JudgedWindow, type LastJudged } from './saturation.ts';
import { type TopicYield, TopicYields } from './topic-yields.ts';

/** Number of visits for the recent yield; the same as in `--stop-yield 2%/500` of docs/guides/scope-and-limits.md. */
const RECENT_VISITS = 500;

/** The threshold and topics that judge pages. */
export interface Judges {
  readonly threshold: Unit;
  /** Topics of a crawl of several; empty for one topic. */
  readonly topics: readonly Topic[];
}

/** Figures from fates, by the active model. */
export interface FateCounts {
  /** On-topic visits divided by all visits; 0 before the first. Pages that were reopened since count on neither side. */
  readonly harvestRate: Unit;
  /** Results of each of several topics; [] if there is one. */
  readonly topics: readonly TopicYield[];
  /** URLs refused because they lead to loopback or private addresses. */
  readonly privateAddresses: number;
  /** Visits that failed, by cause, the most frequent first. */
  readonly failures: FailureCounts;
  /** Failures of hooks, of the judge and of the strategy of the user, by function and kind. */
  readonly codeFailures: CodeFailures;
  /** Pages that a browser rendered. */
  readonly rendered: RenderedPages;
  /** Refused URLs by reason, the most frequent first. */
  readonly refusals: RefusalCounts;
  /** Pages that only the NOT of a query or rule keeps off topic. */
  readonly excludedByNot: ExcludedPages;
  /** Kept pages that the corpus of `--since` has with another text. */
  readonly changed: number;
}

/** Counts fates alone: this suffices for the report of a crawl, at less cost than all of `Tally`. */
export class FateTally {
  readonly #threshold: Unit;
  readonly #topics: TopicYields;
  readonly #failures = new FailureTally();
  readonly #codeFailures = new CodeFailureTally();
  readonly #rendered = new RenderingTally();
  /** Does a URL redirect to the address of a login? */
  meetsLogin = false;
  /** Relevances of all judged pages. */
  readonly relevances: Unit[] = [];
  #visited = 0;
  #onTopic = 0;
  #excluded = 0;
  #changed = 0;
  readonly #refusals = new Map<string, number>();

  constructor({ threshold, topics }: Judges) {
    this.#threshold = threshold;
    this.#topics = new TopicYields(topics);
  }

  /** O(discovered URLs) for their refusals, in memory; one pass over the fates of the settled ones. */
  static of(ledger: Pick<Ledger, 'fates' | 'refusals'>, judges: Judges): FateTally {
    const tally = new FateTally(judges);
    for (const [reason, count] of ledger.refusals()) tally.#refused(reason, count);
    for (const fate of ledger.fates()) tally.add(fate);
    return tally;
  }

  add(fate: Fate): void {
    const { state, relevance, reason, visited } = fate;
    if (visited) this.#visited += 1;
    if (isOnTopic(relevance, this.#threshold)) this.#onTopic += 1;
    else if (reason === EXCLUDED) this.#excluded += 1;
    if (relevance !== null) this.relevances.push(relevance);
    if (fate.changed) this.#changed += 1;
    if (state === 'refused') this.#refused(wordOf(reason), 1);
    if (visited) this.#failures.add({ ...fate, reason: reasonText(reason) });
    this.#codeFailures.add(fate);
    this.#rendered.add(fate);
    this.meetsLogin ||= isLoginPath(redirectIn(reason) ?? '');
    this.#topics.add(fate);
  }

  counts(): FateCounts {
    return {
      harvestRate: shareOf(this.#onTopic, this.#visited),
      topics: this.#topics.measured(),
      privateAddresses: this.#refusals.get('private-address') ?? 0,
      refusals: Object.fromEntries([...this.#refusals].sort(([, a], [, b]) => b - a)),
      failures: this.#failures.counts(),
      codeFailures: this.#codeFailures.counts(),
      rendered: this.#rendered.counts(),
      changed: this.#changed,
      excludedByNot: { pages: this.#excluded, of: this.#excluded + this.#onTopic },
    };
  }

  #refused(reason: string, count: number): void {
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + count);
  }
}

/** Figures from settled URLs. */
export interface TallyCounts extends FateCounts {
  /** Pages in the corpus that are off topic by the active model. */
  readonly keptOffTopic: number;
  /** Kept pages that were reached through at least one off-topic page. */
  readonly tunnelled: number;
  /** On-topic visits among the last 500, or among all if there were fewer. */
  readonly recent: { readonly visits: number; readonly onTopic: number };
  readonly locality: MeasuredLocality;
  /** null without random visits. */
  readonly explored: ExploredYield | null;
}

/** Counts settled URLs with the links that led to them, in order of settlement. Each is added once, from a ledger or when it is settled. */
export class Tally implements LedgerVisitor {
  readonly #threshold: Unit;
  readonly fates: FateTally;
  readonly #recent: RecentYield;
  readonly #judged: JudgedWindow;
  readonly #failures = new RecentFailureTally();
  readonly #locality: LocalityCount;
  readonly #exploration: ExplorationCount;
  #keptOffTopic = 0;
  #tunnelled = 0;

  constructor(judges: Judges) {
    this.#threshold = judges.threshold;
    this.fates = new FateTally(judges);
    this.#recent = new RecentYield(RECENT_VISITS, judges.threshold);
    this.#judged = new JudgedWindow(judges.threshold);
    this.#locality = new LocalityCount(judges.threshold);
    this.#exploration = new ExplorationCount(judges.threshold);
  }

  /** O(settled URLs): one pass over them. */
  static of(ledger: Pick<Ledger, 'settled'>, judges: Judges): Tally {
    const tally = new Tally(judges);
    walkSettled(ledger, [tally]);
    return tally;
  }

  settled({ entry, fate }: SettledUrl): void {
    this.fates.add(fate);
    this.#recent.add(fate);
    this.#failures.add({ ...fate, reason: reasonText(fate.reason) });
    this.#judged.add(fate.relevance);
    this.#locality.add(entry, fate);
    this.#exploration.add(entry, fate);
    if (fate.state === 'kept') this.#keep(entry, fate);
  }

  counts(): TallyCounts {
    const { visits, onTopic } = this.#recent;
    return {
      ...this.fates.counts(),
      keptOffTopic: this.#keptOffTopic,
      tunnelled: this.#tunnelled,
      recent: { visits, onTopic },
      locality: this.#locality.measured(),
      explored: this.#exploration.measured(),
    };
  }

  get lastJudged(): LastJudged {
    return this.#judged.last;
  }

  /** @param now null for a crawl at rest */
  recentFailures(now: EpochMs | null): RecentFailures {
    return this.#failures.recent(now);
  }

  #keep({ offTopicDepth, edge }: FrontierEntry, { relevance }: Fate): void {
    if (offTopicDepth > 0 && !(edge && isListed(edge.link))) this.#tunnelled += 1;
    if (relevance !== null && !isOnTopic(relevance, this.#threshold)) this.#keptOffTopic += 1;
  }
}
