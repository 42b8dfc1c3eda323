import type { Ms } from '../../base/core/types.ts';

/** A request that may miss its deadline. */
export interface TimedRequest {
  /** @param now the timer's own time, see `RequestTimer.now` */
  check(now: Ms): void;
}

/**
 * One timer for all requests in flight, instead of several timers for each. Its time stops when the event loop does: after a stall, responses that
 * wait in the sockets are read before any request counts as late. Starts with the first `add`, and stops when no request is left.
 */
export class RequestTimer {
  readonly #period: Ms;
  readonly #under = new Set<TimedRequest>();
  #timer: NodeJS.Timeout | null = null;
  #now: Ms = 0;
  #lastTick: Ms = 0;

  /** @param period how late a deadline may be noticed */
  constructor(period: Ms) {
    this.#period = period;
  }

  /** Milliseconds of running time; exact to one period. */
  get now(): Ms {
    return this.#now;
  }

  add(request: TimedRequest): void {
    this.#under.add(request);
    if (this.#timer !== null) return;
    this.#lastTick = performance.now();
    this.#timer = setInterval(() => this.#tick(), this.#period);
    // The sockets keep the process alive; an idle last tick should not.
    this.#timer.unref();
  }

  delete(request: TimedRequest): void {
    this.#under.delete(request);
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    const tick = performance.now();
    this.#now += Math.min(tick - this.#lastTick, 2 * this.#period);
    this.#lastTick = tick;
    if (this.#under.size === 0) this.close();
    for (const request of this.#under) request.check(this.#now);
  }
}
