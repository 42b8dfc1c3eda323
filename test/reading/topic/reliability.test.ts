import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { Weighted } from '../../../src/reading/topic/evaluate.ts';
import { brierScore, expectedCalibrationError, reliabilityTable, withPrior } from '../../../src/reading/topic/reliability.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const item = fc.record({ score: unit, onTopic: fc.boolean(), weight: fc.double({ min: 0.01, max: 100, noNaN: true }) });
const items = fc.array(item, { maxLength: 60 });
const of = (score: number, onTopic: boolean, weight = 1): Weighted => ({ score, onTopic, weight });

test('the figures of a known table', () => {
  const known = [of(0.95, true), of(0.95, true), of(0.95, false), of(0.95, true), of(0.25, false), of(0.25, true)];
  expect(brierScore(known)).toBeCloseTo((3 * 0.05 ** 2 + 0.95 ** 2 + 0.25 ** 2 + 0.75 ** 2) / 6, 12);
  expect(expectedCalibrationError(known)).toBeCloseTo((4 * 0.2 + 2 * 0.25) / 6, 12);
  const table = reliabilityTable(known);
  expect(table.map(({ count }) => count)).toEqual([0, 0, 2, 0, 0, 0, 0, 0, 0, 4]);
  expect(table[9]).toMatchObject({ low: 0.9, high: 1, onTopic: 0.75 });
  expect(table[0]).toMatchObject({ share: 0, meanRelevance: null, onTopic: null });
});

test('a bin holds its upper edge, the first also 0', () => {
  const bins = reliabilityTable([of(0, false), of(0.1, false), of(0.5, false), of(1, true)]).map(({ count }) => count);
  expect(bins).toEqual([2, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test('both figures are in [0, 1]; shares of bins add up to all; a bin’s mean lies in it', () => {
  fc.assert(
    fc.property(items, (all) => {
      for (const figure of [brierScore(all), expectedCalibrationError(all)]) {
        expect(figure).toBeGreaterThanOrEqual(0);
        expect(figure).toBeLessThanOrEqual(1 + 1e-12);
      }
      const table = reliabilityTable(all);
      expect(table.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(all.length === 0 ? 0 : 1, 9);
      expect(table.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
      for (const { low, high, meanRelevance } of table) {
        if (meanRelevance === null) continue;
        expect(meanRelevance).toBeGreaterThan(low - 1e-9);
        expect(meanRelevance).toBeLessThan(high + 1e-9);
      }
    }),
  );
});

test('an item of weight n counts as n items', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(unit, fc.boolean(), fc.integer({ min: 1, max: 5 })), { maxLength: 20 }), (all) => {
      const weighted = all.map(([score, onTopic, weight]) => of(score, onTopic, weight));
      const repeated = all.flatMap(([score, onTopic, weight]) => Array.from({ length: weight }, () => ({ score, onTopic })));
      expect(brierScore(weighted)).toBeCloseTo(brierScore(repeated), 9);
      expect(expectedCalibrationError(weighted)).toBeCloseTo(expectedCalibrationError(repeated), 9);
    }),
  );
});

test('relevance that comes true has next to no calibration error, relevance drawn towards ½ has', () => {
  const rng = seededRng(3);
  const truth = Array.from({ length: 20_000 }, () => {
    const score = rng();
    return { score, onTopic: rng() < score };
  });
  expect(expectedCalibrationError(truth)).toBeLessThan(0.02);
  const timid = truth.map(({ score, onTopic }) => ({ score: 0.5 + (score - 0.5) / 3, onTopic }));
  expect(expectedCalibrationError(timid)).toBeCloseTo(1 / 6, 1);
});

test('weights to a prior put that share of the weight on topic and leave the sum', () => {
  fc.assert(
    fc.property(items, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (all, prior) => {
      fc.pre(new Set(all.map(({ onTopic }) => onTopic)).size === 2);
      const weighted = withPrior(all, prior);
      const sum = (of: readonly Weighted[]) => of.reduce((total, { weight = 1 }) => total + weight, 0);
      expect(sum(weighted)).toBeCloseTo(all.length, 6);
      expect(sum(weighted.filter(({ onTopic }) => onTopic)) / all.length).toBeCloseTo(prior, 9);
    }),
  );
});

test('a logit is refused', () => {
  expect(() => brierScore([of(1.2, true)])).toThrow(/1\.2/);
  expect(() => expectedCalibrationError([of(Number.NaN, true)])).toThrow(/NaN/);
});
