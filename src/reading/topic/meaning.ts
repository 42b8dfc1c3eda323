/** Places of pages by the directions of their words: pages are alike if their words are, also words that no example has. */
import type { Rng } from '../../base/core/rng.ts';
import { dot, leadingEigenvectors } from './eigenvectors.ts';
import { type FeatureCounts, sublinear, WORD_BUCKETS } from './features.ts';
import type { IdfTable } from './weighting.ts';
import type { WordVectors } from './word-vectors.ts';

/** Leading directions of the background that a page's length is measured in: with 16 or all 256, average precision was no better. */
const LENGTH_DIRECTIONS = 8;
/** Greatest code. */
const MOST_CODE = 127;

/**
 * The part of each word in a page's length: a row of small integers for each word bucket with a vector. A model stores them, so the kernel measures
 * with them too: then both agree.
 */
export interface LengthCodes {
  /** Row of each word bucket; -1 without a vector. Shape [WORD_BUCKETS]. */
  readonly rows: Int32Array;
  /** Idf × the parts of the word's vector in the leading directions, in steps. Shape [rows, directions]. */
  readonly codes: Int8Array;
  readonly step: number;
  readonly directions: number;
}

/** The vectors of words, weighed by the background. */
export interface MeaningSpace {
  readonly vectors: WordVectors;
  readonly idf: IdfTable;
  /** The first direction of the background, which all pages have in common. Of length 1. */
  readonly common: Float64Array;
  readonly lengths: LengthCodes;
}

/**
 * The space of meanings. Deterministic for equal `rng`. O(features of the background × dimensions).
 * @param idf of the background, not of the training pages: words that no example has count too
 * @returns null if no page of the background has a word with a vector
 */
export function meaningSpace(background: readonly FeatureCounts[], vectors: WordVectors, idf: IdfTable, rng: Rng): MeaningSpace | null {
  const sums = background.map((counts) => meaningSum(counts, vectors, idf));
  const directions = leadingDirections(sums, vectors.dimensions, rng);
  const [common] = directions;
  return common === undefined ? null : { vectors, idf, common, lengths: lengthCodes(vectors, idf, directions) };
}

/** Σ tf × idf × vector over the words of a page that have one. */
function meaningSum({ buckets, counts }: FeatureCounts, vectors: WordVectors, idf: IdfTable): Float64Array {
  const sum = new Float64Array(vectors.dimensions);
  for (let i = 0; i < buckets.length; i++) {
    const vector = vectorOf(vectors, buckets[i] as number);
    if (vector === null) continue;
    const value = sublinear(counts[i] as number) * idfOf(idf, buckets[i] as number);
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] as number) + value * (vector[d] as number);
  }
  return sum;
}

function vectorOf(vectors: WordVectors, bucket: number): Int8Array | null {
  return bucket < WORD_BUCKETS ? vectors.of(bucket) : null;
}

function idfOf(idf: IdfTable, bucket: number): number {
  return (idf.codes[bucket] as number) * idf.step;
}

/** The directions that most of the pages share, each page with the same weight; fewer than asked for if the pages span fewer. */
function leadingDirections(sums: readonly Float64Array[], dimensions: number, rng: Rng): readonly Float64Array[] {
  const matrix = new Float64Array(dimensions ** 2);
  for (const sum of sums) {
    const square = dot(sum, sum);
    if (square > 0) addProducts(matrix, sum, 1 / square);
  }
  const { values, vectors } = leadingEigenvectors(matrix, dimensions, Math.min(LENGTH_DIRECTIONS, dimensions), rng);
  return vectors.filter((_, d) => (values[d] as number) > 1e-9 * sums.length);
}

function addProducts(matrix: Float64Array, vector: Float64Array, share: number): void {
  const n = vector.length;
  for (let i = 0; i < n; i++) {
    const own = share * (vector[i] as number);
    for (let j = 0; j < n; j++) matrix[i * n + j] = (matrix[i * n + j] as number) + own * (vector[j] as number);
  }
}

function lengthCodes(vectors: WordVectors, idf: IdfTable, directions: readonly Float64Array[]): LengthCodes {
  const buckets = coveredBuckets(vectors);
  const rows = new Int32Array(WORD_BUCKETS).fill(-1);
  const parts = new Float64Array(buckets.length * directions.length);
  buckets.forEach((bucket, row) => {
    rows[bucket] = row;
    const vector = vectors.of(bucket) as Int8Array;
    directions.forEach((direction, d) => {
      parts[row * directions.length + d] = idfOf(idf, bucket) * dotOfWord(direction, vector);
    });
  });
  const step = parts.reduce((most, part) => Math.max(most, Math.abs(part)), 0) / MOST_CODE || 1;
  return { rows, codes: Int8Array.from(parts, (part) => Math.round(part / step)), step, directions: directions.length };
}

/** The word buckets with a vector, ascending. */
function coveredBuckets(vectors: WordVectors): number[] {
  return [...Array(WORD_BUCKETS).keys()].filter((bucket) => vectors.of(bucket) !== null);
}

