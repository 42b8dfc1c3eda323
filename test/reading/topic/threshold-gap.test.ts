import { expect, test } from 'vitest';
import { logOdds } from '../../../src/base/core/odds.ts';
import { chooseThreshold } from '../../../src/reading/topic/threshold.ts';

const held = (examples: readonly number[], others: readonly number[]) => [
  ...examples.map((score) => ({ score, onTopic: true })),
  ...others.map((score) => ({ score, onTopic: false })),
];

test('the threshold stands just below the examples: what falls into the gap, on the hosts of the examples, is refused', () => {
  const { threshold, kind } = chooseThreshold(held([3, 4, 5], [-2, -3, -4]), null);
  expect(kind).toBe('f1');
  expect(logOdds(threshold)).toBeLessThan(3);
  // A tenth of the gap, and no more, lies above it.
  expect(logOdds(threshold)).toBeCloseTo(2.5, 9);
});

test('a threshold for a precision stands just below what it takes, too', () => {
  const many = held(
    Array.from({ length: 60 }, () => 2),
    [...Array.from({ length: 60 }, () => -8)],
  );
  const { threshold, kind, reached, asked, lowerBound } = chooseThreshold(many, 0.5);
  expect({ kind, reached, asked }).toEqual({ kind: 'precision', reached: true, asked: 0.5 });
  expect(lowerBound).toBeGreaterThan(0.5);
  expect(logOdds(threshold)).toBeCloseTo(1, 9);
});

test('without examples nothing can be chosen', () => {
  expect(chooseThreshold(held([], [1, 2]), null)).toMatchObject({ kind: 'none', reached: false, lowerBound: null });
});
