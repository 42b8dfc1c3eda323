import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import { atThreshold, averagePrecision, type Scored } from '../../../src/reading/topic/evaluate.ts';
import { leastForPrecision, precisionRecallCurve, thresholdForPrecision } from '../../../src/reading/topic/precision.ts';
import { withPrior } from '../../../src/reading/topic/reliability.ts';
import { wilson } from '../../../src/reading/topic/wilson.ts';

const item = fc.record({ score: fc.integer({ min: -20, max: 20 }), onTopic: fc.boolean() });
const items = fc.array(item, { minLength: 1, maxLength: 60 });
const target = fc.double({ min: 0.05, max: 0.99, noNaN: true });
const prior = fc.double({ min: 0.005, max: 0.95, noNaN: true });
const distinct = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.boolean()), {
  selector: ([score]) => score,
  minLength: 1,
  maxLength: 500,
});
const scored = (all: readonly (readonly [number, boolean])[]): Scored[] => all.map(([score, onTopic]) => ({ score, onTopic }));
const LEVEL = 0.95;

/** Area under the steps of a curve. */
function areaOf(points: ReturnType<typeof precisionRecallCurve>): number {
  return points.reduce((sum, { precision, recall }, i) => sum + precision * (recall - (points[i - 1]?.recall ?? 0)), 0);
}

test('every point of a curve is what its threshold gives, and there are 50 at the most', () => {
  fc.assert(
    fc.property(fc.oneof(items, distinct.map(scored)), (all) => {
      const points = precisionRecallCurve(all);
      expect(points.length).toBeLessThanOrEqual(50);
      points.forEach(({ threshold, precision, recall }, i) => {
        const report = atThreshold(all, threshold);
        expect(precision).toBeCloseTo(report.precision, 12);
        expect(recall).toBeCloseTo(report.recall, 12);
        expect(recall).toBeGreaterThan(points[i - 1]?.recall ?? 0);
      });
      expect(points.at(-1)?.recall ?? 1).toBe(1);
    }),
  );
});

test('no step is left out of a curve of few on-topic items: the area is the average precision', () => {
  fc.assert(
    fc.property(distinct, (all) => {
      const few = scored(all).filter(({ onTopic }, i) => !onTopic || i % 10 === 0);
      expect(areaOf(precisionRecallCurve(few))).toBeCloseTo(averagePrecision(few), 9);
    }),
  );
});

test('a thinned curve misses no more than a fiftieth of recall, and hardly any area', () => {
  const rng = seededRng(5);
  const many = Array.from({ length: 4000 }, () => ({ onTopic: rng() < 0.2, score: 0 })).map(({ onTopic }) => ({
    onTopic,
    score: Number(onTopic) + 2 * rng(),
  }));
  const points = precisionRecallCurve(many);
  expect(points).toHaveLength(50);
  points.forEach(({ recall }, i) => {
    expect(recall - (points[i - 1]?.recall ?? 0)).toBeLessThan(0.02 + 2 / 800);
  });
  expect(Math.abs(areaOf(points) - averagePrecision(many))).toBeLessThan(0.01);
});

test('a curve of items weighted to a prior is that of the items given as often', () => {
  const few = [true, true, false, true, false, false].map((onTopic, i) => ({ score: -i, onTopic }));
  const often = few.flatMap((it) => Array.from({ length: it.onTopic ? 1 : 9 }, () => it));
  const [weighted, repeated] = [precisionRecallCurve(withPrior(few, 0.1)), precisionRecallCurve(often)];
  expect(weighted.map(({ threshold }) => threshold)).toEqual(repeated.map(({ threshold }) => threshold));
  weighted.forEach(({ precision }, i) => {
    expect(precision).toBeCloseTo(repeated[i]?.precision ?? -1, 12);
  });
});