/** Length of a page's meaning in the leading directions; 0 for a page without words that have vectors. */
export function meaningLength({ buckets, counts }: FeatureCounts, { rows, codes, step, directions }: LengthCodes): number {
  const sums = new Float64Array(directions);
  for (let i = 0; i < buckets.length; i++) {
    const row = rows[buckets[i] as number] ?? -1;
    if (row < 0) continue;
    const tf = sublinear(counts[i] as number);
    for (let d = 0; d < directions; d++) sums[d] = (sums[d] as number) + tf * (codes[row * directions + d] as number);
  }
  return step * Math.sqrt(dot(sums, sums));
}

/** A page's place: its sum of words, less its component along the common direction, divided by its length. All 0 for a page of length 0. */
export function meaningPlace(counts: FeatureCounts, { vectors, idf, common, lengths }: MeaningSpace): Float64Array {
  const length = meaningLength(counts, lengths);
  if (length === 0) return new Float64Array(vectors.dimensions);
  const sum = meaningSum(counts, vectors, idf);
  const along = dot(common, sum);
  return sum.map((part, d) => (part - along * (common[d] as number)) / length);
}

/**
 * The weight of meanings beside words, which falls with the number of examples: many examples show the words of a topic themselves. On news, always 1
 * cost .005 with 100 examples.
 */
export function meaningShare(examples: number): number {
  return 1 / (1 + 0.1 * examples);
}

/**
 * The factor of E·Eᵀ with which the mean of its diagonal over the given rows is `share` × that of the kernel of words.
 * @returns 0 if no given row has a place
 */
export function meaningFactor(words: Float32Array, places: readonly Float64Array[], given: readonly number[], share: number): number {
  const n = places.length;
  const own = given.reduce((sum, row) => sum + squareOf(places[row]), 0);
  const ofWords = given.reduce((sum, row) => sum + (words[row * n + row] ?? 0), 0);
  return own > 0 ? (share * ofWords) / own : 0;
}

/** A kernel with meanings, whose diagonal is at most 1. */
export interface MeaningKernel {
  /** scale × (the kernel before + factor × E·Eᵀ). Shape [rows, rows]. */
  readonly kernel: Float32Array;
  readonly scale: number;
}

/** Adds the inner products of places to a kernel, in O(rows² × dimensions). @param places one a row of the kernel */
export function meaningKernel(kernel: Float32Array, places: readonly Float64Array[], factor: number): MeaningKernel {
  const n = places.length;
  const most = places.reduce((so, place, i) => Math.max(so, (kernel[i * n + i] ?? 0) + factor * squareOf(place)), 1);
  const scale = 1 / most;
  const out = new Float32Array(n * n);
  places.forEach((place, i) => {
    for (let j = 0; j <= i; j++) {
      const value = scale * ((kernel[i * n + j] as number) + factor * dot(place, places[j] as Float64Array));
      out[i * n + j] = value;
      out[j * n + i] = value;
    }
  });
  return { kernel: out, scale };
}

function squareOf(place: Float64Array | undefined): number {
  return place === undefined ? 0 : dot(place, place);
}

/** The part of a model that judges by meaning: linear in x / length. */
export interface MeaningWeights {
  readonly lengths: LengthCodes;
  /** Weight of each row of `lengths`. */
  readonly weights: Float32Array;
}

/**
 * The weights of words that score all pages as the coefficients of a kernel's rows do: u = factor × Eᵀ·α, and idf × u·vector for each word.
 * @param factor of E·Eᵀ in the kernel, times its scale
 */
export function meaningWeights(
  { vectors, idf, common, lengths }: MeaningSpace,
  places: readonly Float64Array[],
  alpha: ArrayLike<number>,
  factor: number,
): MeaningWeights {
  const sum = new Float64Array(vectors.dimensions);
  places.forEach((place, i) => {
    const share = factor * (alpha[i] ?? 0);
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] as number) + share * (place[d] as number);
  });
  const along = dot(common, sum);
  const direction = sum.map((part, d) => part - along * (common[d] as number));
  const weights = new Float32Array(lengths.codes.length / lengths.directions);
  coveredBuckets(vectors).forEach((bucket, row) => {
    weights[row] = idfOf(idf, bucket) * dotOfWord(direction, vectors.of(bucket) as Int8Array);
  });
  return { lengths, weights };
}

/** The part of each feature of a page in its logit by meaning, in order; their sum is exact. */
export function meaningTerms(counts: FeatureCounts, { lengths, weights }: MeaningWeights): Float64Array {
  const length = meaningLength(counts, lengths);
  return Float64Array.from(counts.buckets, (bucket, i) => {
    const row = lengths.rows[bucket] ?? -1;
    return row < 0 || length === 0 ? 0 : (sublinear(counts.counts[i] as number) * (weights[row] as number)) / length;
  });
}

/** Distinct word buckets of some pages, and how many of them have a vector. */
export function meaningCoverage(
  pages: Iterable<FeatureCounts>,
  vectors: WordVectors,
): { readonly words: number; readonly covered: number } {
  const words = new Set<number>();
  for (const { buckets } of pages) for (const bucket of buckets) if (bucket < WORD_BUCKETS) words.add(bucket);
  return { words: words.size, covered: [...words].filter((bucket) => vectors.of(bucket) !== null).length };
}

/** Inner product with the bytes of a word. */
function dotOfWord(a: Float64Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
