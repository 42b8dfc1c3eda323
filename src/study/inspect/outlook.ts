/** A forecast of the pages that a crawl may still find, from the last visits and the waiting URLs. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { FrontierEntry, Unit } from '../../base/core/types.ts';
import type { Doubt } from '../../reading/topic/doubts.ts';
import { Highest } from './highest.ts';
import { type CrawlLedgerLine, waits } from './ledger-lines.ts';
import type { LedgerVisitor, PlainLines, SettledUrl } from './ledger-walk.ts';
import { calibratePriorities } from './priority-calibration.ts';

/** A forecast. */
export interface Outlook {
  /** Number of visits that it is about; a drained frontier ends earlier. */
  readonly requests: number;
  /** Expected on-topic pages among them. */
  readonly onTopic: number;
  /** Most measured outcomes were between these two, see `ERROR`: 59 of 66 on webs that were not used to choose the method. */
  readonly low: number;
  readonly high: number;
}

/**
 * The forecast as a person may see it. `doubted`: the model's own figures are known to mean nothing, so it would mislead; null before 100 visits. Every
 * output asks this function.
 */
export function shownOutlook({
  outlook,
  doubts,
}: {
  readonly outlook: Outlook | null;
  readonly doubts: readonly Doubt[];
}): Outlook | 'doubted' | null {
  return doubts.length > 0 ? 'doubted' : outlook;
}

const REQUESTS = 1000;
/** Visits that show the current state of the crawl. With 250 and 500, errors were alike; with fewer visits the forecast reacts sooner to a turn. */
export const RECENT_VISITS = 250;
/** Least number of visits for a forecast. */
export const LEAST_VISITS = 100;
/** A link found during these visits can only be followed in the rest of them: half, on average. */
const TIME_LEFT = 0.5;
/** 5th and 95th percentiles of log-odds of outcome minus log-odds of forecast, on the topics that `npm run bench -- focus` keeps for choosing. */
const ERROR = { low: -1.7, high: 0.9 } as const;
/** Pages added on both sides before odds are taken, so that none and all have finite odds. */
const SMOOTHING = 5;

interface Visited {
  readonly entry: FrontierEntry;
  readonly onTopic: boolean;
}

/**
 * Forecast of the number of on-topic pages among the next 1,000 visits, from all settled URLs and then each line of the ledger.
 *
 * The last 250 visits show how priorities relate to outcomes (`calibratePriorities`), and how many links of each priority a visit brings:
 * links that these visits found, followed or waiting. The waiting links, and half of the links that the next 1,000 visits would find at
 * that rate, are sorted by their probability. The forecast is the sum over the first 1,000.
 *
 * It assumes that the rest of the web is like the last visits. It cannot see that a topic is about to run out, and is too high then. On the
 * webs of `npm run bench -- outlook` it was off by 161 pages of 1,000 on average, mostly too high; the yield of the last 500 visits by 182.
 */
export class Prospect implements LedgerVisitor {
  readonly #threshold: Unit;
  /** The last visits, and at most as many before them. */
  readonly #last: SettledUrl[] = [];
  /** URLs of the last visits; null before the first line. */
  #recentPages: ReadonlySet<string> | null = null;
  /** The best waiting links: no other can matter. */
  readonly #waiting = new Highest(REQUESTS);
  /** Priorities of recently found links. */
  readonly #found: number[] = [];

  constructor(threshold: Unit) {
    this.#threshold = threshold;
  }

  /** Copy of the visits: a line for it does not change these. */
  copy(): Prospect {
    const copy = new Prospect(this.#threshold);
    copy.#last.push(...this.#last);
    return copy;
  }

  settled(one: SettledUrl): void {
    if (!one.fate.visited) return;
    this.#last.push(one);
    if (this.#last.length === 2 * RECENT_VISITS) this.#last.splice(0, RECENT_VISITS);
  }

  line({ state, priority, referrer }: Pick<CrawlLedgerLine, 'state' | 'priority' | 'referrer'>): void {
    if (!waits(state)) return;
    this.#waiting.offer(priority, 0);
    this.#find(priority, referrer, this.#found);
  }

  plain({ size, kinds, kindOf, priorities, discoveries, discoveriesOn }: PlainLines): void {
    const recent = discoveriesOn(this.#pages);
    const isWaiting = kinds.map(({ state }) => waits(state));
    for (let i = 0; i < size; i++) {
      if (!isWaiting[kindOf[i] ?? 0]) continue;
      const priority = priorities[i] ?? 0;
      this.#waiting.offer(priority, 0);
      if (recent.has(discoveries[i] ?? 0)) this.#found.push(priority);
    }
  }

  /** null before 100 visits. O(waiting URLs). */
  outlook(): Outlook | null {
    const visits = this.#visits();
    if (visits.length < LEAST_VISITS) return null;
    const followed = visits.filter(({ entry }) => entry.edge !== null);
    const worth = calibratePriorities(followed.map(({ entry, onTopic }) => ({ priority: entry.priority, onTopic })));
    const found = [...this.#found];
    for (const { entry } of visits) this.#find(entry.priority, entry.edge?.referrer.url ?? null, found);
    const each = (TIME_LEFT * REQUESTS) / visits.length;
    const waiting = this.#waiting.values().map(({ value }) => value);
    const pool = [...best(waiting, 1), ...best(found, each)].sort((a, b) => b.priority - a.priority);
    let [left, onTopic]: [number, number] = [REQUESTS, 0];
    for (const { priority, count } of pool) {
      const taken = Math.min(left, count);
      left -= taken;
      onTopic += taken * worth(priority);
    }
    return { requests: REQUESTS, onTopic: Math.round(onTopic), low: moved(onTopic, ERROR.low), high: moved(onTopic, ERROR.high) };
  }

  #visits(): Visited[] {
    return this.#last.slice(-RECENT_VISITS).map(({ entry, fate }) => ({ entry, onTopic: isOnTopic(fate.relevance, this.#threshold) }));
  }

  get #pages(): ReadonlySet<string> {
    this.#recentPages ??= new Set(this.#visits().map(({ entry }) => entry.url));
    return this.#recentPages;
  }

  #find(priority: Unit, referrer: string | null, found: number[]): void {
    if (referrer !== null && this.#pages.has(referrer)) found.push(priority);
  }
}

/** The best priorities, as many as can matter; each represents `count` links. */
function best(priorities: readonly number[], count: number): { readonly priority: Unit; readonly count: number }[] {
  const falling = Float64Array.from(priorities).sort().reverse();
  return Array.from(falling.subarray(0, Math.ceil(REQUESTS / count)), (priority) => ({ priority, count }));
}

/** A number of pages after its log-odds are moved. */
function moved(pages: number, by: number): number {
  const odds = Math.exp(Math.log((pages + SMOOTHING) / (REQUESTS - pages + SMOOTHING)) + by);
  const share = odds / (1 + odds);
  return Math.round(Math.min(REQUESTS, Math.max(0, (REQUESTS + 2 * SMOOTHING) * share - SMOOTHING)));
}
