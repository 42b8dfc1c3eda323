/** Orders of visits to compare: one for all pages alike, those of known rates, two from the literature, and ours. */

import type { RefreshTarget } from '../../../src/base/core/refresh-plan.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { type ChangeRate, knownRateIndex } from '../../../src/crawling/revisits/age-index.ts';
import { type ChangeEvidence, DAY, withAnswer } from '../../../src/crawling/revisits/change-evidence.ts';
import { RefreshOrder } from '../../../src/crawling/revisits/refresh-order.ts';
import { refreshPattern } from '../../../src/crawling/revisits/refresh-pattern.ts';
import type { ChangingPage, RefreshPolicy, ReplayedVisit } from './replay.ts';

/** Counts of the visits of a page. */
class PageTally {
  seenAt: number;
  visits = 0;
  changed = 0;
  days = 0;

  constructor(at: number) {
    this.seenAt = at;
  }

  add({ at, seenAt, changed }: ReplayedVisit): void {
    this.seenAt = at;
    this.visits++;
    this.changed += changed ? 1 : 0;
    this.days += at - seenAt;
  }
}

/** The pages of the highest score, by their tallies and the days since their last visit. */
function byScore(score: (tally: PageTally, days: number, page: number) => number): RefreshPolicy {
  const tallies = new Map<number, PageTally>();
  return {
    appear: (page, at) => void tallies.set(page, new PageTally(at)),
    visited: (page, visit) => tallies.get(page)?.add(visit),
    best: (at, count) =>
      [...tallies]
        .map(([page, tally]) => [page, score(tally, at - tally.seenAt, page)] as const)
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, count)
        .map(([page]) => page),
  };
}

/** Every page at the same interval: round robin. */
export const uniform = (): RefreshPolicy => byScore((_, days) => days);

/** The index of known rates. */
export function knownRates(rates: readonly ChangeRate[], target: RefreshTarget = 'age'): RefreshPolicy {
  return byScore((_, days, page) => knownRateIndex(target, rates[page] ?? 0, days));
}

/** Visits in proportion to the rate: changes seen by days, with half a change and a month more. */
export const proportional = (): RefreshPolicy => byScore(({ changed, days }, since) => (since * (changed + 0.5)) / (days + 30));

/**
 * The index of the rates of Cho & Garcia-Molina 2003 ("Estimating frequency of change"), −ln((n − X + ½)/(n + ½)) by the mean interval: no prior, regular
 * intervals. A page without a visit changes once in 60 days.
 */
export function choGarciaMolina(): RefreshPolicy {
  return byScore(({ visits, changed, days }, since) => {
    const rate = visits === 0 ? 1 / 60 : (-Math.log((visits - changed + 0.5) / (visits + 0.5)) * visits) / days;
    return knownRateIndex('age', rate, since);
  });
}

/** Word of a sitemap about each page, read every day: its last change, or always the day itself. */
export type ReplayedLastmod = 'none' | 'true' | 'always today';

/** Forager's order. @param dated do the pages have `Last-Modified`? */
export function learned(
  pages: readonly ChangingPage[],
  dated: boolean,
  target: RefreshTarget = 'age',
  lastmod: ReplayedLastmod = 'none',
): RefreshPolicy {
  const order = new RefreshOrder(target);
  const patterns = pages.map(({ name }) => refreshPattern(name as CanonicalUrl));
  const evidence: (ChangeEvidence | undefined)[] = pages.map(() => undefined);
  const place = (page: number, at: number): void => {
    const known = evidence[page];
    order.set(page, { seenAt: at * DAY, host: 0, pattern: patterns[page] ?? '', ...(known === undefined ? {} : { evidence: known }) });
  };
  return {
    appear: place,
    visited: (page, { seenAt, at, changed, modified }) => {
      const answer = { seenAt: seenAt * DAY, at: at * DAY, changed, modified: dated ? modified * DAY : null, claims: order.claims(page) };
      evidence[page] = withAnswer(evidence[page], answer);
      place(page, at);
    },
    best: (at, count) => {
      for (const [page, { changes }] of lastmod === 'none' ? [] : pages.entries())
        order.hint(page, (lastmod === 'true' ? lastBefore(changes, at) : at) * DAY, 'sitemap', at * DAY);
      return order.best(at * DAY, count);
    },
  };
}

/** The last change up to a moment. O(log changes). */
function lastBefore(changes: readonly number[], at: number): number {
  let [low, high] = [0, changes.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((changes[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return changes[low] ?? 0;
}
