import type { Clock } from '../core/clock.ts';
import type { EpochMs, Ms } from '../core/types.ts';

interface Sleeper {
  readonly at: EpochMs;
  readonly wake: () => void;
}

/**
 * A clock that jumps to the next sleeper whenever all others wait: one at a time, by time, then by the order of falling asleep. So simultaneous
 * events in simulated time have one order, on any machine.
 */
export class SimulatedClock implements Clock {
  #now: EpochMs = 0;
  /** In the order of waking. */
  readonly #sleepers: Sleeper[] = [];
  #goesOn = false;

  now(): EpochMs {
    return this.#now;
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
      signal.addEventListener('abort', onAbort, { once: true });
      this.#goOn();
    });
  }

  /** Runs when everything that was woken waits again: promises settle before the next turn of the event loop. */
  #goOn(): void {
    if (this.#goesOn || this.#sleepers.length === 0) return;
    this.#goesOn = true;
    setImmediate(() => {
      this.#goesOn = false;
      const next = this.#sleepers.shift();
      if (next) this.#now = Math.max(this.#now, next.at);
      next?.wake();
      this.#goOn();
    });
  }
}