test('the threshold for a precision meets it by Wilson’s bound, and no lower one does', () => {
  fc.assert(
    fc.property(items, target, (all, wanted) => {
      const choice = thresholdForPrecision(all, wanted);
      if (choice === null) {
        expect(all.some(({ onTopic }) => onTopic)).toBe(false);
        return;
      }
      const boundAt = (threshold: number) => {
        const { truePositives, falsePositives } = atThreshold(all, threshold);
        return wilson(truePositives, truePositives + falsePositives, 2 * LEVEL - 1).low;
      };
      const report = atThreshold(all, choice.lowestAccepted);
      expect(choice).toMatchObject({ precision: report.precision, recall: report.recall, lowerBound: boundAt(choice.lowestAccepted) });
      expect(choice.accepted).toBe(report.truePositives + report.falsePositives);
      expect(choice.reached).toBe(choice.lowerBound >= wanted);
      for (const { score } of all) {
        if (choice.reached && score < choice.lowestAccepted) expect(boundAt(score)).toBeLessThan(wanted);
        if (!choice.reached) expect(boundAt(score)).toBeLessThanOrEqual(choice.lowerBound);
      }
    }),
  );
});

test('a higher target, a higher level or a lower prior never lowers the threshold', () => {
  fc.assert(
    fc.property(items, target, prior, fc.double({ min: 0.5, max: 0.99, noNaN: true }), (all, wanted, share, level) => {
      const at = (precision: number, options: { prior?: number; level?: number }) => {
        const choice = thresholdForPrecision(all, precision, options);
        return choice?.reached ? choice.lowestAccepted : Number.POSITIVE_INFINITY;
      };
      const base = at(wanted, { prior: share, level });
      expect(at(wanted + (1 - wanted) / 2, { prior: share, level })).toBeGreaterThanOrEqual(base);
      expect(at(wanted, { prior: share, level: level + (1 - level) / 2 })).toBeGreaterThanOrEqual(base);
      expect(at(wanted, { prior: share / 2, level })).toBeGreaterThanOrEqual(base);
    }),
  );
});

test('at a prior, precision is that of the items given as often as the prior has it', () => {
  fc.assert(
    fc.property(items, prior, (all, share) => {
      fc.pre(new Set(all.map(({ onTopic }) => onTopic)).size === 2);
      const choice = thresholdForPrecision(all, 0.5, { prior: share });
      if (choice === null) return;
      const accepted = withPrior(all, share).filter(({ score }) => score >= choice.lowestAccepted);
      const weight = (of: typeof accepted) => of.reduce((sum, it) => sum + (it.weight ?? 1), 0);
      expect(choice.precision).toBeCloseTo(weight(accepted.filter(({ onTopic }) => onTopic)) / Math.max(weight(accepted), 1e-300), 9);
      expect(choice.lowerBound).toBeLessThanOrEqual(choice.precision + 1e-9);
    }),
  );
});

/** On-topic items accepted with chance `recall`, off-topic ones with chance `falseRate`. */
function drawn(rng: Rng, on: number, off: number, recall: number, falseRate: number): Scored[] {
  const of = (count: number, onTopic: boolean, share: number) =>
    Array.from({ length: count }, () => ({ onTopic, score: rng() < share ? 1 : 0 }));
  return [...of(on, true, recall), ...of(off, false, falseRate)];
}

/** What was thought of first: weights to the prior, and Wilson's bound at Kish's effective sample size. */
function kishBound(items: readonly Scored[], share: number): number {
  const accepted = withPrior(items, share).filter(({ score }) => score === 1);
  const sum = (of: (weight: number) => number, only = accepted) => only.reduce((total, { weight = 1 }) => total + of(weight), 0);
  if (accepted.length === 0) return 0;
  const size = sum((weight) => weight) ** 2 / sum((weight) => weight ** 2);
  const good = sum(
    (weight) => weight,
    accepted.filter(({ onTopic }) => onTopic),
  );
  return wilson(Math.min(size, (size * good) / sum((weight) => weight)), size, 2 * LEVEL - 1).low;
}

