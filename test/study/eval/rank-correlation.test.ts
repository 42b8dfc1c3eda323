import { expect, test } from 'vitest';
import { rankCorrelation } from '../../../src/study/eval/rank-correlation.ts';

test('only order counts', () => {
  expect(rankCorrelation([1, 2, 3, 4], [10, 11, 500, 501])).toBeCloseTo(1, 12);
  expect(rankCorrelation([1, 2, 3, 4], [9, 2, 1, -7])).toBeCloseTo(-1, 12);
});

test('by the formula for ranks without ties', () => {
  // 1 − 6 Σd² / (n (n² − 1)), d = 0, 1, 1, 0.
  expect(rankCorrelation([1, 2, 3, 4], [1, 3, 2, 4])).toBeCloseTo(1 - 12 / 60, 12);
});

test('equal numbers share a rank', () => {
  // Centred ranks −1, 0, 1 and −½, −½, 1.
  expect(rankCorrelation([1, 2, 3], [5, 5, 6])).toBeCloseTo(1.5 / Math.sqrt(2 * 1.5), 12);
  expect(rankCorrelation([1, 2], [3, 3])).toBeNaN();
});
