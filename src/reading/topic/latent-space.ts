import { type Rng, shuffled } from '../../base/core/rng.ts';
import { leadingEigenvectors } from './eigenvectors.ts';
import { countOf } from './training-method.ts';
import type { TrainingRow } from './training-set.ts';

/** Number of dimensions. With 50, Russian manuals lost .02 more and the rest gained as much (see `SHARE`). */
const DIMENSIONS = 100;

/**
 * The mean squared length of a training page in the latent space, divided by that of its words, with `FULL_PAGES` pages or more. Fewer show less of
 * the words that occur together: with the full share, a pool of 80 pages of one manual (Russian, on Debian) cost .11.
 *
 * Average precision with a pool of at most 400 texts and 5, 10 and 30 examples, mean of the languages and topics (`npm run bench -- topic --draws 1`):
 * reuters +.017, brown +.002, spam +.003, debian-web +.021, manuals +.002 and in no language less. Twice the share: +.001 to +.002 on the first four,
 * −.003 on Russian manuals. Rejected on a part of them: dimensions divided by their singular values (spam −.03, Russian manuals −.03), also squared (−.08,
 * −.04); the background among the pages that span the space (+.002 instead of +.027 on reuters and brown with 5 and 30 examples); then unlabelled pages
 * with high held-out scores as examples (brown −.08).
 */
const SHARE = 1;
const FULL_PAGES = 400;

/** Pages that span the space are drawn from the others, at random: the cost of the eigenvectors grows with the square of their number. */
const MAX_PAGES = 500;

/** Least number of pages. With fewer, the space is that of the words themselves, and each page is a dimension of its own. */
const MIN_PAGES = 50;

/** A kernel of words and latent dimensions, and the way back to words. */
export interface LatentKernel {
  /** Shape [rows, rows]; no diagonal entry above 1. */
  readonly kernel: Float32Array;
  /** The coefficients of the rows' words that score all pages as the coefficients of this kernel do. */
  toWords(alpha: Float32Array): Float32Array;
}

/**
 * Adds latent dimensions to a kernel of words: latent semantic indexing (Deerwester et al. 1990), as a kernel (Cristianini, Shawe-Taylor and Lodhi
 * 2002). Pages that share no words are alike if their words occur together in the pages of the pool.
 *
 * The dimensions are right singular vectors of the word vectors X of the pool and the training pages, without the first, which is near their mean
 * and the same for all of them. The background spans none of them: it has other subjects. As V = Xᵀ·U·S⁻¹, everything follows from the inner
 * products, and a page's latent part is linear in its words: judging costs the same as without.
 * @returns null if there is no pool, or too few pages. The space of labelled pages alone gained nothing (reuters +.01, spam and debian-web −.01)
 */
export function latentKernel(rows: readonly TrainingRow[], kernel: Float32Array, rng: Rng): LatentKernel | null {
  const near = [...rows.keys()].filter((i) => rows[i]?.role !== 'background');
  if (countOf(rows, 'extra') === 0 || near.length < MIN_PAGES) return null;
  const basis = shuffled(near, rng)
    .slice(0, MAX_PAGES)
    .sort((a, b) => a - b);
  const directions = directionsOf(kernel, rows.length, basis, rng);
  const places = latentPlaces(kernel, rows.length, basis, directions);
  const lengths = rows.map((_, i) => places.reduce((sum, place) => sum + (place[i] as number) ** 2, 0));
  const share = SHARE * Math.min(1, (near.length / FULL_PAGES) ** 2);
  const factor = (share * sumOf(near, (i) => kernel[i * rows.length + i] ?? 0)) / sumOf(near, (i) => lengths[i] ?? 0);
  if (!Number.isFinite(factor)) return null;
  const longest = lengths.reduce((most, length, i) => Math.max(most, (kernel[i * rows.length + i] ?? 0) + factor * length), 1);
  return {
    kernel: joined(kernel, places, factor, 1 / longest),
    toWords(alpha) {
      const out = alpha.map((share) => share / longest);
      directions.forEach((direction, d) => {
        const place = places[d] as Float64Array;
        const along = (factor / longest) * alpha.reduce((sum, share, i) => sum + share * (place[i] as number), 0);
        basis.forEach((row, at) => {
          out[row] = (out[row] as number) + along * (direction[at] as number);
        });
      });
      return out;
    },
  };
}

/** Each latent dimension as coefficients of the word vectors of `basis`, of length 1 in the space of words. */
function directionsOf(kernel: Float32Array, n: number, basis: readonly number[], rng: Rng): Float64Array[] {
  const m = basis.length;
  const own = new Float64Array(m * m);
  basis.forEach((row, i) => {
    basis.forEach((column, j) => {
      own[i * m + j] = kernel[row * n + column] as number;
    });
  });
  // A space of all pages but a few is that of their words.
  const { values, vectors } = leadingEigenvectors(own, m, Math.min(DIMENSIONS + 1, m >> 1), rng);
  const smallest = 1e-6 * (values[0] ?? 0);
  return vectors.flatMap((vector, d) => {
    const value = values[d] as number;
    return d === 0 || value <= smallest ? [] : [vector.map((part) => part / Math.sqrt(value))];
  });
}

/** The place of every row along each direction: shape [directions][rows]. */
function latentPlaces(kernel: Float32Array, n: number, basis: readonly number[], directions: readonly Float64Array[]): Float64Array[] {
  return directions.map((direction) => {
    const place = new Float64Array(n);
    basis.forEach((row, at) => {
      const share = direction[at] as number;
      for (let i = 0; i < n; i++) place[i] = (place[i] as number) + share * (kernel[row * n + i] as number);
    });
    return place;
  });
}

/** scale × (kernel + factor × the inner products of the places). */
function joined(kernel: Float32Array, places: readonly Float64Array[], factor: number, scale: number): Float32Array {
  const n = Math.round(Math.sqrt(kernel.length));
  const out = new Float32Array(n * n);
  const row = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    row.fill(0, 0, i + 1);
    for (const place of places) {
      const own = place[i] as number;
      for (let j = 0; j <= i; j++) row[j] = (row[j] as number) + own * (place[j] as number);
    }
    for (let j = 0; j <= i; j++) {
      const value = scale * ((kernel[i * n + j] as number) + factor * (row[j] as number));
      out[i * n + j] = value;
      out[j * n + i] = value;
    }
  }
  return out;
}

function sumOf(rows: readonly number[], lengthOf: (row: number) => number): number {
  return rows.reduce((sum, row) => sum + lengthOf(row), 0);
}