/** Share of draws in which a bound of the precision at score 1 lies above the true one. */
function wrongShare(bound: (sample: readonly Scored[]) => number, [on, off, falseRate]: readonly [number, number, number]): number {
  const rng = seededRng(1);
  const [recall, draws] = [0.9, 400];
  const truth = (PRIOR * recall) / (PRIOR * recall + (1 - PRIOR) * falseRate);
  const wrong = Array.from({ length: draws }, () => bound(drawn(rng, on, off, recall, falseRate)) > truth);
  return wrong.filter(Boolean).length / draws;
}
const PRIOR = 0.02;

/** No threshold reaches a precision of 2, so the best bound is told: that of score 1, but for draws where it is worse than to accept everything. */
function boundOf(sample: readonly Scored[]): number {
  const choice = thresholdForPrecision(sample, 2, { prior: PRIOR });
  return choice?.lowestAccepted === 1 ? choice.lowerBound : 0;
}

test.each([
  [100, 300, 0.001, 0],
  [100, 300, 0.01, 0.02],
  [20, 800, 0.02, 0.02],
  [20, 60, 0.1, 0.02],
] as const)(
  'the bound at a prior, of %i on-topic and %i off-topic items, %d of them accepted: above the truth in no more draws than it says, nor in far fewer',
  (on, off, falseRate, least) => {
    const share = wrongShare(boundOf, [on, off, falseRate]);
    expect(share).toBeLessThan(0.08);
    expect(share).toBeGreaterThanOrEqual(least);
  },
);

test('Kish’s effective counts would put the bound above the truth in every second draw', () => {
  expect(wrongShare((sample) => kishBound(sample, PRIOR), [100, 300, 0.001])).toBeGreaterThan(0.5);
});

/** Share of draws in which the chosen threshold has a true precision below the target. */
function wronglyReached(draw: (rng: Rng) => Scored, precisionAbove: (threshold: number) => number): number {
  const rng = seededRng(2);
  const wrong = Array.from({ length: 500 }, () => {
    const choice = thresholdForPrecision(
      Array.from({ length: 300 }, () => draw(rng)),
      0.8,
    );
    return choice?.reached === true && precisionAbove(choice.lowestAccepted) < 0.8;
  });
  return wrong.filter(Boolean).length / wrong.length;
}

test('chosen among 300 thresholds, the bound is wrong in some 5 % of draws where precision falls with the threshold', () => {
  const telling = (rng: Rng) => {
    const score = rng();
    return { score, onTopic: rng() < score };
  };
  expect(wronglyReached(telling, (threshold) => (1 + threshold) / 2)).toBeLessThan(0.08);
});

test('and in some 16 % in the worst case: scores that say nothing, precision just below the target everywhere', () => {
  const idle = (rng: Rng) => ({ score: rng(), onTopic: rng() < 0.78 });
  expect(wronglyReached(idle, () => 0.78)).toBeLessThan(0.2);
});

test('where no threshold reaches the target, the best bound is told', () => {
  const few = [true, true, true, false].map((onTopic, i) => ({ score: -i, onTopic }));
  expect(thresholdForPrecision(few, 0.9)).toMatchObject({ reached: false, lowestAccepted: -2, accepted: 3, precision: 1 });
  expect(thresholdForPrecision(few, 0.9)?.lowerBound).toBeCloseTo(3 / (3 + 1.6448536 ** 2), 5);
  expect(thresholdForPrecision([{ score: 1, onTopic: false }], 0.9)).toBeNull();
});

test('as many right ones as are needed reach a lower bound, and one less does not', () => {
  for (const target of [0.5, 0.8, 0.9, 0.95, 0.99]) {
    const least = leastForPrecision(target);
    expect(wilson(least, least, 0.9).low).toBeGreaterThanOrEqual(target - 1e-9);
    if (least > 1) expect(wilson(least - 1, least - 1, 0.9).low).toBeLessThan(target);
  }
  expect(leastForPrecision(0.9)).toBe(25);
});
