import { seededRng } from '../../src/base/core/rng.ts';
import { leadingEigenvectors } from '../../src/reading/topic/eigenvectors.ts';
import { centre } from '../../src/reading/topic/unit-vectors.ts';

/** The eigenvectors begin at random. Any seed gives the same space, but not the same bytes. */
const SEED = 1;

/**
 * The rows along the directions in which they vary most: principal component analysis. Their mean becomes 0.
 * @param values shape [rows, dimensions]; changed: its rows are centred
 * @returns shape [rows, kept]
 */
export function principalParts(values: Float32Array, dimensions: number, kept: number): Float32Array {
  centre(values, dimensions);
  const { vectors } = leadingEigenvectors(covariance(values, dimensions), dimensions, kept, seededRng(SEED));
  const rows = values.length / dimensions;
  const out = new Float32Array(rows * vectors.length);
  for (let row = 0; row < rows; row++)
    vectors.forEach((vector, k) => {
      let sum = 0;
      for (let d = 0; d < dimensions; d++) sum += (values[row * dimensions + d] as number) * (vector[d] as number);
      out[row * vectors.length + k] = sum;
    });
  return out;
}

/** Sums of products of centred columns. Shape [dimensions, dimensions]. */
function covariance(values: Float32Array, dimensions: number): Float64Array {
  const sums = new Float64Array(dimensions ** 2);
  for (let from = 0; from < values.length; from += dimensions)
    for (let i = 0; i < dimensions; i++) {
      const own = values[from + i] as number;
      for (let j = 0; j <= i; j++) sums[i * dimensions + j] = (sums[i * dimensions + j] as number) + own * (values[from + j] as number);
    }
  for (let i = 0; i < dimensions; i++) for (let j = 0; j < i; j++) sums[j * dimensions + i] = sums[i * dimensions + j] as number;
  return sums;
}
