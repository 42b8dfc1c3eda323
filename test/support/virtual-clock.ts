import { onAbort } from '../../src/base/core/abort-listener.ts';
import type { Clock } from '../../src/base/core/clock.ts';
import type { EpochMs, Ms } from '../../src/base/core/types.ts';

/** A clock that moves only when told to, or to the next sleeper when `auto`. No test waits for real time. */
export class VirtualClock implements Clock {
  #now: EpochMs;
  #sleepers: { readonly at: EpochMs; readonly wake: () => void }[] = [];
  readonly #auto: boolean;

  constructor(now: EpochMs = 1_000_000, auto = false) {
    this.#now = now;
    this.#auto = auto;
  }

  now(): EpochMs {
    return this.#now;
  }

  sleep(ms: Ms, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stopListening = onAbort(signal, () => this.#drop(sleeper));
      const wake = () => {
        stopListening();
        resolve();
      };
      const sleeper = { at: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      if (this.#auto) setImmediate(() => this.#toNext());
    });
  }

  advance(ms: Ms): void {
    this.#now += ms;
    this.#wakeDue();
  }

  #toNext(): void {
    const next = Math.min(...this.#sleepers.map(({ at }) => at));
    if (next === Number.POSITIVE_INFINITY) return;
    this.#now = Math.max(this.#now, next);
    this.#wakeDue();
  }

  #wakeDue(): void {
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
  }

  #drop(sleeper: { readonly at: EpochMs; readonly wake: () => void }): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    sleeper.wake();
  }
}
