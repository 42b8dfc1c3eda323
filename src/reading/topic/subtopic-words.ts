/** Linear scores of subtopics: a page belongs to the subtopic whose words it has most of. */
import { type FeatureCounts, sublinear } from './features.ts';

/** Words of a subtopic by their buckets, the strongest first, with their weights. A page scores Σ sublinear frequency × weight. */
export interface SubtopicWords {
  readonly buckets: readonly number[];
  readonly weights: readonly number[];
}

/** The subtopic of a page: its place among them, and the score of the page divided by its length. */
export interface FoundSubtopic {
  readonly place: number;
  readonly score: number;
}

/** Finds the subtopic of a page; null for a page with none of their words. O(features of the page). */
export function subtopicFinder(subtopics: readonly SubtopicWords[]): (page: FeatureCounts) => FoundSubtopic | null {
  const byWord = new Map<number, (readonly [place: number, weight: number])[]>();
  for (const [place, { buckets, weights }] of subtopics.entries())
    for (const [i, bucket] of buckets.entries()) byWord.set(bucket, [...(byWord.get(bucket) ?? []), [place, weights[i] ?? 0]]);
  const sums = new Float64Array(subtopics.length);
  return ({ buckets, counts }) => {
    sums.fill(0);
    let squares = 0;
    for (const [i, bucket] of buckets.entries()) {
      const value = sublinear(counts[i] ?? 1);
      squares += value * value;
      for (const [place, weight] of byWord.get(bucket) ?? []) sums[place] = (sums[place] as number) + weight * value;
    }
    const most = Math.max(0, ...sums);
    return most === 0 ? null : { place: sums.indexOf(most), score: most / Math.sqrt(squares) };
  };
}
