import { setImmediate } from 'node:timers/promises';
import type { Ms } from './types.ts';

/** A progress line is drawn twice a second. Ctrl-C waits at most this long. */
const EVERY: Ms = 200;

/** Lets timers and signals run during long work without I/O. Otherwise they would wait until the work ends. */
export class EventLoopYielder {
  #next: Ms = performance.now() + EVERY;

  /** Resolves at once most of the time. */
  async take(): Promise<void> {
    if (performance.now() < this.#next) return;
    await setImmediate();
    this.#next = performance.now() + EVERY;
  }
}
