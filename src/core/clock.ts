import type { Clock } from './parts.ts';

/** When `performance.now()` was 0. Read once: the getter takes three times as long as the clock itself. */
const ORIGIN = performance.timeOrigin;

/**
 * The machine's clock as it stood when the process began, and from there by its monotonic one: where the clock is set on or back by a day,
 * hosts rest and back off for as long as they would have. What is written of times is then off by as much, until the next run.
 */
export const systemClock: Clock = {
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
