import { expect, test } from 'vitest';
import { gramMatrix, kernelOf } from '../../../src/reading/topic/gram.ts';

const vectors = [
  { buckets: Int32Array.of(1, 5, 9), values: Float32Array.of(0.5, 0.25, 0.125) },
  { buckets: Int32Array.of(1, 9), values: Float32Array.of(0.25, 0.5) },
  { buckets: Int32Array.of(7), values: Float32Array.of(1) },
  { buckets: Int32Array.of(5, 7), values: Float32Array.of(0.75, 0.5) },
];

test('the inner products of all vectors', () => {
  expect([...gramMatrix(vectors)]).toEqual([
    ...[0.328125, 0.1875, 0, 0.1875],
    ...[0.1875, 0.3125, 0, 0],
    ...[0, 0, 1, 0.5],
    ...[0.1875, 0, 0.5, 0.8125],
  ]);
});

test.each([[[3, 0, 2, 1]], [[2, 0]], [[]]])('those of %j are of the same vectors in that order', (chosen) => {
  const anew = gramMatrix(chosen.flatMap((i) => vectors[i] ?? []));
  expect(kernelOf(gramMatrix(vectors), vectors.length, chosen)).toEqual(anew);
});
