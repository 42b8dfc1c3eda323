import { logOdds, sigmoid } from './odds.ts';
import type { Unit } from './types.ts';

/**
 * The thresholds of several topics brought to one, so that relevances to different topics can be compared. Each is shifted in log-odds by
 * as much as takes its own threshold to the common one, the mean of all in log-odds: the sum of the shifts is zero, and the order of the
 * topics does not matter.
 */
export class CommonThreshold {
  /** Within [1e-12, 1 - 1e-12]. */
  readonly threshold: Unit;
  readonly #thresholds: readonly Unit[];
  readonly #shifts: readonly number[];
  /** What a page that is off topic can have at the most. */
  readonly #below: Unit;

  /** @param thresholds of at least one topic */
  constructor(thresholds: readonly Unit[]) {
    const odds = thresholds.map((threshold) => logOdds(threshold));
    const mean = odds.reduce((sum, one) => sum + one, 0) / odds.length;
    this.#thresholds = thresholds;
    this.#shifts = odds.map((one) => mean - one);
    this.threshold = sigmoid(mean);
    this.#below = this.threshold * (1 - Number.EPSILON);
  }

  /** The greatest of a page's relevances as it stands to the common threshold: at or above it exactly when one of them is at or above its own. */
  combined(relevances: readonly Unit[]): Unit {
    return relevances.reduce((greatest, relevance, i) => Math.max(greatest, this.#shifted(relevance, i)), 0);
  }

  /** Which topic a page has the most relevance to, by its place; the first of equals. */
  winner(relevances: readonly Unit[]): number {
    const shifted = relevances.map((relevance, i) => this.#shifted(relevance, i));
    return shifted.indexOf(Math.max(...shifted));
  }

  /** Log-odds are rounded: what is on topic must not fall below the threshold for it, nor what is off topic reach it. */
  #shifted(relevance: Unit, i: number): Unit {
    const shifted = sigmoid(logOdds(relevance) + (this.#shifts[i] ?? 0));
    return relevance >= (this.#thresholds[i] ?? 1) ? Math.max(shifted, this.threshold) : Math.min(shifted, this.#below);
  }
}
