import { InvariantError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';
import type { Scored, Weighted } from './evaluate.ts';

/** Mean relevance and truth of the items in one band of relevance. */
export interface ReliabilityBin {
  /** The band is (low, high]; the first also contains 0. */
  readonly low: Unit;
  readonly high: Unit;
  /** Number of items, regardless of their weights. */
  readonly count: number;
  /** Share of the total weight. */
  readonly share: Unit;
  /** null if the bin is empty. */
  readonly meanRelevance: Unit | null;
  /** The share that is on topic; null if the bin is empty. */
  readonly onTopic: Unit | null;
}

/** Number of equal bands of relevance, as in Guo, Pleiss, Sun and Weinberger (2017) and most later papers. */
const BINS = 10;

/**
 * The items with weights that put `prior` of the total weight on topic and sum to their number. Figures are then those to expect if that share of
 * pages is on topic, for any share among the items. A missing class gets no replacement: the other keeps its part of the weight.
 */
export function withPrior<T extends Scored>(items: readonly T[], prior: Unit): (T & Weighted)[] {
  const onTopic = items.filter((item) => item.onTopic).length;
  const weight = { good: (prior * items.length) / onTopic, bad: ((1 - prior) * items.length) / (items.length - onTopic) };
  return items.map((item) => ({ ...item, weight: item.onTopic ? weight.good : weight.bad }));
}

/**
 * Mean squared distance of relevance from the truth (Brier 1950), in [0, 1]; 0 without items. O(n).
 * @throws InvariantError if a score is not a relevance
 */
export function brierScore(items: readonly Weighted[]): Unit {
  const total = weightOf(items);
  return total === 0 ? 0 : sumOf(items, (item) => (relevanceOf(item) - Number(item.onTopic)) ** 2) / total;
}

/**
 * Expected calibration error of relevance as P(on topic): the distance of a bin's mean relevance from its on-topic share, over ten bins of equal
 * width, each weighted by its weight (Naeini, Cooper and Hauskrecht 2015; bins as Guo et al. 2017). In [0, 1]; 0 without items. With few items the
 * figure is above 0 even for a perfect model. O(n).
 * @throws InvariantError if a score is not a relevance
 */
export function expectedCalibrationError(items: readonly Weighted[]): Unit {
  return reliabilityTable(items).reduce((sum, bin) => sum + bin.share * Math.abs((bin.meanRelevance ?? 0) - (bin.onTopic ?? 0)), 0);
}

/** The bins of `expectedCalibrationError`, from low to high, including empty ones. O(n). @throws InvariantError if a score is not a relevance. */
export function reliabilityTable(items: readonly Weighted[]): ReliabilityBin[] {
  const total = weightOf(items);
  const members: Weighted[][] = Array.from({ length: BINS }, () => []);
  for (const item of items) members[Math.max(0, Math.ceil(relevanceOf(item) * BINS) - 1)]?.push(item);
  return members.map((own, bin) => {
    const weight = weightOf(own);
    return {
      low: bin / BINS,
      high: (bin + 1) / BINS,
      count: own.length,
      share: total === 0 ? 0 : weight / total,
      meanRelevance: weight === 0 ? null : sumOf(own, relevanceOf) / weight,
      onTopic: weight === 0 ? null : sumOf(own, ({ onTopic }) => Number(onTopic)) / weight,
    };
  });
}

function weightOf(items: readonly Weighted[]): number {
  return sumOf(items, () => 1);
}

function sumOf(items: readonly Weighted[], of: (item: Weighted) => number): number {
  return items.reduce((sum, item) => sum + (item.weight ?? 1) * of(item), 0);
}

function relevanceOf({ score }: Weighted): Unit {
  if (!(score >= 0 && score <= 1)) throw new InvariantError(`a relevance is from 0 to 1, not ${score}`);
  return score;
}
