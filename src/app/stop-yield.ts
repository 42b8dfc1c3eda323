import { UsageError } from '../core/errors.ts';
import type { YieldLimit } from '../crawl/recent-yield.ts';

/** Visits a limit may look back over: all are held in memory. */
const MOST_VISITS = 1_000_000;

/**
 * The yield below which a crawl stops, as said now, else as it was begun with; null for none.
 * @param said `none` takes an earlier one back
 * @throws UsageError for a share that is not above 0 and at most 1, or visits that are no whole number from 1 to a million
 */
export function stopYieldOf(said: YieldLimit | 'none' | undefined, begun: YieldLimit | null): YieldLimit | null {
  if (said === undefined) return begun;
  if (said === 'none') return null;
  const { share, visits } = said;
  if (!(share > 0 && share <= 1))
    throw new UsageError(`--stop-yield: a share of ${share * 100} % is not above 0 and at most 100 %; write e.g. 2%/500`);
  if (!Number.isInteger(visits) || visits < 1 || visits > MOST_VISITS)
    throw new UsageError(`--stop-yield: ${visits} is no whole number of visits from 1 to 1,000,000; write e.g. 2%/500`);
  return { share, visits };
}
