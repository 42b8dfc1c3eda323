import { BUCKETS, type FeatureCounts, kindOf, sublinear } from './features.ts';

/** Inverse document frequencies of all buckets, one byte each: idf = code × step. */
export interface IdfTable {
  /** Shape [BUCKETS]. */
  readonly codes: Uint8Array;
  readonly step: number;
}

/** How much a feature counts beside a word of the main text, which counts 1. */
export interface KindFactors {
  readonly bigram: number;
  readonly title: number;
}

/**
 * Chosen on 8 topics inside cppreference, SageMath and kernel documentation, 20 examples each (datasets/background/README.md).
 * Bigrams at 0.2 gave average precision .841 inside the host, at a half .825 and at full weight .786: most of them are the site's
 * furniture. Titles at 1 or at a half differ by less than 0.01, in opposite directions inside the host and outside.
 */
export const KIND_FACTORS: KindFactors = { bigram: 0.2, title: 0.75 };

/** A page in the feature space: Euclidean length 1, or no features at all. */
export interface SparseVector {
  readonly buckets: Int32Array;
  readonly values: Float32Array;
}

/**
 * Smoothed inverse document frequency ln((N + 1) / (df + 1)) + 1, as a byte a bucket. It is never 0, so that a word of every
 * background page still counts a little. Quantised in 255 steps: an error of at most 2 % of the largest idf.
 */
export function idfTable(documentFrequency: ArrayLike<number>, documents: number): IdfTable {
  const step = (Math.log(documents + 1) + 1) / 255;
  const codes = new Uint8Array(BUCKETS);
  for (let b = 0; b < BUCKETS; b++) {
    const idf = Math.log((documents + 1) / ((documentFrequency[b] ?? 0) + 1)) + 1;
    codes[b] = Math.round(idf / step);
  }
  return { codes, step };
}

/** What a sublinear term frequency is multiplied by, for each bucket: kind factor × idf. Shape [BUCKETS]. */
export function scaleTable(idf: IdfTable, factors: KindFactors): Float32Array {
  const factorOf = { word: 1, bigram: factors.bigram, title: factors.title };
  const scale = new Float32Array(BUCKETS);
  for (let bucket = 0; bucket < BUCKETS; bucket++) scale[bucket] = (idf.codes[bucket] as number) * idf.step * factorOf[kindOf(bucket)];
  return scale;
}

/** Sublinear tf × scale, divided by its Euclidean length. */
export function weigh(counted: FeatureCounts, scale: Float32Array): SparseVector {
  const { buckets, counts } = counted;
  const raw = new Float64Array(buckets.length);
  let square = 0;
  for (let i = 0; i < raw.length; i++) {
    const value = sublinear(counts[i] ?? 0) * (scale[buckets[i] ?? 0] ?? 0);
    raw[i] = value;
    square += value * value;
  }
  const inverse = square > 0 ? 1 / Math.sqrt(square) : 0;
  return { buckets, values: Float32Array.from(raw, (value) => value * inverse) };
}
