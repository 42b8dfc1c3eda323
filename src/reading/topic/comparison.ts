import type { TrainingRow } from './training-set.ts';
import type { SparseVector } from './weighting.ts';

/** The vectors of a training run and their products. */
export interface Comparison {
  /** Examples first. */
  readonly rows: readonly TrainingRow[];
  /** Features of each row. */
  readonly vectors: readonly SparseVector[];
  /** Inner products of all rows, shape [rows, rows], row-major. */
  readonly kernel: Float32Array;
  /** Rows omitted as hidden examples. */
  readonly hidden: ReadonlySet<number>;
  /** The words of a bucket, if they are known. */
  readonly nameOf: (bucket: number) => string | undefined;
}

/** Cosine of two rows, because vectors without a kind of feature are shorter than 1; 0 with a row without features. */
export function cosine({ kernel, rows }: Pick<Comparison, 'kernel' | 'rows'>, a: number, b: number): number {
  const n = rows.length;
  const squares = (kernel[a * n + a] ?? 0) * (kernel[b * n + b] ?? 0);
  return squares > 0 ? (kernel[a * n + b] ?? 0) / Math.sqrt(squares) : 0;
}
