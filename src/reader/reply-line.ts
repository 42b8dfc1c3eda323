/**
 * Replies of reading threads on their way to the visits: first come, first served, one in each turn of the event loop. A page of 20 KB takes the crawl
 * about 1 ms, and with a thousand requests in flight some hundred replies may be ready at once. Another turn of the loop takes 2 µs; sockets and
 * timers are served in it.
 */
export class ReplyLine {
  readonly #ready: (() => void)[] = [];
  #isTaken = false;

  /** Hands a reply over at once, or in a later turn if this one is taken. */
  add(hand: () => void): void {
    if (this.#isTaken) this.#ready.push(hand);
    else this.#take(hand);
  }

  #take(hand: () => void): void {
    this.#isTaken = true;
    setImmediate(() => this.#turn());
    hand();
  }

  #turn(): void {
    this.#isTaken = false;
    const next = this.#ready.shift();
    if (next) this.#take(next);
  }
}
