import type { EpochMs, Ms } from '../core/types.ts';

/** What the clock reads is up to this much older than the moment it was read: it counts whole milliseconds. */
export const CLOCK_TICK: Ms = 1;

/** When a rest that begins now is over for certain. Without the tick 200 ms came to 199.9 on the server's log (`npm run bench -- polite`). */
export function afterRest(now: EpochMs, rest: Ms): EpochMs {
  return rest > 0 ? now + Math.ceil(rest) + CLOCK_TICK : now;
}
