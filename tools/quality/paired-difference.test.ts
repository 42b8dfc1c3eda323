import { expect, test } from 'vitest';
import { type PairedCase, pairedDifference } from './paired-difference.ts';

function cases(cluster: string, differences: readonly number[]): PairedCase[] {
  return differences.map((difference) => ({ cluster, ours: 0.5 + difference, theirs: 0.5 }));
}

test('each cluster counts once, however many cases it has', () => {
  const { mean, clusters, ahead } = pairedDifference([...cases('a', [0.2, 0.4]), ...cases('b', [-0.1, -0.1, -0.1, -0.1])]);
  expect(mean).toBeCloseTo((0.3 - 0.1) / 2, 12);
  expect([clusters, ahead]).toEqual([2, 1]);
});

test('the standard error is that of the clusters’ means', () => {
  const { standardError } = pairedDifference([...cases('a', [0.3]), ...cases('b', [-0.1]), ...cases('c', [0.1])]);
  // Variance .04 of three observations.
  expect(standardError).toBeCloseTo(Math.sqrt(0.04 / 3), 12);
});

test('more cases that say the same do not make it smaller', () => {
  const few = [...cases('a', [0.3]), ...cases('b', [0.1])];
  expect(pairedDifference([...few, ...few, ...few]).standardError).toBeCloseTo(pairedDifference(few).standardError, 12);
});

test('a single cluster has no standard error', () => {
  expect(pairedDifference(cases('a', [0.1, 0.3])).standardError).toBeNaN();
});
