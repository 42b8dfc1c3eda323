import { onAbort } from '../../base/core/abort-listener.ts';
import type { Clock } from '../../base/core/clock.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';

interface Sleeper {
  readonly at: EpochMs;
  readonly wake: () => void;
}

/**
 * A clock that jumps to the next sleeper whenever all others wait: one at a time, by time, then by the order of falling asleep. So simultaneous
 * events in simulated time have one order, on any machine.
 */
export class SimulatedClock implements Clock {
  #now: EpochMs;
  /** Sleepers, in the order of waking. */
  readonly #sleepers: Sleeper[] = [];
  #isDue = false;

  constructor(start: EpochMs = 0) {
    this.#now = start;
  }

  now(): EpochMs {
    return this.#now;
  }

  sleep(ms: Ms, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stopListening = onAbort(signal, () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        resolve();
      });
      const wake = () => {
        stopListening();
        resolve();
      };
      const sleeper = { at: this.#now + ms, wake };
      const place = this.#sleepers.findIndex(({ at }) => at > sleeper.at);
      this.#sleepers.splice(place < 0 ? this.#sleepers.length : place, 0, sleeper);
      this.jumpLater();
    });
  }

  /** Does everything wait that may call `sleep`? */
  protected get allWait(): boolean {
    return true;
  }

  /** Runs when everything that was woken waits again: promises settle before the next turn of the event loop. */
  protected jumpLater(): void {
    if (this.#isDue || !this.allWait || this.#sleepers.length === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (!this.allWait) return;
      const next = this.#sleepers.shift();
      if (next) this.#now = Math.max(this.#now, next.at);
      next?.wake();
      this.jumpLater();
    });
  }
}
