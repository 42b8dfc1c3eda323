import { setImmediate } from 'node:timers/promises';
import type { Ms } from './types.ts';

/** A progress line is drawn twice a second, and who presses Ctrl-C waits as long. */
const EVERY: Ms = 200;

/** For long work without I/O: gives timers and signals their turn now and then, which they would otherwise wait for to its end. */
export class Turns {
  #next: Ms = performance.now() + EVERY;

  /** Resolves at once most of the times. */
  async take(): Promise<void> {
    if (performance.now() < this.#next) return;
    await setImmediate();
    this.#next = performance.now() + EVERY;
  }
}
