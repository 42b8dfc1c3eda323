import type { EpochMs, Ms } from '../../base/core/types.ts';

/** A reading of the clock is at most this much older than the moment it was read, since the clock counts whole milliseconds. */
export const CLOCK_TICK: Ms = 1;

/**
 * Time at which a rest that starts now is certainly over. Without the tick, 200 ms became 199.9 on the server's log (`npm run bench --
 * polite`).
 */
export function afterRest(now: EpochMs, rest: Ms): EpochMs {
  return rest > 0 ? now + Math.ceil(rest) + CLOCK_TICK : now;
}
