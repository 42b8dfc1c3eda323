import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommonThreshold } from '../../../src/base/core/common-threshold.ts';
import { runs } from '../../support/extent.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
/** Relevances that stand on a threshold, or a step beside it, are where rounding would show. */
const near = (threshold: number) =>
  fc.constantFrom(threshold, threshold * (1 - Number.EPSILON), Math.min(1, threshold * (1 + Number.EPSILON)));
const topics = fc.array(
  unit.chain((threshold) => fc.tuple(fc.constant(threshold), fc.oneof(unit, near(threshold)))),
  { minLength: 2, maxLength: 20 },
);

test('on topic exactly when one topic finds it so, bit for bit', () => {
  fc.assert(
    fc.property(topics, (given) => {
      const common = new CommonThreshold(given.map(([threshold]) => threshold));
      const relevance = common.combined(given.map(([, own]) => own));
      expect(relevance >= common.threshold).toBe(given.some(([threshold, own]) => own >= threshold));
      expect([relevance >= 0, relevance <= 1]).toEqual([true, true]);
    }),
    { numRuns: runs(2000) },
  );
});

test('the winner is on topic when one is, and the combined relevance is the same in any order', () => {
  fc.assert(
    fc.property(topics, (given) => {
      const common = new CommonThreshold(given.map(([threshold]) => threshold));
      const [threshold = 0, own = 0] = given[common.winner(given.map(([, relevance]) => relevance))] ?? [];
      expect(own >= threshold).toBe(given.some(([least, relevance]) => relevance >= least));
      const turned = [...given].reverse();
      const again = new CommonThreshold(turned.map(([least]) => least));
      expect(again.combined(turned.map(([, relevance]) => relevance))).toBeCloseTo(
        common.combined(given.map(([, relevance]) => relevance)),
        9,
      );
    }),
  );
});

test('relevances are compared by their distance from their own thresholds, in log-odds', () => {
  const common = new CommonThreshold([0.2, 0.5, 0.8]);
  expect(common.threshold).toBeCloseTo(0.5, 12);
  // 0.5 stands to a threshold of 0.2 as 0.8 to one of 0.5.
  expect(common.combined([0.5, 0.5, 0.5])).toBeCloseTo(0.8, 12);
  expect(common.winner([0.5, 0.5, 0.5])).toBe(0);
  expect(common.winner([0.1, 0.6, 0.7])).toBe(1);
  expect(common.combined([0.1, 0.4, 0.8])).toBeCloseTo(0.5, 12);
});

test('a higher relevance to any topic never lowers the combined one', () => {
  fc.assert(
    fc.property(topics, unit, fc.nat(), (given, higher, at) => {
      const common = new CommonThreshold(given.map(([threshold]) => threshold));
      const own = given.map(([, relevance]) => relevance);
      const place = at % own.length;
      const raised = own.map((relevance, i) => (i === place ? Math.max(relevance, higher) : relevance));
      expect(common.combined(raised)).toBeGreaterThanOrEqual(common.combined(own));
    }),
  );
});
