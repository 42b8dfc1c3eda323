/**
 * The value of a visit to a page that changes as a Poisson process. `x` is the time since its last visit, λ its rate of change.
 *
 * Age is the time since the first change that the crawl has not seen, 0 while the stored page is current; freshness is the chance that it is current
 * (Cho & Garcia-Molina 2003, "Effective page refresh policies for web crawlers"). A page visited every `I` days at a cost of `c` a visit costs
 * (∫₀ᴵA + c)/I a day. That is least where I·A(I) − ∫₀ᴵA = c. So each page has its best interval if the greatest index x·A(x) − ∫₀ˣA is first.
 * The index is ∫₀ˣ u·P(changed by u) du: the index of an uncertain rate is its mean over the belief.
 */

import type { RefreshTarget } from '../../base/core/refresh-plan.ts';

/** Span in days. */
export type Days = number;
/** Changes a day. */
export type ChangeRate = number;

/** Gamma distribution of the rate of a page: as if `shape` changes were seen in `exposure` days. */
export interface RateBelief {
  readonly shape: number;
  readonly exposure: Days;
}

/** Rate times span below which three terms of a series are exact to nine digits, while the closed form loses digits. */
const SMALL = 1e-3;

/** A(λ, x) = x − (1 − e^(−λx))/λ: expected age of a page `x` days after its visit. */
export function ageAt(rate: ChangeRate, x: Days): Days {
  const y = rate * x;
  return y < SMALL ? (x * y * (1 - (y / 3) * (1 - y / 4))) / 2 : x + Math.expm1(-y) / rate;
}

/** Index of a page of a known rate. By freshness it is ∫₀ˣ u·λe^(−λu) du. */
export function knownRateIndex(target: RefreshTarget, rate: ChangeRate, x: Days): number {
  const y = rate * x;
  if (y < SMALL) return target === 'age' ? x * x * y * (1 / 3 - (y / 8) * (1 - y / 3.75)) : x * y * (0.5 - (y / 3) * (1 - (y * 3) / 8));
  const mean = -Math.expm1(-y) / rate;
  return target === 'age' ? (x * x) / 2 - (mean - x * Math.exp(-y)) / rate : mean - x * Math.exp(-y);
}

/** Chance that a page is current `x` days after its visit: (b/(b + x))^a. */
export function expectedFreshness({ shape, exposure }: RateBelief, x: Days): number {
  return Math.exp(-shape * Math.log1p(x / exposure));
}

/** Mean of A(λ, x) over the belief. */
export function expectedAge(belief: RateBelief, x: Days): Days {
  const { shape, exposure } = belief;
  const y = (shape / exposure) * x;
  if (y * (1 + 1 / shape) < SMALL)
    return (x * y * (1 - (((shape + 1) * x) / (3 * exposure)) * (1 - ((shape + 2) * x) / (4 * exposure)))) / 2;
  return x - exposure * powerSum(1 - shape, Math.log1p(x / exposure));
}

/** Mean of the index over the belief. O(1), some 100 ns. */
export function refreshIndex(target: RefreshTarget, { shape, exposure }: RateBelief, x: Days): number {
  const y = (shape / exposure) * x;
  const second = ((shape + 1) / exposure) * x;
  const third = ((shape + 2) / exposure) * x;
  if (second < SMALL)
    return target === 'age'
      ? x * x * y * (1 / 3 - (second / 8) * (1 - third / 3.75))
      : x * y * (0.5 - (second / 3) * (1 - (third * 3) / 8));
  const log = Math.log1p(x / exposure);
  const mean = powerSum(1 - shape, log);
  if (target === 'freshness') return exposure * mean - x * Math.exp(-shape * log);
  return (x * x) / 2 - exposure * exposure * (powerSum(2 - shape, log) - mean);
}

/** ∫₁ⱽ v^(k−1) dv for log V: (Vᵏ − 1)/k, and log V at k = 0. */
function powerSum(k: number, log: number): number {
  return Math.abs(k) < 1e-9 ? log : Math.expm1(k * log) / k;
}
