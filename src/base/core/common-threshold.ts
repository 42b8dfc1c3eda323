import { logOdds, sigmoid } from './odds.ts';
import type { Unit } from './types.ts';

/**
 * Shifts the thresholds of several topics to one common threshold, so that relevances to different topics can be compared. The common threshold is
 * the mean of all thresholds in log-odds. Each relevance is shifted, in log-odds, by the distance of its own threshold to the common one. The sum of
 * the shifts is zero, and the order of the topics does not matter.
 */
export class CommonThreshold {
  /** Common threshold, in [1e-12, 1 - 1e-12]. */
  readonly threshold: Unit;
  readonly #thresholds: readonly Unit[];
  readonly #shifts: readonly number[];
  /** The highest relevance that an off-topic page can have. */
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

  /** The greatest of a page's shifted relevances. It reaches the common threshold exactly if one relevance reaches the threshold of its own topic. */
  combined(relevances: readonly Unit[]): Unit {
    return relevances.reduce((greatest, relevance, i) => Math.max(greatest, this.#shifted(relevance, i)), 0);
  }

  /** The index of the topic to which a page is most relevant; the first of equals. */
  winner(relevances: readonly Unit[]): number {
    const shifted = relevances.map((relevance, i) => this.#shifted(relevance, i));
    return shifted.indexOf(Math.max(...shifted));
  }

  /** Rounding of log-odds must not move an on-topic relevance below the threshold, or an off-topic one up to it. */
  #shifted(relevance: Unit, i: number): Unit {
    const shifted = sigmoid(logOdds(relevance) + (this.#shifts[i] ?? 0));
    return relevance >= (this.#thresholds[i] ?? 1) ? Math.max(shifted, this.threshold) : Math.min(shifted, this.#below);
  }
}
