/** Places of pages by the directions of their words: pages are alike if their words are, also words that no example has. */
import type { Rng } from '../../base/core/rng.ts';
import { dot, leadingEigenvectors } from './eigenvectors.ts';
import { type FeatureCounts, sublinear, WORD_BUCKETS } from './features.ts';
import { LENGTH_DIRECTIONS, type LengthCodes, lengthMeter } from './meaning-tables.ts';
import type { IdfTable } from './weighting.ts';
import type { WordVectors } from './word-vectors.ts';

/** Greatest codes. */
const MOST_CODE = 127;
const MOST_REST = 255;

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
  const [common, ...others] = leadingDirections(sums, vectors.dimensions, rng);
  return common === undefined ? null : { vectors, idf, common, lengths: lengthCodes(vectors, idf, common, others) };
}

/** Σ tf × idf × vector over the words of a page that have one. */
function meaningSum({ buckets, counts }: FeatureCounts, { rows, table, dimensions }: WordVectors, idf: IdfTable): Float64Array {
  const sum = new Float64Array(dimensions);
  for (let i = 0; i < buckets.length; i++) {
    const bucket = buckets[i] as number;
    const row = bucket < WORD_BUCKETS ? (rows[bucket] as number) : -1;
    if (row < 0) continue;
    const value = sublinear(counts[i] as number) * idfOf(idf, bucket);
    for (let d = 0, at = row * dimensions; d < dimensions; d++, at++) sum[d] = (sum[d] as number) + value * (table[at] as number);
  }
  return sum;
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
  const { values, vectors } = leadingEigenvectors(matrix, dimensions, Math.min(1 + LENGTH_DIRECTIONS, dimensions), rng);
  return vectors.filter((_, d) => (values[d] as number) > 1e-9 * sums.length);
}

function addProducts(matrix: Float64Array, vector: Float64Array, share: number): void {
  const n = vector.length;
  for (let i = 0; i < n; i++) {
    const own = share * (vector[i] as number);
    for (let j = 0; j < n; j++) matrix[i * n + j] = (matrix[i * n + j] as number) + own * (vector[j] as number);
  }
}

function lengthCodes(vectors: WordVectors, idf: IdfTable, common: Float64Array, directions: readonly Float64Array[]): LengthCodes {
  const { buckets } = vectors;
  const parts = new Float64Array(buckets.length * LENGTH_DIRECTIONS);
  const rests = new Float64Array(buckets.length);
  buckets.forEach((bucket, row) => {
    const vector = vectorAt(vectors, row);
    const weight = idfOf(idf, bucket);
    let rest = squareOf(vector) - dotOfWord(common, vector) ** 2;
    directions.forEach((direction, d) => {
      const part = dotOfWord(direction, vector);
      parts[row * LENGTH_DIRECTIONS + d] = weight * part;
      rest -= part * part;
    });
    rests[row] = weight * Math.sqrt(Math.max(0, rest));
  });
  const step = Math.max(greatest(parts) / MOST_CODE, greatest(rests) / MOST_REST) || 1;
  const codes = Int8Array.from(parts, (part) => Math.round(part / step));
  return { buckets, codes, rests: Uint8Array.from(rests, (rest) => Math.round(rest / step)), step };
}

function greatest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The place of each page: its sum of words, less its component along the common direction, divided by its length. All 0 for a page of length 0. */
export function meaningPlaces(pages: readonly FeatureCounts[], { vectors, idf, common, lengths }: MeaningSpace): Float64Array[] {
  const lengthOf = lengthMeter(lengths);
  return pages.map((counts) => {
    const length = lengthOf(counts);
    if (length === 0) return new Float64Array(vectors.dimensions);
    const sum = meaningSum(counts, vectors, idf);
    return without(sum, common).map((part) => part / length);
  });
}

/**
 * The weight of meanings beside words. Places are dense, so those of any two pages have much more in common than their words: a quarter is a lot. Average
 * precision from 5 examples alone, by the share .0, .1, .2, .5: agency-news .45, .63, .71, .73; debian-web .27, .30, .29, .28.
 */
const SHARE = 0.25;

/**
 * Share where examples alone are given. They tell little of their subject, however many they are: .535 with the falling share became .546, mean of 5 and
 * 30 examples on five sets of English texts (`npm run bench -- topic --methods forager-alone`, one draw that chose it too).
 */
const SHARE_ALONE = 0.2;

/** Share of meanings with so many examples. Beside other pages, they show the words of a topic themselves: ten halve it. */
export function meaningShare(examples: number, others: number): number {
  return others === 0 ? SHARE_ALONE : SHARE / (1 + 0.1 * examples);
}

/**
 * The factor of E·Eᵀ with which the mean of its diagonal over the given rows is `share` × that of the kernel of words.
 * @returns 0 if no given row has a place
 */
export function meaningFactor(words: Float32Array, places: readonly Float64Array[], given: readonly number[], share: number): number {
  const n = places.length;
  const own = given.reduce((sum, row) => sum + squareOf(places[row] ?? []), 0);
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

/**
 * The weights of words that score all pages as the coefficients of a kernel's rows do: u = factor × Eᵀ·α, and idf × u·vector for each word. Shape [buckets].
 * @param factor of E·Eᵀ in the kernel, times its scale
 */
export function meaningWeights(
  { vectors, idf, common }: Pick<MeaningSpace, 'vectors' | 'idf' | 'common'>,
  places: readonly Float64Array[],
  alpha: ArrayLike<number>,
  factor: number,
): Float32Array {
  const sum = new Float64Array(vectors.dimensions);
  places.forEach((place, i) => {
    const share = factor * (alpha[i] ?? 0);
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] as number) + share * (place[d] as number);
  });
  const direction = without(sum, common);
  return Float32Array.from(vectors.buckets, (bucket, row) => idfOf(idf, bucket) * dotOfWord(direction, vectorAt(vectors, row)));
}

function vectorAt({ table, dimensions }: WordVectors, row: number): Int8Array {
  return table.subarray(row * dimensions, (row + 1) * dimensions);
}

/** A vector less its component along a direction of length 1. */
function without(vector: Float64Array, direction: Float64Array): Float64Array {
  const along = dot(direction, vector);
  return vector.map((part, d) => part - along * (direction[d] as number));
}

function squareOf(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (vector[i] as number);
  return sum;
}

/** Inner product with the bytes of a word. */
function dotOfWord(a: Float64Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
