/** Failures of the last ten minutes of a crawl: the trouble of now, not of a week ago. */
import { isoTime } from '../../base/core/clock.ts';
import type { EpochMs, Fate, IsoTime, Ms } from '../../base/core/types.ts';
import { type FailedEnd, type FailureCounts, FailureTally } from './failure-counts.ts';

/** Long enough for some hundred requests of a polite crawl, short enough to show whether trouble has ended. */
const RECENT: Ms = 600_000;

export interface RecentFailures {
  /** Ends of these ten minutes: the time of the count if the crawl runs, otherwise the last request. null before the first request. */
  readonly until: IsoTime | null;
  /** Failed URLs by cause, the most frequent first. */
  readonly counts: FailureCounts;
}

interface DatedEnd {
  readonly at: EpochMs;
  readonly end: FailedEnd;
}

/** Add all ends in order of settlement. Holds those of ten minutes. */
export class RecentFailureTally {
  readonly #ends: DatedEnd[] = [];
  #newest: EpochMs | null = null;

  add(end: FailedEnd & Pick<Fate, 'fetchedAt'>): void {
    const at = end.fetchedAt;
    if (at === null) return;
    this.#newest = Math.max(this.#newest ?? at, at);
    if (end.state === 'failed') this.#ends.push({ at, end });
    while (this.#ends[0] !== undefined && this.#ends[0].at <= this.#newest - RECENT) this.#ends.shift();
  }

  /** @param now null for a crawl at rest */
  recent(now: EpochMs | null): RecentFailures {
    const until = now ?? this.#newest;
    const tally = new FailureTally();
    if (until === null) return { until, counts: tally.counts() };
    for (const { at, end } of this.#ends) if (at > until - RECENT) tally.add(end);
    return { until: isoTime(until), counts: tally.counts() };
  }
}
