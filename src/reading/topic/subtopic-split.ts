/** Subtopics of pages: groups of pages with like words, and the linear scores that assign further pages to them. */
import { seededRng } from '../../base/core/rng.ts';
import type { FeatureCounts } from './features.ts';
import { type Clusters, clustersOf, silhouette } from './k-means.ts';
import type { SubtopicWords } from './subtopic-words.ts';
import { latentPlaces, rarities, type WeightedWords, weightedWords } from './word-places.ts';

/** A person can look through a dozen. */
export const MOST_SUBTOPICS = 12;
/** A mean of fewer pages is that of a few of them. */
const LEAST_PAGES = 10;
/**
 * The silhouette grows slowly with the number of groups, and chapters of one manual become groups of their own: the least number with so much of the
 * greatest silhouette. On ten mixtures of two to six subjects of the Debian web, .75 to .95 of the pages were of the main subject of their group.
 */
const NEARLY_BEST = 0.9;
const NUMBER_PAGES = 1000;
/** Words of a subtopic. Of the pages of those mixtures, .96 to .99 are assigned to the group that k-means gave them. */
const MOST_WORDS = 400;

/**
 * Groups pages by their words. Deterministic for equal pages and seed. O(pages × words × 500).
 * @param groups null chooses the least number from 1 to 12 whose silhouette is nearly the best
 * @returns the words of each group that tell it from the others; none without pages
 */
export function splitPages(pages: readonly FeatureCounts[], groups: number | null, seed: number): SubtopicWords[] {
  const idf = rarities(pages);
  const words = pages.map((page) => weightedWords(page, idf)).filter(({ buckets }) => buckets.length > 0);
  if (words.length === 0) return [];
  const places = latentPlaces(words, seededRng(seed));
  const { of } = groups === null ? bestClusters(places, seed) : clustersOf(places, groups, seed);
  return wordsOf(words, of, idf);
}

/** The number is chosen on every n-th page: a thousand tell it. */
function bestClusters(places: readonly Float64Array[], seed: number): Clusters {
  const step = Math.ceil(places.length / NUMBER_PAGES);
  const some = places.filter((_, i) => i % step === 0);
  const most = Math.max(1, Math.min(MOST_SUBTOPICS, Math.floor(some.length / LEAST_PAGES)));
  const all = Array.from({ length: most }, (_, i) => clustersOf(some, i + 1, seed));
  const silhouettes = all.map((clusters) => silhouette(some, clusters));
  const enough = NEARLY_BEST * Math.max(...silhouettes);
  const best = silhouettes.findIndex((value) => value >= enough);
  return step === 1 ? (all[best] as Clusters) : clustersOf(places, best + 1, seed);
}

/** The words of each group: those of its mean that are stronger than in the mean of all. Groups without pages are omitted. */
function wordsOf(pages: readonly WeightedWords[], of: Int32Array, idf: Float64Array): SubtopicWords[] {
  const sums = new Map<number, Map<number, number>>();
  const all = new Map<number, number>();
  for (const [i, { buckets, values }] of pages.entries()) {
    const group = of[i] as number;
    const sum = sums.get(group) ?? new Map<number, number>();
    sums.set(group, sum);
    for (const [n, bucket] of buckets.entries())
      for (const one of [sum, all]) one.set(bucket, (one.get(bucket) ?? 0) + (values[n] as number));
  }
  return [...sums].sort(([a], [b]) => a - b).map(([, sum]) => strongest(sum, all, idf));
}

function strongest(sum: ReadonlyMap<number, number>, all: ReadonlyMap<number, number>, idf: Float64Array): SubtopicWords {
  const length = lengthOf(sum) || 1;
  const lengthOfAll = lengthOf(all) || 1;
  const ranked = [...sum]
    .map(([bucket, value]) => ({ bucket, weight: value / length - (all.get(bucket) ?? 0) / lengthOfAll }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.bucket - b.bucket)
    .slice(0, MOST_WORDS);
  return {
    buckets: ranked.map(({ bucket }) => bucket),
    // A page is compared by sublinear frequencies, which do not have the idf yet.
    weights: ranked.map(({ bucket, weight }) => Math.fround(weight * (idf[bucket] ?? 0))),
  };
}

function lengthOf(sum: ReadonlyMap<number, number>): number {
  let squares = 0;
  for (const value of sum.values()) squares += value * value;
  return Math.sqrt(squares);
}
