import type { Unit } from '../../base/core/types.ts';
import type { Scored, Weighted } from './evaluate.ts';
import { wilson } from './wilson.ts';

/** Precision and recall if everything at or above a threshold is called on topic. */
export interface CurvePoint {
  readonly threshold: number;
  readonly precision: Unit;
  readonly recall: Unit;
}

/** A threshold for a precision, with the gap that contains it. */
export interface PrecisionChoice {
  /** Whether `lowerBound` is at least the requested precision; if not, this is the threshold with the best bound. */
  readonly reached: boolean;
  /** The lowest accepted score and the highest refused one; equal if nothing is refused. */
  readonly lowestAccepted: number;
  readonly highestRefused: number;
  readonly precision: Unit;
  /** One-sided bound of precision. */
  readonly lowerBound: Unit;
  readonly recall: Unit;
  /** Number of items at or above the threshold. */
  readonly accepted: number;
}

export interface PrecisionOptions {
  /** Level of the one-sided bound. Default .95. */
  readonly level?: Unit;
  /** Share of on-topic pages where the threshold will be used, in (0, 1). If absent, the items count as a fair sample of it. */
  readonly prior?: Unit;
}

/** Largest number of points on a curve: recall steps of a fiftieth are finer than a screen shows. */
const MAX_POINTS = 50;
/** Protects a step of the curve from rounding in sums of weights. */
const ROUNDING = 1e-9;
const LEVEL = 0.95;

/**
 * Precision against recall, from strict to lenient. Every point is one of the items' own step curve: for each step, the strictest threshold that
 * finds at least the next fiftieth of the on-topic weight. With up to 50 on-topic items of equal weights and different scores, no step is omitted,
 * and the area under the steps is the average precision. Empty if nothing is on topic. O(n log n).
 */
export function precisionRecallCurve(items: readonly Weighted[]): CurvePoint[] {
  const points: CurvePoint[] = [];
  const all = cutsOf(items);
  const total = all.at(-1)?.good ?? 0;
  let shown = 0;
  for (const { lowestAccepted, good, bad } of all) {
    const step = Math.floor((MAX_POINTS * good) / total + ROUNDING);
    if (!(step > shown)) continue;
    shown = step;
    points.push({ threshold: lowestAccepted, precision: good / (good + bad), recall: good / total });
  }
  return points;
}

/**
 * The lowest threshold at which the accepted pages, taken together, have a precision with a lower bound of at least `target`: of all thresholds that
 * meet the target, the one with the highest recall. Stricter ones may miss it, because few pages prove little. The bound is Wilson's; with a prior,
 * `boundAtPrior`. Taking the best of many thresholds does no harm if precision falls with the threshold. In the worst case, if scores mean nothing
 * and precision is just below the target everywhere, the bound is wrong in 16 % of draws instead of 5 % (the test has both). null if nothing is on
 * topic. O(n log n).
 */
export function thresholdForPrecision(items: readonly Scored[], target: Unit, options: PrecisionOptions = {}): PrecisionChoice | null {
  const all = cutsOf(items.map(({ score, onTopic }) => ({ score, onTopic })));
  const totals = all.at(-1);
  if (totals === undefined || totals.good === 0) return null;
  const choices = all.map((cut) => choiceOf(cut, totals, target, options));
  return choices.findLast(({ reached }) => reached) ?? choices.reduce((best, next) => (next.lowerBound > best.lowerBound ? next : best));
}

/** The number of pages, all of them right, whose precision has a lower bound of at least `target`: n of n have the bound n / (n + z²). */
export function leastForPrecision(target: Unit): number {
  const squaredZ = 1 / wilson(1, 1, 2 * LEVEL - 1).low - 1;
  return Math.ceil((squaredZ * target) / (1 - target) - ROUNDING);
}

/** The items that one threshold accepts: weight on topic and off topic, and number. */
interface Cut {
  readonly lowestAccepted: number;
  readonly highestRefused: number;
  readonly good: number;
  readonly bad: number;
  readonly accepted: number;
}

/** One for each distinct score, from strict to lenient; the last accepts everything. */
function cutsOf(items: readonly Weighted[]): Cut[] {
  const ranked = [...items].sort((a, b) => b.score - a.score);
  const cuts: Cut[] = [];
  let [good, bad] = [0, 0];
  ranked.forEach(({ score, onTopic, weight = 1 }, i) => {
    if (onTopic) good += weight;
    else bad += weight;
    const next = ranked[i + 1]?.score;
    if (next !== score) cuts.push({ lowestAccepted: score, highestRefused: next ?? score, good, bad, accepted: i + 1 });
  });
  return cuts;
}

function choiceOf(cut: Cut, totals: Cut, target: Unit, { prior, level = LEVEL }: PrecisionOptions): PrecisionChoice {
  const { lowestAccepted, highestRefused, good, bad, accepted } = cut;
  const recall = good / totals.good;
  const lowerBound = prior === undefined ? wilson(good, accepted, 2 * level - 1).low : boundAtPrior(cut, totals, prior, level);
  const precision = prior === undefined ? good / accepted : precisionAt(prior, shareOf(bad, totals.bad), recall);
  return { reached: lowerBound >= target, lowestAccepted, highestRefused, precision, lowerBound, recall, accepted };
}

/**
 * One-sided lower bound of precision if the share `prior` is on topic. Precision is then 1 / (1 + odds against × false-positive rate / recall), and
 * the two rates come from separate samples, the on-topic and the off-topic items. The upper bound of their ratio is MOVER-R (Donner, Zou 2012) over
 * their Wilson bounds. It would be simpler to weight items to the prior and to use Wilson at Kish's effective sample size, but that fails: without a
 * false positive it does not know the number of off-topic items. The test of coverage compares the two.
 */
function boundAtPrior({ good, bad }: Cut, totals: Cut, prior: Unit, level: Unit): Unit {
  const low = wilson(good, totals.good, 2 * level - 1).low;
  const high = wilson(bad, totals.bad, 2 * level - 1).high;
  if (low === 0) return 0;
  const [recall, falseRate] = [good / totals.good, shareOf(bad, totals.bad)];
  const product = falseRate * recall;
  const inside = product * product - high * low * (2 * falseRate - high) * (2 * recall - low);
  return precisionAt(prior, product + Math.sqrt(Math.max(0, inside)), low * (2 * recall - low));
}

function shareOf(part: number, whole: number): Unit {
  return whole === 0 ? 0 : part / whole;
}

/** Precision if the share `prior` is on topic, and if off-topic pages are accepted at `falseRate` and on-topic ones at `recall`. */
function precisionAt(prior: Unit, falseRate: number, recall: number): Unit {
  const [good, bad] = [prior * recall, (1 - prior) * falseRate];
  return good === 0 ? 0 : good / (good + bad);
}
