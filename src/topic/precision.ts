import type { Unit } from '../core/types.ts';
import type { Scored, Weighted } from './evaluate.ts';
import { wilson } from './wilson.ts';

/** What calling everything at or above a threshold on topic would give. */
export interface CurvePoint {
  readonly threshold: number;
  readonly precision: Unit;
  readonly recall: Unit;
}

/** A threshold for a precision, with the gap it stands in. */
export interface PrecisionChoice {
  /** Whether `lowerBound` is at least what was asked for; when not, this is the threshold with the best bound there is. */
  readonly reached: boolean;
  /** The lowest score that is accepted and the highest that is not; equal to each other when nothing is refused. */
  readonly lowestAccepted: number;
  readonly highestRefused: number;
  readonly precision: Unit;
  /** One-sided bound of precision. */
  readonly lowerBound: Unit;
  readonly recall: Unit;
  /** Items at or above the threshold. */
  readonly accepted: number;
}

export interface PrecisionOptions {
  /** Of the one-sided bound. Default .95. */
  readonly level?: Unit;
  /** Share on topic where the threshold will be used, in (0, 1). Left out, the items are taken for a fair sample of it. */
  readonly prior?: Unit;
}

/** Points of a curve at the most: recall steps of a fiftieth are below what a screen shows. */
const MAX_POINTS = 50;
/** Guards a step of the curve from rounding in sums of weights. */
const ROUNDING = 1e-9;
const LEVEL = 0.95;

/**
 * Precision against recall, from strict to lenient. Every point is one of the items' own step curve: with each step, the strictest
 * threshold that finds at least the next fiftieth of the on-topic weight. Of up to 50 on-topic items that weigh alike and differ in
 * score no step is left out, and the area under the steps is the average precision. Empty when nothing is on topic. O(n log n).
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
 * The lowest threshold at which the pages at or above it, taken together, have a precision whose lower bound is at least `target`: of all
 * thresholds that meet the target the one with the highest recall. Stricter ones may miss it, for few pages prove little. The bound is
 * Wilson's; with a prior, `boundAtPrior`. That the best of many thresholds is taken does no harm where precision falls with the
 * threshold; at the worst, where scores say nothing and precision is just below the target everywhere, the bound is wrong in 16 % of
 * draws and not in 5 % (the test has both). null when nothing is on topic. O(n log n).
 */
export function thresholdForPrecision(items: readonly Scored[], target: Unit, options: PrecisionOptions = {}): PrecisionChoice | null {
  const all = cutsOf(items.map(({ score, onTopic }) => ({ score, onTopic })));
  const totals = all.at(-1);
  if (totals === undefined || totals.good === 0) return null;
  const choices = all.map((cut) => choiceOf(cut, totals, target, options));
  return choices.findLast(({ reached }) => reached) ?? choices.reduce((best, next) => (next.lowerBound > best.lowerBound ? next : best));
}

/** How many pages, all of them right, have a precision whose lower bound is at least `target`: n of n have the bound n / (n + z²). */
export function leastForPrecision(target: Unit): number {
  const squaredZ = 1 / wilson(1, 1, 2 * LEVEL - 1).low - 1;
  return Math.ceil((squaredZ * target) / (1 - target) - ROUNDING);
}

/** What is accepted by one threshold: weight on topic and off topic, and items. */
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
 * One-sided lower bound of precision where the share `prior` is on topic. Precision is then 1 / (1 + odds against × false-positive
 * rate / recall), and the two rates come from separate samples, the on-topic and the off-topic items: the upper bound of their ratio is
 * MOVER-R (Donner, Zou 2012) over their Wilson bounds. Weighting items to the prior and taking Wilson at Kish's effective sample size
 * is simpler but will not do: without a false positive it does not know how many off-topic items there were. The test of coverage
 * holds the two side by side.
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

/** Precision where the share `prior` is on topic, and off-topic pages are accepted so many times for each time on-topic ones are. */
function precisionAt(prior: Unit, falseRate: number, recall: number): Unit {
  const [good, bad] = [prior * recall, (1 - prior) * falseRate];
  return good === 0 ? 0 : good / (good + bad);
}
