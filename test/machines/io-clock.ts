import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/core/clock.ts';
import type { EpochMs, Ms } from '../../src/core/types.ts';

interface Sleeper {
  readonly at: EpochMs;
  readonly wake: () => void;
}

/** Any date: it makes stored times look like times. */
const START: EpochMs = Date.UTC(2026, 0, 1);

/**
 * A simulated clock for processes with real I/O. It jumps to the next sleeper when all others wait, and stands still while I/O runs: a transaction takes no
 * simulated time, however slow the machine is.
 */
export class IoClock implements Clock {
  #now = START;
  /** In the order of waking. */
  readonly #sleepers: Sleeper[] = [];
  #running = 0;
  #isDue = false;

  now(): EpochMs {
    return this.#now;
  }

  /** Since it was made. */
  get passed(): Ms {
    return this.#now - START;
  }

  sleep(ms: Ms, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const onAbort = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        resolve();
      };
      const wake = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const sleeper = { at: this.#now + ms, wake };
      const place = this.#sleepers.findIndex(({ at }) => at > sleeper.at);
      this.#sleepers.splice(place < 0 ? this.#sleepers.length : place, 0, sleeper);
      // One for each request at once: no leak.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#jumpLater();
    });
  }

  /** Runs I/O. */
  async during<T>(io: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await io();
    } finally {
      this.#running -= 1;
      this.#jumpLater();
    }
  }

  /** All promises settle before the next turn of the event loop: then everybody waits. */
  #jumpLater(): void {
    if (this.#isDue || this.#running > 0 || this.#sleepers.length === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#running > 0) return;
      const next = this.#sleepers.shift();
      if (next) this.#now = Math.max(this.#now, next.at);
      next?.wake();
      this.#jumpLater();
    });
  }
}
