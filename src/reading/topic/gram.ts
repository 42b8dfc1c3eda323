import { BUCKETS } from './features.ts';
import type { SparseVector } from './weighting.ts';

/**
 * All inner products of the vectors: K = X·Xᵀ, shape [n, n], row-major. It uses an inverted index, so the cost is the number of shared features and
 * not n² × features; n = 4,000 pages take 64 MB, and the index 8 bytes a feature of a page.
 */
export function gramMatrix(vectors: readonly SparseVector[]): Float32Array {
  const n = vectors.length;
  const kernel = new Float32Array(n * n);
  const starts = startsOf(vectors);
  /** The rows and values that have been met, those of a bucket next to each other. */
  const rows = new Int32Array(starts[BUCKETS] as number);
  const values = new Float32Array(rows.length);
  const ends = starts.slice();
  const row = new Float64Array(n);
  vectors.forEach(({ buckets, values: own }, i) => {
    row.fill(0, 0, i + 1);
    for (let k = 0; k < buckets.length; k++) {
      const value = own[k] as number;
      if (value === 0) continue;
      const bucket = buckets[k] as number;
      const end = ends[bucket] as number;
      rows[end] = i;
      values[end] = value;
      ends[bucket] = end + 1;
      for (let p = starts[bucket] as number; p <= end; p++) {
        const j = rows[p] as number;
        row[j] = (row[j] as number) + value * (values[p] as number);
      }
    }
    for (let j = 0; j <= i; j++) {
      kernel[i * n + j] = row[j] as number;
      kernel[j * n + i] = row[j] as number;
    }
  });
  return kernel;
}

/** The inner products of chosen vectors, in that order: rows and columns of a `gramMatrix` of `n` vectors. Shape [chosen, chosen]. */
export function kernelOf(kernel: Float32Array, n: number, chosen: readonly number[]): Float32Array {
  const out = new Float32Array(chosen.length ** 2);
  chosen.forEach((row, i) => {
    chosen.forEach((column, j) => {
      out[i * chosen.length + j] = kernel[row * n + column] as number;
    });
  });
  return out;
}

/** The place of each bucket's first entry in an index of all features other than 0, and the length of the index. Shape [BUCKETS + 1]. */
function startsOf(vectors: readonly SparseVector[]): Int32Array {
  const starts = new Int32Array(BUCKETS + 1);
  for (const { buckets, values } of vectors)
    for (let k = 0; k < buckets.length; k++)
      if (values[k] !== 0) starts[(buckets[k] as number) + 1] = (starts[(buckets[k] as number) + 1] as number) + 1;
  for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
  return starts;
}

/** Xᵀ·α: the one weight vector with the same scores as the kernel expansion. Shape [BUCKETS]. */
export function primalWeights(vectors: readonly SparseVector[], alpha: ArrayLike<number>): Float64Array {
  const weights = new Float64Array(BUCKETS);
  vectors.forEach((vector, i) => {
    const share = alpha[i] ?? 0;
    if (share === 0) return;
    for (let k = 0; k < vector.buckets.length; k++) {
      const bucket = vector.buckets[k] as number;
      weights[bucket] = (weights[bucket] as number) + share * (vector.values[k] as number);
    }
  });
  return weights;
}
