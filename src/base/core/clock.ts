import { onAbort } from './abort-listener.ts';
import type { EpochMs, IsoTime, Ms } from './types.ts';

export interface Clock {
  /** Never goes back and never runs faster than time does: for waiting and measuring. */
  now(): EpochMs;
  /** The date, for times that are stored or shown. It may jump when somebody sets the clock. Absent if it equals `now`. */
  date?(): EpochMs;
  /** Resolves after `ms`, or sooner after some days, or at once when `signal` aborts. Never rejects. */
  sleep(ms: Ms, signal: AbortSignal): Promise<void>;
}

/** Longest time of a timer of Node, 24.8 days: a longer one ends at once. */
const LONGEST_TIMER: Ms = 2 ** 31 - 1;

/** Wall-clock time at which `performance.now()` was 0. Read once: the getter takes three times as long as the clock itself. */
const ORIGIN = performance.timeOrigin;

/**
 * The machine's clock at the start of the process, continued by its monotonic clock. If somebody sets the clock on or back by a day, or the machine
 * sleeps, hosts still rest and back off for the same time. The date is that of the machine.
 */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => Math.floor(ORIGIN + performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        stopListening();
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(0, ms), LONGEST_TIMER));
      const stopListening = onAbort(signal, done);
    }),
};

/** The time that is stored or shown. */
export function dateOf(clock: Pick<Clock, 'now' | 'date'>): EpochMs {
  return clock.date?.() ?? clock.now();
}

/** The stored time of a request that took `ms` and has just ended: the moment it started. */
export function beganAt(clock: Clock, ms: Ms): EpochMs {
  return dateOf(clock) - ms;
}

export function isoTime(at: EpochMs): IsoTime {
  return new Date(at).toISOString();
}
