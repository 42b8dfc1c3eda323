import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atThreshold, averagePrecision, bestF1, rocAuc, type Scored } from '../../../src/reading/topic/evaluate.ts';

const item = fc.record({ score: fc.integer({ min: -20, max: 20 }), onTopic: fc.boolean() });
const items = fc.array(item, { minLength: 1, maxLength: 60 });
const on = (score: number): Scored => ({ score, onTopic: true });
const off = (score: number): Scored => ({ score, onTopic: false });

test('average precision of a known ranking', () => {
  expect(averagePrecision([on(4), off(3), on(2), off(1)])).toBeCloseTo((1 + 2 / 3) / 2);
  expect(averagePrecision([off(1)])).toBe(0);
});

test('a perfect ranking has average precision and ROC-AUC 1, the reverse has ROC-AUC 0', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      fc.array(fc.integer({ min: -9, max: 0 }), { minLength: 1 }),
      (high, low) => {
        expect(averagePrecision([...low.map(off), ...high.map(on)])).toBe(1);
        expect(rocAuc([...low.map(off), ...high.map(on)])).toBe(1);
        expect(rocAuc([...low.map(on), ...high.map(off)])).toBe(0);
      },
    ),
  );
});

test('raising an on-topic item never lowers average precision or ROC-AUC', () => {
  fc.assert(
    fc.property(items, fc.nat(59), fc.integer({ min: 1, max: 30 }), (all, at, rise) => {
      const index = at % all.length;
      const raised = all.map((it, i) => (i === index && it.onTopic ? { ...it, score: it.score + rise } : it));
      expect(averagePrecision(raised)).toBeGreaterThanOrEqual(averagePrecision(all) - 1e-12);
      expect(rocAuc(raised)).toBeGreaterThanOrEqual(rocAuc(all) - 1e-12);
    }),
  );
});

test('only the order of scores counts, and not the order of items', () => {
  fc.assert(
    fc.property(items, (all) => {
      const stretched = all.map((it) => ({ ...it, score: Math.exp(it.score / 5) })).reverse();
      expect(averagePrecision(stretched)).toBeCloseTo(averagePrecision(all), 12);
      expect(rocAuc(stretched)).toBeCloseTo(rocAuc(all), 12);
    }),
  );
});

test('ties are pessimistic for average precision and count half for ROC-AUC', () => {
  expect(averagePrecision([on(1), off(1), off(1), off(1)])).toBe(0.25);
  expect(rocAuc([on(1), off(1), off(1)])).toBe(0.5);
});

test('ROC-AUC is the share of pairs in the right order', () => {
  fc.assert(
    fc.property(items, (all) => {
      const pairs = all
        .filter((it) => it.onTopic)
        .flatMap((p) => all.filter((it) => !it.onTopic).map((n) => (p.score > n.score ? 1 : p.score === n.score ? 0.5 : 0)));
      const expected = pairs.length === 0 ? 0.5 : pairs.reduce<number>((a, b) => a + b, 0) / pairs.length;
      expect(rocAuc(all)).toBeCloseTo(expected, 10);
    }),
  );
});

test('a threshold report counts every item once', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: -21, max: 21 }), (all, threshold) => {
      const report = atThreshold(all, threshold);
      expect(report.truePositives + report.falsePositives + report.falseNegatives + report.trueNegatives).toBe(all.length);
      expect(report.truePositives + report.falsePositives).toBe(all.filter((it) => it.score >= threshold).length);
    }),
  );
});

test('no threshold has a higher F1 than the best one, and its report is that of the threshold', () => {
  fc.assert(
    fc.property(items, (all) => {
      const best = bestF1(all);
      if (best === null) {
        expect(all.some((it) => it.onTopic)).toBe(false);
        return;
      }
      expect(atThreshold(all, best.lowestAccepted)).toEqual(best.report);
      for (const { score } of all) expect(atThreshold(all, score).f1).toBeLessThanOrEqual(best.report.f1 + 1e-12);
      expect(best.highestRefused).toBeLessThanOrEqual(best.lowestAccepted);
    }),
  );
});
