/** Exact answers about shares of independent draws. */
import { InvariantError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';
import type { Interval } from '../../reading/topic/wilson.ts';

/** Steps of a bisection of [0, 1]: one more than a double has bits. */
const STEPS = 54;

/** Probability that at least `least` of `trials` draws succeed, each with probability `share`. O(trials). */
export function upperTail(trials: number, least: number, share: Unit): Unit {
  if (least <= 0) return 1;
  if (least > trials || share <= 0) return 0;
  if (share >= 1) return 1;
  let sum = 0;
  // Logarithms: the terms of a thousand draws are below the smallest double.
  let term = trials * Math.log1p(-share);
  for (let k = 0; k <= trials; k += 1) {
    if (k >= least) sum += Math.exp(term);
    term += Math.log(((trials - k) / (k + 1)) * (share / (1 - share)));
  }
  return Math.min(1, sum);
}

/**
 * Exact interval of a share (Clopper and Pearson 1934): at most (1 − level) / 2 of the draws under any share outside of it are as extreme. [0, 1] without
 * trials. O(trials).
 * @throws InvariantError if `successes` is not in [0, trials]
 */
export function clopperPearson(successes: number, trials: number, level: Unit = 0.9): Interval {
  if (!(successes >= 0 && successes <= trials)) throw new InvariantError(`${successes} successes of ${trials} trials have no share`);
  const tail = (1 - level) / 2;
  return {
    low: successes === 0 ? 0 : rootOf((share) => upperTail(trials, successes, share) - tail),
    high: successes === trials ? 1 : rootOf((share) => tail - (1 - upperTail(trials, successes + 1, share))),
  };
}

/** The place in [0, 1] at which a rising function is 0. */
function rootOf(rising: (share: Unit) => number): Unit {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Least number of `trials` draws that have to succeed before the share is at least `share`, with probability 1 − `risk`: the upper bound of a quantile by an
 * order statistic (Lewis, Yang and Frieder 2021, "Certifying One-Phase Technology-Assisted Reviews", §4). null if even all of them show less. O(trials · log trials).
 */
export function leastSuccesses(trials: number, share: Unit, risk: Unit = 0.05): number | null {
  // The tail falls with the number.
  let [low, high] = [1, trials + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (upperTail(trials, middle, share) <= risk) high = middle;
    else low = middle + 1;
  }
  return low > trials ? null : low;
}

/** Least number of draws that can show a share. */
export function leastTrials(share: Unit, risk: Unit = 0.05): number {
  return Math.ceil(Math.log(risk) / Math.log(share));
}
