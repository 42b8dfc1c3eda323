import type { Ms } from '../../base/core/types.ts';

/**
 * Number of leases in one turn of the event loop. Without a bound, all requests of a crawl would begin in one turn, and after each rescoring those that
 * ended meanwhile.
 */
const LEASES_A_TURN = 16;
/** Time of the leases in one turn: with a thousand requests in flight, one may take some ms. */
const SHARE: Ms = 5;

/** Counts the leases of a turn of the event loop. */
export class LeaseShare {
  readonly #now: () => Ms;
  #leased = 0;
  #until: Ms = 0;

  /** @param now a monotonic clock */
  constructor(now: () => Ms = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a lease: to be called after each. @returns whether the next one should wait for another turn */
  isUsedUp(): boolean {
    if (this.#leased === 0) this.#begin();
    this.#leased += 1;
    return this.#leased >= LEASES_A_TURN || this.#now() >= this.#until;
  }

  #begin(): void {
    this.#until = this.#now() + SHARE;
    setImmediate(() => {
      this.#leased = 0;
    });
  }
}
