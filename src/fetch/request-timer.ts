import type { Ms } from '../core/types.ts';

/** Something under way that may be out of time. */
export interface TimedRequest {
  /** @param now the timer's own time, see `RequestTimer.now` */
  check(now: Ms): void;
}

/**
 * One timer for all requests under way, instead of several timers for each. Its time stands still while the event loop does:
 * after a stall, answers that wait in the sockets are read before anything is called late. Starts with the first `add`,
 * stops when nothing is left.
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

  /** Milliseconds of watched time; exact to one period. */
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
