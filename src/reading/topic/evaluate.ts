import type { Unit } from '../../base/core/types.ts';

/** A score and the truth that it should follow. */
export interface Scored {
  readonly score: number;
  readonly onTopic: boolean;
}

/** A scored item that counts as `weight` items; 1 if absent. */
export interface Weighted extends Scored {
  readonly weight?: number;
}

/** The agreement of the pages at or above a threshold with the truth. A ratio without cases is 0. */
export interface ThresholdReport {
  readonly threshold: number;
  readonly precision: Unit;
  readonly recall: Unit;
  readonly f1: Unit;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
}

/**
 * Mean over the on-topic items of the precision at their rank, in [0, 1]; 0 if nothing is on topic. Ties are pessimistic: among equal scores the
 * off-topic items rank first, so a model that gives everything the same score gains nothing. O(n log n).
 */
export function averagePrecision(items: readonly Scored[]): Unit {
  const ranked = [...items].sort((a, b) => b.score - a.score || Number(a.onTopic) - Number(b.onTopic));
  let found = 0;
  let sum = 0;
  ranked.forEach((item, rank) => {
    if (!item.onTopic) return;
    found++;
    sum += found / (rank + 1);
  });
  return found === 0 ? 0 : sum / found;
}

/**
 * Probability that a random on-topic item scores above a random off-topic one, with a tie counting half (the Mann–Whitney statistic); ½ if one of the
 * classes is empty. O(n log n).
 */
export function rocAuc(items: readonly Scored[]): Unit {
  const ranked = [...items].sort((a, b) => a.score - b.score);
  const positives = ranked.filter((item) => item.onTopic).length;
  const negatives = ranked.length - positives;
  if (positives === 0 || negatives === 0) return 0.5;
  let rankSum = 0;
  for (let start = 0; start < ranked.length; ) {
    const end = endOfTie(ranked, start);
    const meanRank = (start + 1 + end) / 2;
    for (let i = start; i < end; i++) if (ranked[i]?.onTopic) rankSum += meanRank;
    start = end;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

function endOfTie(ranked: readonly Scored[], start: number): number {
  let end = start + 1;
  while (end < ranked.length && ranked[end]?.score === ranked[start]?.score) end++;
  return end;
}

/** Precision, recall and F1 if everything at or above `threshold` is called on topic. O(n). */
export function atThreshold(items: readonly Scored[], threshold: number): ThresholdReport {
  const accepted = items.filter((item) => item.score >= threshold);
  const truePositives = accepted.filter((item) => item.onTopic).length;
  const positives = items.filter((item) => item.onTopic).length;
  return reportOf(threshold, truePositives, accepted.length - truePositives, positives, items.length - positives);
}

function reportOf(threshold: number, truePositives: number, falsePositives: number, positives: number, negatives: number): ThresholdReport {
  const accepted = truePositives + falsePositives;
  return {
    threshold,
    precision: accepted === 0 ? 0 : truePositives / accepted,
    recall: positives === 0 ? 0 : truePositives / positives,
    f1: accepted + positives === 0 ? 0 : (2 * truePositives) / (accepted + positives),
    truePositives,
    falsePositives,
    falseNegatives: positives - truePositives,
    trueNegatives: negatives - falsePositives,
  };
}

/** A threshold with the gap that contains it. */
export interface ThresholdChoice {
  /** The lowest accepted score and the highest refused one; equal if nothing is refused. */
  readonly lowestAccepted: number;
  readonly highestRefused: number;
  readonly report: ThresholdReport;
}

/** The threshold with the highest F1, the stricter of equal ones; counts of its report are weights. O(n log n). @returns null if nothing is on topic. */
export function bestF1(items: readonly Weighted[]): ThresholdChoice | null {
  const ranked = [...items].sort((a, b) => b.score - a.score);
  const weightOf = (kind: boolean) => ranked.reduce((sum, { onTopic, weight = 1 }) => sum + (onTopic === kind ? weight : 0), 0);
  const [positives, negatives] = [weightOf(true), weightOf(false)];
  if (positives === 0) return null;
  let best: ThresholdChoice | null = null;
  let [truePositives, falsePositives] = [0, 0];
  ranked.forEach(({ score, onTopic, weight = 1 }, i) => {
    if (onTopic) truePositives += weight;
    else falsePositives += weight;
    const next = ranked[i + 1]?.score ?? score;
    if (next === score && i + 1 < ranked.length) return;
    const report = reportOf(score, truePositives, falsePositives, positives, negatives);
    if (best === null || report.f1 > best.report.f1) best = { lowestAccepted: score, highestRefused: next, report };
  });
  return best;
}
