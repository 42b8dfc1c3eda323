/** The time of a run, by a clock that nobody sets: its own spans never depend on the date. */
import type { Clock } from '../../base/core/clock.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';

export class TimeLimit {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #began: EpochMs;
  readonly #longest: Ms;

  /** Starts at once. @param longest Infinity: no limit */
  constructor(clock: Pick<Clock, 'now'>, longest: Ms = Number.POSITIVE_INFINITY) {
    [this.#clock, this.#began, this.#longest] = [clock, clock.now(), longest];
  }

  /** Time since the start. */
  get spent(): Ms {
    return this.#clock.now() - this.#began;
  }

  /** Time until the limit, at least 0. */
  get left(): Ms {
    return Math.max(0, this.#longest - this.spent);
  }
}
