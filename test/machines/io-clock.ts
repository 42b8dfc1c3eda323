import type { EpochMs, Ms } from '../../src/base/core/types.ts';
import { SimulatedClock } from '../../src/study/eval/simulated-clock.ts';

/** Any date: it makes stored times look like times. */
const START: EpochMs = Date.UTC(2026, 0, 1);

/** A simulated clock for processes with real I/O. It stands still while I/O runs: a transaction takes no simulated time, however slow the machine is. */
export class IoClock extends SimulatedClock {
  #running = 0;

  constructor() {
    super(START);
  }

  /** Since it was made. */
  get passed(): Ms {
    return this.now() - START;
  }

  /** Runs I/O. */
  async during<T>(io: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await io();
    } finally {
      this.#running -= 1;
      this.jumpLater();
    }
  }

  protected override get allWait(): boolean {
    return this.#running === 0;
  }
}
