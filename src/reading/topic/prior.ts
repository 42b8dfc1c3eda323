import { logOdds } from '../../base/core/odds.ts';
import { type Rng, shuffled } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { ASSUMED_PRIOR } from './calibrate.ts';
import type { Interval } from './wilson.ts';

/** The share of on-topic pages among unlabelled pages. */
export interface PriorEstimate extends Interval {
  /** The bounds cover chance in the selection of pages, taken one by one; not errors of calibration, nor the similarity of pages on one host. */
  readonly prior: Unit;
  /** Amount to be added to logits, in natural-log odds: from the prior of their calibration to this one. */
  readonly shift: number;
  /** Number of scores behind it. */
  readonly pages: number;
  /** Number of EM steps, and whether the last one changed almost nothing. */
  readonly iterations: number;
  readonly converged: boolean;
  /** Whether the shift may be used at all: see `estimatePrior`. */
  readonly trusted: boolean;
}

export interface PriorOptions {
  readonly rng: Rng;
  /** The prior of the logits' calibration. Default `ASSUMED_PRIOR`, as in `plattScaling`. */
  readonly trainingPrior?: Unit;
}

/** Fewer scores give a useless interval: with 50 pages, a share of .1 is known to ±.08 even if every page is labelled. */
const MIN_PAGES = 50;
/** Longer crawls are sampled: the standard error of a share of .02 is then .001. */
const MAX_PAGES = 20_000;
/** No higher estimate was right among those measured (see `estimatePrior`): it shows that the off-topic pages of the crawl are unlike those of the training. */
const MAX_TRUSTED = 0.5;
const MAX_STEPS = 1000;
/** Relative change of the prior below which EM has converged. */
const TOLERANCE = 1e-6;
/** Log-odds beyond this are certainty either way, and this limit keeps exp() finite. */
const MAX_LOG_RATIO = 30;

/** Enough for a standard error; percentiles need 1,000 (Efron, Tibshirani 1993, §6.4 and §13.3), so the second digit of the bounds is rough. */
const RESAMPLES = 200;
/** Resamples count log-odds in bins of this width: rounding by .01 moved no bound by more than .0002, where chance moves it by .01. */
const BIN = 0.02;
const LEVEL = 0.95;
const RESAMPLED_PAGES = 5000;
const RESAMPLED_STEPS = 100;
const RESAMPLED_TOLERANCE = 1e-4;

/**
 * The prior that makes the scores of unlabelled pages most likely, by EM (Saerens, Latinne, Decaestecker 2002), with a percentile bootstrap interval
 * at 95 %. null for fewer than 50 scores. The prior is kept half a page away from 0 and 1.
 *
 * It is right if the crawl's on-topic and off-topic pages score like those of the calibration, and only the shares differ. Otherwise it is wrong:
 * scores twice as steep as they should be turn a share of .02 into .09, and scores half as steep turn a share of .10 into nothing
 * (test/reading/topic/prior.test.ts). On labelled texts it is wrong more often than right, because the off-topic pages of a new host are unlike those of the
 * background; then it mostly says that everything is on topic, or nothing. Such an estimate is not `trusted`, nor is one at which EM did not
 * converge. Even a trusted one does not calibrate better than the assumed prior: on three labelled sets it changed expected calibration error from
 * .056 to .071 with unlabelled pages (8 of 12 trainings trusted) and from .202 to .216 without (2 of 12), by the command at `ASSUMED_PRIOR`. So it
 * changes no relevance and is not shown. It serves as a sign that the model does not know these pages.
 *
 * Cost: at most 20,000 × 1,000 divisions, a tenth of a second, and as much for the interval. Deterministic for equal `rng`.
 */
export function estimatePrior(logits: readonly number[], { rng, trainingPrior = ASSUMED_PRIOR }: PriorOptions): PriorEstimate | null {
  if (logits.length < MIN_PAGES) return null;
  const ratios = likelihoodRatios(logits.length > MAX_PAGES ? shuffled(logits, rng).slice(0, MAX_PAGES) : logits, trainingPrior);
  const found = settle(onceEach(ratios), trainingPrior, MAX_STEPS, TOLERANCE);
  const interval = bootstrap(ratios, found.prior, rng);
  return {
    ...found,
    ...interval,
    shift: logOdds(found.prior) - logOdds(trainingPrior),
    pages: ratios.length,
    trusted: found.converged && interval.low > leastPrior(ratios.length) && found.prior <= MAX_TRUSTED,
  };
}

