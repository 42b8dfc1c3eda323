import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { ASSUMED_PRIOR, type CalibrationCase, plattScaling } from '../../../src/reading/topic/calibrate.ts';

const scores = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 2, maxLength: 40 });
function cases(on: readonly number[], off: readonly number[]): CalibrationCase[] {
  return [
    ...on.map((score) => ({ score, onTopic: true, weight: 1 })),
    ...off.map((score) => ({ score, onTopic: false, weight: on.length / off.length })),
  ];
}

test('calibration never turns the order round and is finite', () => {
  fc.assert(
    fc.property(scores, scores, (on, off) => {
      const { slope, intercept } = plattScaling(cases(on, off));
      expect(slope).toBeGreaterThan(0);
      expect(Number.isFinite(slope) && Number.isFinite(intercept)).toBe(true);
    }),
  );
});

/** What the fit said before it was moved from even odds to the assumed prior. */
const even = (logit: number) => sigmoid(logit - Math.log(ASSUMED_PRIOR / (1 - ASSUMED_PRIOR)));

test('separated classes come out at the smoothed targets, not at certainty', () => {
  const { slope, intercept, separates } = plattScaling(cases([3, 3, 3, 3], [-1, -1, -1, -1, -1, -1, -1, -1]));
  expect(separates).toBe(true);
  expect(even(slope * 3 + intercept)).toBeCloseTo(5 / 6, 4);
  expect(even(slope * -1 + intercept)).toBeCloseTo(1 / 6, 4);
});

test('mean calibrated relevance equals the mean target: the condition of the optimum', () => {
  fc.assert(
    fc.property(scores, scores, (on, off) => {
      const all = cases(on, off);
      const { slope, intercept, separates } = plattScaling(all);
      if (!separates) return;
      const n = on.length;
      const given = all.reduce((sum, { score, weight }) => sum + weight * even(slope * score + intercept), 0);
      expect(given).toBeCloseTo((n * (n + 1)) / (n + 2) + n / (n + 2), 2);
    }),
  );
});

test('where scores are as likely of both classes relevance is the assumed prior', () => {
  const { slope, intercept } = plattScaling(cases([-1, 1, 2, 3], [1, -1, -2, -3]));
  expect(sigmoid(slope * 0 + intercept)).toBeCloseTo(ASSUMED_PRIOR, 6);
});

test('scores that tell nothing are reported', () => {
  expect(plattScaling(cases([-1, 0, 1], [-1, 0, 1])).separates).toBe(false);
  expect(plattScaling(cases([-2, -1], [1, 2])).separates).toBe(false);
});
