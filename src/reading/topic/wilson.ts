import { InvariantError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';

/** The bounds of a quantity. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Score interval of a share (Wilson 1927): the shares under which `successes` of `trials` are plausible, with (1 − level) / 2 in each tail. The
 * one-sided bound at level L is `low` at level 2L − 1. [0, 1] without trials. Counts may be fractions. O(1).
 * @throws InvariantError if `successes` is not in [0, trials], or `level` not in [0, 1)
 */
export function wilson(successes: number, trials: number, level: Unit = 0.95): Interval {
  if (!(successes >= 0 && successes <= trials)) throw new InvariantError(`${successes} successes of ${trials} trials have no share`);
  if (!(level >= 0 && level < 1)) throw new InvariantError(`an interval has a level from 0 to below 1, not ${level}`);
  if (trials === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + level) / 2);
  const share = successes / trials;
  const pull = (z * z) / trials;
  const centre = share + pull / 2;
  const half = z * Math.sqrt((share * (1 - share)) / trials + pull / (4 * trials));
  return {
    low: successes === 0 ? 0 : Math.max(0, (centre - half) / (1 + pull)),
    high: successes === trials ? 1 : Math.min(1, (centre + half) / (1 + pull)),
  };
}

/** Numerators and denominators by rising power: around the median, in the tails, and far out. */
const CENTRE = [
  [3.3871327179, 50.434271938, 159.29113202, 59.10937472],
  [1, 17.895169469, 78.757757664, 67.1875636],
] as const;
const TAIL = [
  [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103],
  [1, 0.7370016425, 0.12021132975],
] as const;
const FAR_TAIL = [
  [6.657905115, 3.081226386, 0.42868294337, 0.017337203997],
  [1, 0.24197894225, 0.012258202635],
] as const;

/** The quantile of the standard normal distribution for the share `p`, in (0, 1): algorithm AS 241, PPND7 (Wichura 1988), exact to 7 digits. */
function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  return Math.sign(q) * (r <= 5 ? ratio(TAIL, r - 1.6) : ratio(FAR_TAIL, r - 5));
}

function ratio([above, below]: readonly [readonly number[], readonly number[]], at: number): number {
  return polynomial(above, at) / polynomial(below, at);
}

function polynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * at + coefficient, 0);
}
