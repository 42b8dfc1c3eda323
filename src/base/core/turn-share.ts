import type { Ms } from './types.ts';

/**
 * The time that one kind of work may take in a turn of the event loop: sockets, timers and other work wait for its end. Work in pieces asks after each
 * piece; the last piece may go beyond the share.
 */
export class TurnShare {
  readonly #ms: Ms;
  readonly #now: () => Ms;
  /** End of this turn's share; null before the first question of the turn. */
  #until: Ms | null = null;

  /** @param now a monotonic clock */
  constructor(ms: Ms, now: () => Ms = () => performance.now()) {
    this.#ms = ms;
    this.#now = now;
  }

  /** Should the next piece wait for another turn? The first question begins the share. */
  isUsedUp(): boolean {
    if (this.#until !== null) return this.#now() >= this.#until;
    this.#until = this.#now() + this.#ms;
    setImmediate(() => {
      this.#until = null;
    });
    return false;
  }
}
