/**
 * Number of leases in one turn of the event loop: about 8 ms, with a thousand requests in flight. Without a bound, all requests of a crawl would begin
 * in one turn, and after each rescoring those that ended meanwhile.
 */
const LEASES_A_TURN = 16;

/** Counts the leases of a turn of the event loop. */
export class LeaseShare {
  #leased = 0;

  /** Counts a lease: to be called after each. @returns whether the next one should wait for another turn */
  isUsedUp(): boolean {
    if (this.#leased === 0)
      setImmediate(() => {
        this.#leased = 0;
      });
    this.#leased += 1;
    return this.#leased >= LEASES_A_TURN;
  }
}