/** The likelihood ratio of on-topic to off-topic pages at each score, from calibrated logits and their prior. */
export function likelihoodRatios(logits: readonly number[], trainingPrior: Unit): Float64Array {
  const offset = logOdds(trainingPrior);
  return Float64Array.from(logits, (logit) => Math.exp(Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, logit - offset))));
}

/** Scores as likelihood ratios, each with the number of pages that have it. Shapes [ratios]. */
export interface WeightedRatios {
  readonly ratios: Float64Array;
  readonly weights: Float64Array;
  /** Sum of the weights. */
  readonly pages: number;
}

/** One step of EM: the mean posterior under a prior, which is the more likely prior. */
export function emStep({ ratios, weights, pages }: WeightedRatios, prior: Unit): Unit {
  let sum = 0;
  for (let i = 0; i < ratios.length; i++) {
    const ratio = prior * (ratios[i] as number);
    sum += ((weights[i] as number) * ratio) / (ratio + 1 - prior);
  }
  return sum / pages;
}

/** Each score is of one page. */
export function onceEach(ratios: Float64Array): WeightedRatios {
  return { ratios, weights: new Float64Array(ratios.length).fill(1), pages: ratios.length };
}

interface Settled {
  readonly prior: Unit;
  readonly iterations: number;
  readonly converged: boolean;
}

function settle(ratios: WeightedRatios, start: Unit, maxSteps: number, tolerance: number): Settled {
  const least = leastPrior(ratios.pages);
  let prior = start;
  for (let iterations = 1; iterations <= maxSteps; iterations++) {
    const next = Math.max(least, Math.min(1 - least, emStep(ratios, prior)));
    if (Math.abs(next - prior) <= tolerance * prior) return { prior: next, iterations, converged: true };
    prior = next;
  }
  return { prior, iterations: maxSteps, converged: false };
}

/** Half a page. */
function leastPrior(pages: number): Unit {
  return 0.5 / pages;
}

/** Equal likelihood ratios together: their number is the weight. Shapes [bins]. */
interface Bins {
  readonly ratios: Float64Array;
  /** Bin of each score. Shape [scores]. */
  readonly binOf: Uint16Array;
}

/** A bin for each `BIN` of log-odds that has a score. */
function binned(ratios: Float64Array): Bins {
  const places = new Map<number, number>();
  const binOf = Uint16Array.from(ratios, (ratio) => {
    const at = Math.round(Math.log(ratio) / BIN);
    const place = places.get(at) ?? places.size;
    places.set(at, place);
    return place;
  });
  return { ratios: Float64Array.from(places.keys(), (at) => Math.exp(at * BIN)), binOf };
}

/** Percentile bootstrap (Efron, Tibshirani 1993, §13.3). At most 5,000 scores a resample: with more scores, the interval is wider than necessary. */
function bootstrap(all: Float64Array, prior: Unit, rng: Rng): Interval {
  const { ratios, binOf } = binned(all);
  const pages = Math.min(all.length, RESAMPLED_PAGES);
  const priors = Array.from({ length: RESAMPLES }, () => {
    const weights = new Float64Array(ratios.length);
    for (let i = 0; i < pages; i++) {
      const bin = binOf[Math.floor(rng() * binOf.length)] ?? 0;
      weights[bin] = (weights[bin] ?? 0) + 1;
    }
    return settle({ ratios, weights, pages }, prior, RESAMPLED_STEPS, RESAMPLED_TOLERANCE).prior;
  }).sort((a, b) => a - b);
  const at = (share: number) => priors[Math.round(share * (RESAMPLES - 1))] ?? prior;
  return { low: Math.min(prior, at((1 - LEVEL) / 2)), high: Math.max(prior, at((1 + LEVEL) / 2)) };
}
