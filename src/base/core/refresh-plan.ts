/** The plan of the revisits of a continuous crawl. */
import type { Unit } from './types.ts';

/**
 * Measure that revisits keep low or high: `age`, the time since the first change of a page that the crawl has not seen; `freshness`, the share of pages without
 * such a change (Cho and Garcia-Molina 2003). Pages that change all the time are never fresh: for `freshness` they are hardly asked again.
 */
export type RefreshTarget = (typeof REFRESH_TARGETS)[number];
export const REFRESH_TARGETS = ['age', 'freshness'] as const;

/** Number of revisits: a number a day, a share of the kept pages a day, or a share of all requests for pages. */
export type RevisitBudget =
  | { readonly kind: 'a-day'; readonly count: number }
  | { readonly kind: 'of-pages-a-day'; readonly share: Unit }
  | { readonly kind: 'of-requests'; readonly share: Unit };

export interface RefreshPlan {
  readonly target: RefreshTarget;
  readonly budget: RevisitBudget;
}
