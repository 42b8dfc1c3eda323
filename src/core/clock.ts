import type { EpochMs, IsoTime, Ms } from './types.ts';

export interface Clock {
  /** Never goes back, nor faster than time does: for waiting and measuring. */
  now(): EpochMs;
  /** The date, for what is written down: it may be set. Left out where it is `now`. */
  date?(): EpochMs;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: Ms, signal: AbortSignal): Promise<void>;
}

/** When `performance.now()` was 0. Read once: the getter takes three times as long as the clock itself. */
const ORIGIN = performance.timeOrigin;

/**
 * The machine's clock as it stood when the process began, and from there by its monotonic one: where the clock is set on or back by a day,
 * or the machine sleeps, hosts rest and back off for as long as they would have. The date is that of the machine.
 */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => Math.floor(ORIGIN + performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, ms));
      signal.addEventListener('abort', done, { once: true });
    }),
};

/** What is written down as the time. */
export function dateOf(clock: Clock): EpochMs {
  return clock.date?.() ?? clock.now();
}

/** What is written down as the time of a request that took `ms` and has just ended: when it began. */
export function beganAt(clock: Clock, ms: Ms): EpochMs {
  return dateOf(clock) - ms;
}

export function isoTime(at: EpochMs): IsoTime {
  return new Date(at).toISOString();
}
