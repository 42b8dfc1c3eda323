/** The budget of a judge: calls, tokens and time. */
import type { Clock } from '../../../base/core/clock.ts';
import type { EpochMs, Ms } from '../../../base/core/types.ts';

/** Infinity for no limit. */
export interface BudgetLimits {
  readonly calls: number;
  readonly tokens: number;
  readonly time: Ms;
}

/** The part of the budget that is spent. */
export type LackOf = keyof BudgetLimits;

/**
 * Spends a budget and never exceeds it. Before a call the most tokens that it can cost are reserved. After the call the reservation is replaced by the
 * number of tokens that the server reports. It stays if the server reports none, since the call may have cost that much.
 */
export class JudgeBudget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #startedAt: EpochMs;
  #calls = 0;
  #tokens = 0;
  /** The most tokens by which a call has exceeded its reservation: later reservations are larger by that. */
  #excess = 0;

  constructor(limits: BudgetLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Number of calls, each retry included. */
  get calls(): number {
    return this.#calls;
  }

  /** Number of tokens that are spent or must count as spent. */
  get tokens(): number {
    return this.#tokens;
  }

  get timeLeft(): Ms {
    return this.#startedAt + this.#limits.time - this.#clock.now();
  }

  /** The part of the budget that does not allow another call of at most so many tokens; null if it is allowed. */
  lackFor(tokens: number): LackOf | null {
    if (this.timeLeft <= 0) return 'time';
    if (this.#calls >= this.#limits.calls) return 'calls';
    return this.#tokens + tokens + this.#excess > this.#limits.tokens ? 'tokens' : null;
  }

  /** Reserves a call of at most so many tokens. @returns ends the call; its `used` is null if the server did not say it */
  begin(tokens: number): (used: number | null) => void {
    const reserved = tokens + this.#excess;
    this.#calls += 1;
    this.#tokens += reserved;
    return (used) => {
      if (used === null) return;
      this.#tokens += used - reserved;
      this.#excess = Math.max(this.#excess, used - tokens);
    };
  }
}
