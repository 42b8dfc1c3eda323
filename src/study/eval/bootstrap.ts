import { grouped } from '../../base/core/grouped.ts';
import { type Rng, seededRng } from '../../base/core/rng.ts';

/** One figure of one method minus that of another, on the same problem. */
export interface Observation {
  readonly topic: string;
  readonly draw: number;
  readonly difference: number;
}

/** The mean, in which each topic counts once for any number of draws and sizes; and its range in 95 of 100 resamples. */
export interface MeanInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Number of resamples, as in the bench of main texts. The standard error of the bounds is then about a fiftieth of the interval's width.
 */
const RESAMPLES = 2_000;
const LEVEL = 0.95;

/**
 * Percentile bootstrap in two steps: topics are drawn, and for each topic its draws, with all sizes of a draw. Draws of one topic share most of their
 * texts, so more draws alone say nothing about further topics. With a single topic, only the draws vary. NaN without observations.
 */
export function bootstrapMean(observations: readonly Observation[], rng: Rng = seededRng(1)): MeanInterval {
  return bootstrapMeanOfKinds([observations], rng);
}

/** Percentile bootstrap as before, where each kind counts once for any number of topics. Topics are drawn inside their kind. */
export function bootstrapMeanOfKinds(kinds: readonly (readonly Observation[])[], rng: Rng = seededRng(1)): MeanInterval {
  const known = kinds.map(topicDraws).filter((topics) => topics.length > 0);
  if (known.length === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN };
  const again = (topics: readonly number[][]) => mean(resampled(topics, rng).map((draws) => mean(resampled(draws, rng))));
  const means = Array.from({ length: RESAMPLES }, () => mean(known.map(again)));
  means.sort((a, b) => a - b);
  const at = (share: number) => means[Math.round(share * (means.length - 1))] ?? Number.NaN;
  return { mean: mean(known.map((topics) => mean(topics.map(mean)))), low: at((1 - LEVEL) / 2), high: at((1 + LEVEL) / 2) };
}

/** Means of the draws of each topic. */
function topicDraws(observations: readonly Observation[]): number[][] {
  return [...grouped(observations, ({ topic }) => topic).values()].map(drawMeans);
}

function drawMeans(observations: readonly Observation[]): number[] {
  return [...grouped(observations, ({ draw }) => draw).values()].map((own) => mean(own.map(({ difference }) => difference)));
}

function resampled<T>(items: readonly T[], rng: Rng): T[] {
  return items.map(() => items[Math.floor(rng() * items.length)] as T);
}

/** NaN without numbers. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
