/** The budget of a crawl that has its visits to itself. */
import type { Ledger, VisitBudget } from '../../base/core/parts/queueing.ts';

/** @param maxPages of the whole life of the crawl: the frontier counts the visits */
export function ownBudget(maxPages: number, frontier: Pick<Ledger, 'visits'>): VisitBudget {
  return {
    get left() {
      return maxPages - frontier.visits;
    },
    get isSpent() {
      return this.left <= 0;
    },
    visited: () => undefined,
  };
}
