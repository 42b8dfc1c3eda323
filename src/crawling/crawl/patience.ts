import type { Ms, Patience } from '../../base/core/types.ts';

/** Enough for a Crawl-delay of ten seconds, or a response that takes as long; less than the first pause of a host in trouble. */
export const MOST_PATIENCE: Ms = 20_000;

/**
 * Patience from the limits of a crawl. Pages are scarce if the limits leave more time for each page than waiting takes; otherwise time is scarce.
 * Without a limit on pages, waiting saves none.
 * @param pages number of pages left to request
 * @param time time left; Infinity without a limit on time
 */
export function patienceWithin(pages: number, time: Ms): Patience {
  return { longest: MOST_PATIENCE, pace: pages === Number.POSITIVE_INFINITY ? 0 : time / Math.max(1, pages) };
}
