import type { Rng } from '../../base/core/rng.ts';

export interface Eigenvectors {
  /** The greatest first. */
  readonly values: readonly number[];
  /** Vectors of length 1, orthogonal to each other, in the order of the values. */
  readonly vectors: readonly Float64Array[];
}

/** More columns than are asked for, and rounds of products: after Halko, Martinsson and Tropp (2011), who find 5 to 10 and 2 to 3 enough. */
const SPARE = 10;
const ROUNDS = 4;
/** Jacobi's rotations converge quadratically: a matrix of 100 rows needs six to ten sweeps. */
const MAX_SWEEPS = 30;

/**
 * The eigenvectors of the `count` greatest eigenvalues of a positive semidefinite matrix, by randomised subspace iteration (Halko, Martinsson and
 * Tropp 2011, algorithm 4.4) and Jacobi's method inside the subspace. Close eigenvalues may mix. Deterministic for equal `rng`. O(count × n²).
 * @param matrix shape [n, n], symmetric
 */
export function leadingEigenvectors(matrix: Float64Array, n: number, count: number, rng: Rng): Eigenvectors {
  const width = Math.min(n, count + SPARE);
  let basis = orthonormal(Array.from({ length: width }, () => Float64Array.from({ length: n }, () => rng() - 0.5)));
  for (let round = 0; round < ROUNDS; round++) basis = orthonormal(basis.map((vector) => product(matrix, n, vector)));
  const images = basis.map((vector) => product(matrix, n, vector));
  const small = basis.map((vector) => Float64Array.from(images, (image) => dot(vector, image)));
  const turns = diagonalised(small);
  const order = [...basis.keys()].sort((a, b) => (small[b]?.[b] ?? 0) - (small[a]?.[a] ?? 0)).slice(0, count);
  return {
    values: order.map((i) => small[i]?.[i] ?? 0),
    vectors: order.map((i) => combination(basis, (j) => turns[j]?.[i] ?? 0, n)),
  };
}

/** The rows of a symmetric matrix are its columns. */
function product(matrix: Float64Array, n: number, vector: Float64Array): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => dot(matrix.subarray(i * n, (i + 1) * n), vector));
}

/** Gram and Schmidt's method, each vector against the earlier ones twice, as rounding needs. A vector that depends on earlier ones becomes 0. */
function orthonormal(vectors: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = [];
  for (const vector of vectors) {
    const before = Math.sqrt(dot(vector, vector));
    const rest = vector.slice();
    for (let pass = 0; pass < 2; pass++) for (const other of done) add(rest, other, -dot(rest, other));
    const length = Math.sqrt(dot(rest, rest));
    done.push(length > 1e-10 * before ? rest.map((part) => part / length) : rest.fill(0));
  }
  return done;
}

/** Makes `matrix` diagonal by Jacobi's cyclic rotations. @returns the rotations, one eigenvector a column */
function diagonalised(matrix: Float64Array[]): Float64Array[] {
  const turns = matrix.map((_, i) => Float64Array.from(matrix, (__, j) => Number(i === j)));
  const size = Math.sqrt(matrix.reduce((sum, row) => sum + dot(row, row), 0));
  for (let sweep = 0; sweep < MAX_SWEEPS && aside(matrix) > 1e-10 * size; sweep++)
    for (let p = 0; p < matrix.length; p++) for (let q = p + 1; q < matrix.length; q++) rotate(matrix, turns, p, q);
  return turns;
}

/** The length of all that is not on the diagonal. */
function aside(matrix: readonly Float64Array[]): number {
  return Math.sqrt(matrix.reduce((sum, row, i) => sum + dot(row, row) - (row[i] as number) ** 2, 0));
}

/** Makes the entry of `p` and `q` zero (Golub and Van Loan, Matrix Computations, 8.5). */
function rotate(matrix: readonly Float64Array[], turns: readonly Float64Array[], p: number, q: number): void {
  const [above, below] = [matrix[p] as Float64Array, matrix[q] as Float64Array];
  const off = above[q] as number;
  if (off === 0) return;
  const tau = ((below[q] as number) - (above[p] as number)) / (2 * off);
  const tan = (tau < 0 ? -1 : 1) / (Math.abs(tau) + Math.hypot(1, tau));
  const cos = 1 / Math.hypot(1, tan);
  const sin = tan * cos;
  for (const row of matrix) turn(row, p, q, cos, sin);
  for (let k = 0; k < matrix.length; k++) {
    const [a, b] = [above[k] as number, below[k] as number];
    above[k] = cos * a - sin * b;
    below[k] = sin * a + cos * b;
  }
  for (const row of turns) turn(row, p, q, cos, sin);
}

function turn(row: Float64Array, p: number, q: number, cos: number, sin: number): void {
  const [a, b] = [row[p] as number, row[q] as number];
  row[p] = cos * a - sin * b;
  row[q] = sin * a + cos * b;
}

function combination(vectors: readonly Float64Array[], shareOf: (i: number) => number, n: number): Float64Array {
  const out = new Float64Array(n);
  vectors.forEach((vector, i) => {
    add(out, vector, shareOf(i));
  });
  return out;
}

function add(to: Float64Array, vector: Float64Array, share: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] as number) + share * (vector[i] as number);
}

/** Inner product of vectors of equal length. */
export function dot(a: Float64Array, b: Float64Array): number {
  // Two sums at once: one alone waits for itself.
  let [even, odd] = [0, 0];
  const pairs = a.length & ~1;
  for (let i = 0; i < pairs; i += 2) {
    even += (a[i] as number) * (b[i] as number);
    odd += (a[i + 1] as number) * (b[i + 1] as number);
  }
  return pairs < a.length ? even + odd + (a[pairs] as number) * (b[pairs] as number) : even + odd;
}
