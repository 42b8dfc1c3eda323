import type { Clock } from '../core/clock.ts';
import type { EpochMs, Ms } from '../core/types.ts';

interface Sleeper {
  readonly at: EpochMs;
  readonly wake: () => void;
}

/**
 * A clock that goes to the next sleeper whenever all others wait: one at a time, the earlier first, then who fell asleep first. So what happens at
 * once in simulated time has one order, however fast the machine is.
 */
export class SimulatedClock implements Clock {
  #now: EpochMs = 0;
  /** In the order in which they are to be woken. */
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

  /** Once all that was woken has come to where it waits again: promises are settled before the event loop has its next turn. */
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
