/** What a crawl may still find: the next pages, guessed from the last ones and from what waits. */
import { isOnTopic } from '../core/on-topic.ts';
import type { Fate, FrontierEntry, LedgerLine, Unit } from '../core/types.ts';
import { waits } from './ledger-lines.ts';
import { calibratePriorities } from './priority-calibration.ts';

/** A prediction. */
export interface Outlook {
  /** Visits it is about; fewer are made where the frontier drains before. */
  readonly requests: number;
  /** On-topic pages to expect of them. */
  readonly onTopic: number;
  /** What came of most measured predictions lay between these, see `ERROR`; on webs that nothing was chosen on, of 66 measured 59. */
  readonly low: number;
  readonly high: number;
}

const REQUESTS = 1000;
/** Visits that say how the crawl does now. Over 250 or 500 errors were alike; fewer follow a turn sooner. */
export const RECENT_VISITS = 250;
/** With fewer visits there is nothing to go by. */
const LEAST_VISITS = 100;
/** A link found on the way can be followed in what is left of the way: half of it, on average. */
const TIME_LEFT = 0.5;
/** The 5th and 95th percentiles of how far the log-odds of what came lay from those predicted, on the topics `npm run bench -- focus` keeps for choosing. */
const ERROR = { low: -1.7, high: 0.9 } as const;
/** Pages added on either side before odds are taken, so that none and all have some. */
const SMOOTHING = 5;

interface Visited {
  readonly entry: FrontierEntry;
  readonly onTopic: boolean;
}

/**
 * How many of the next 1,000 visits will be on topic. Give it all settled URLs, then each line of the ledger.
 *
 * The last 250 visits tell what a priority is worth (`calibratePriorities`), and how many links of which priorities a visit brings: those found
 * on pages read in these visits, followed already or waiting. What waits, and half as many finds as the next 1,000 visits would bring at that
 * rate, are put in order of their worth; the prediction is the sum over the first 1,000.
 *
 * It takes the web that is left to be like that of the last visits, so it comes too high where a topic runs out: nobody sees that coming. On the
 * webs of `npm run bench -- outlook` it was off by 161 pages of 1,000 on average, mostly too high; the yield of the last 500 visits by 182.
 */
export class Prospect {
  readonly #visits: readonly Visited[];
  readonly #recentPages: ReadonlySet<string>;
  readonly #waiting: number[] = [];
  /** Of links found lately. */
  readonly #found: number[] = [];

  /** @param settled in order of settlement */
  constructor(settled: Iterable<{ readonly entry: FrontierEntry; readonly fate: Fate }>, threshold: Unit) {
    const visits: Visited[] = [];
    for (const { entry, fate } of settled) if (fate.visited) visits.push({ entry, onTopic: isOnTopic(fate.relevance, threshold) });
    this.#visits = visits.slice(-RECENT_VISITS);
    this.#recentPages = new Set(this.#visits.map(({ entry }) => entry.url));
    for (const { entry } of this.#visits) this.#find(entry.priority, entry.edge?.referrer.url ?? null);
  }

  /** A discovered URL: it counts where it waits. */
  add({ state, priority, referrer }: Pick<LedgerLine, 'state' | 'priority' | 'referrer'>): void {
    if (!waits(state) && state !== 'not-reached') return;
    this.#waiting.push(priority);
    this.#find(priority, referrer);
  }

  /** null before 100 visits. O(waiting URLs). */
  outlook(): Outlook | null {
    if (this.#visits.length < LEAST_VISITS) return null;
    const followed = this.#visits.filter(({ entry }) => entry.edge !== null);
    const worth = calibratePriorities(followed.map(({ entry, onTopic }) => ({ priority: entry.priority, onTopic })));
    const each = (TIME_LEFT * REQUESTS) / this.#visits.length;
    const pool = [...best(this.#waiting, 1), ...best(this.#found, each)].sort((a, b) => b.priority - a.priority);
    let [left, onTopic]: [number, number] = [REQUESTS, 0];
    for (const { priority, count } of pool) {
      const taken = Math.min(left, count);
      left -= taken;
      onTopic += taken * worth(priority);
    }
    return { requests: REQUESTS, onTopic: Math.round(onTopic), low: moved(onTopic, ERROR.low), high: moved(onTopic, ERROR.high) };
  }

  #find(priority: Unit, referrer: string | null): void {
    if (referrer !== null && this.#recentPages.has(referrer)) this.#found.push(priority);
  }
}

/** As many of the best as can matter, each standing for `count` links. */
function best(priorities: readonly number[], count: number): { readonly priority: Unit; readonly count: number }[] {
  const falling = Float64Array.from(priorities).sort().reverse();
  return Array.from(falling.subarray(0, Math.ceil(REQUESTS / count)), (priority) => ({ priority, count }));
}

/** A number of pages with its log-odds moved. */
function moved(pages: number, by: number): number {
  const odds = Math.exp(Math.log((pages + SMOOTHING) / (REQUESTS - pages + SMOOTHING)) + by);
  const share = odds / (1 + odds);
  return Math.round(Math.min(REQUESTS, Math.max(0, (REQUESTS + 2 * SMOOTHING) * share - SMOOTHING)));
}
