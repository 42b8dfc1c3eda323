import type { Ms } from '../core/types.ts';

/** Enough for a Crawl-delay of ten seconds, or an answer that takes as long; less than the first pause of a host in trouble. */
export const LONGEST_WAIT: Ms = 20_000;

/**
 * How long to wait for a clearly better page, by what the limits leave for each: pages are scarce where there is more time for each than the wait takes,
 * else time is. Without a limit on pages none is spared by waiting.
 * @param pages that may still be visited. @param time left; Infinity without a limit on time
 */
export function patienceWithin(pages: number, time: Ms): Ms {
  return pages === Number.POSITIVE_INFINITY ? 0 : Math.min(LONGEST_WAIT, time / Math.max(1, pages));
}
