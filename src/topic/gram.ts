import { BUCKETS } from './features.ts';
import type { SparseVector } from './weighting.ts';

interface Postings {
  readonly rows: number[];
  readonly values: number[];
}

/**
 * All inner products of the vectors: K = X·Xᵀ, shape [n, n], row-major. It uses an inverted index, so the cost is the number of shared features and
 * not n² × features; n = 4,000 pages take 64 MB.
 */
export function gramMatrix(vectors: readonly SparseVector[]): Float32Array {
  const n = vectors.length;
  const kernel = new Float32Array(n * n);
  const postings = new Map<number, Postings>();
  const row = new Float64Array(n);
  vectors.forEach((vector, i) => {
    row.fill(0);
    for (let k = 0; k < vector.buckets.length; k++) {
      const value = vector.values[k] ?? 0;
      if (value === 0) continue;
      const posting = postingsOf(postings, vector.buckets[k] ?? 0);
      posting.rows.push(i);
      posting.values.push(value);
      for (let p = 0; p < posting.rows.length; p++)
        row[posting.rows[p] as number] = (row[posting.rows[p] as number] as number) + value * (posting.values[p] as number);
    }
    for (let j = 0; j <= i; j++) {
      kernel[i * n + j] = row[j] as number;
      kernel[j * n + i] = row[j] as number;
    }
  });
  return kernel;
}

function postingsOf(postings: Map<number, Postings>, bucket: number): Postings {
  let found = postings.get(bucket);
  if (found === undefined) {
    found = { rows: [], values: [] };
    postings.set(bucket, found);
  }
  return found;
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
