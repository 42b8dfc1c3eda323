/** Leave to have a request in flight, for so many at once. The others wait in their order, before the clock of their deadlines starts. */
export class RequestSlots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param slots number of requests in flight, at most */
  constructor(slots: number) {
    this.#free = slots;
  }

  /** @throws the reason of the signal if it aborted before the turn of `request`; the error of `request` */
  async take<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await request();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
