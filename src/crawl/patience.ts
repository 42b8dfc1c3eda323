import type { Ms, Patience } from '../core/types.ts';

/** Enough for a Crawl-delay of ten seconds, or an answer that takes as long; less than the first pause of a host in trouble. */
export const MOST_PATIENCE: Ms = 20_000;

/**
 * Patience by what the limits leave for each page: pages are scarce where there is more time for each than waiting takes, else time is. Without a
 * limit on pages none is spared by waiting.
 * @param pages that may still be asked for. @param time left; Infinity without a limit on time
 */
export function patienceWithin(pages: number, time: Ms): Patience {
  return { longest: MOST_PATIENCE, pace: pages === Number.POSITIVE_INFINITY ? 0 : time / Math.max(1, pages) };
}
