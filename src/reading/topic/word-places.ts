/** Places of pages by the words that they have more often than the other pages of a crawl. */
import { type Rng, shuffled } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { leadingEigenvectors } from './eigenvectors.ts';
import { type FeatureCounts, sublinear, WORD_BUCKETS } from './features.ts';
import { ofLengthOne } from './k-means.ts';

/** The words of a page, weighted by sublinear frequency and by the rarity of each among the pages. Of length 1, or empty. */
export interface WeightedWords {
  readonly buckets: Int32Array;
  readonly values: Float64Array;
}

/** A word on one page alone joins no pages. */
const LEAST_PAGES = 2;
/** A word of more pages says nothing about a part of them. */
const MOST_SHARE: Unit = 0.8;
/** Pages that span the space, and its dimensions: as in `latentKernel`. */
const MAX_BASIS = 500;
const DIMENSIONS = 50;

/** idf = ln(pages / pages with the word) of each word bucket, by these pages; 0 for words that join none of them or nearly all. */
export function rarities(pages: readonly FeatureCounts[]): Float64Array {
  const frequency = new Float64Array(WORD_BUCKETS);
  for (const { buckets } of pages)
    for (const bucket of buckets) if (bucket < WORD_BUCKETS) frequency[bucket] = (frequency[bucket] ?? 0) + 1;
  const most = MOST_SHARE * pages.length;
  return frequency.map((count) => (count < LEAST_PAGES || count > most ? 0 : Math.log(pages.length / count)));
}

export function weightedWords({ buckets, counts }: FeatureCounts, idf: Float64Array): WeightedWords {
  const own: number[] = [];
  const values: number[] = [];
  for (const [i, bucket] of buckets.entries()) {
    const rarity = bucket < WORD_BUCKETS ? (idf[bucket] ?? 0) : 0;
    if (rarity === 0) continue;
    own.push(bucket);
    values.push(rarity * sublinear(counts[i] ?? 1));
  }
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1;
  return { buckets: Int32Array.from(own), values: Float64Array.from(values, (value) => value / length) };
}

/**
 * The places of pages in the space of words that occur together: latent semantic indexing (Deerwester et al. 1990), spanned by at most 500 pages drawn at
 * random. Of length 1; a page without such words is at 0. O(pages × 500 × words).
 */
export function latentPlaces(pages: readonly WeightedWords[], rng: Rng): Float64Array[] {
  const basis = shuffled([...pages.keys()], rng).slice(0, MAX_BASIS);
  const products = productsWith(pages, basis);
  const m = basis.length;
  const own = new Float64Array(m * m);
  for (const [i, row] of basis.entries()) own.set(products[row] as Float64Array, i * m);
  const { values, vectors } = leadingEigenvectors(own, m, Math.min(DIMENSIONS, Math.max(1, m >> 1)), rng);
  const directions = vectors.flatMap((vector, d) => {
    const value = values[d] ?? 0;
    return value <= 1e-6 * m ? [] : [vector.map((part) => part / Math.sqrt(value))];
  });
  return products.map((row) => {
    const place = Float64Array.from(directions, (direction) => along(row, direction));
    return ofLengthOne(place) ?? place;
  });
}

function along(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Inner products of each page with the pages of the basis. Shape [pages][basis]. */
function productsWith(pages: readonly WeightedWords[], basis: readonly number[]): Float64Array[] {
  const byWord = new Map<number, { readonly at: number; readonly value: number }[]>();
  for (const [at, row] of basis.entries()) {
    const { buckets, values } = pages[row] as WeightedWords;
    for (const [i, bucket] of buckets.entries()) {
      const list = byWord.get(bucket) ?? [];
      if (list.push({ at, value: values[i] as number }) === 1) byWord.set(bucket, list);
    }
  }
  return pages.map(({ buckets, values }) => {
    const row = new Float64Array(basis.length);
    for (const [i, bucket] of buckets.entries())
      for (const { at, value } of byWord.get(bucket) ?? []) row[at] = (row[at] as number) + value * (values[i] as number);
    return row;
  });
}
