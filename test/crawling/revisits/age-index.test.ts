import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REFRESH_TARGETS } from '../../../src/base/core/refresh-plan.ts';
import {
  ageAt,
  expectedAge,
  expectedFreshness,
  knownRateIndex,
  type RateBelief,
  refreshIndex,
} from '../../../src/crawling/revisits/age-index.ts';

/** Gauss–Legendre with five points on each of many parts: exact to ten digits for the functions here. */
function integral(of: (u: number) => number, from: number, to: number, parts = 400): number {
  const points = [0, 0.5384693101056831, 0.906179845938664];
  const weights = [0.5688888888888889, 0.47862867049936647, 0.23692688505618908];
  const half = (to - from) / parts / 2;
  let sum = 0;
  for (let part = 0; part < parts; part++) {
    const middle = from + (2 * part + 1) * half;
    for (const [i, point] of points.entries())
      for (const side of i === 0 ? [0] : [-point, point]) sum += (weights[i] ?? 0) * half * of(middle + side * half);
  }
  return sum;
}

/** Mean over a Gamma belief, over the logarithm of the rate. */
function mean({ shape, exposure }: RateBelief, of: (rate: number) => number): number {
  const middle = Math.log(shape / exposure);
  const density = (log: number) => Math.exp(shape * (log - middle) - shape * Math.exp(log - middle));
  const [from, to] = [middle - 40 / Math.min(1, shape), middle + 6 / Math.min(1, Math.sqrt(shape))];
  return integral((log) => density(log) * of(Math.exp(log)), from, to, 4000) / integral(density, from, to, 4000);
}

const RATES = [1e-7, 1e-4, 1 / 365, 1 / 7, 1, 24];
const SPANS = [1e-3, 0.5, 7, 365, 3650];

test('the age of a page that changes once a week, a week after its visit, is 2.5752 days', () => {
  expect(ageAt(1 / 7, 7)).toBeCloseTo(2.5752, 4);
});

test.each(RATES)('A(λ, x) and the indexes equal numeric integrals at %d changes a day', (rate) => {
  for (const x of SPANS) {
    const parts = Math.max(400, Math.ceil(rate * x));
    const isClose = (value: number, of: (u: number) => number) =>
      expect(value / integral(of, 0, x, parts), `${rate} ${x}`).toBeCloseTo(1, 6);
    isClose(ageAt(rate, x), (u) => -Math.expm1(-rate * u));
    isClose(knownRateIndex('age', rate, x), (u) => u * -Math.expm1(-rate * u));
    isClose(knownRateIndex('freshness', rate, x), (u) => u * rate * Math.exp(-rate * u));
  }
});

test('the index by age is x·A(x) − ∫A', () => {
  for (const rate of RATES)
    for (const x of SPANS) {
      const lecture = x * ageAt(rate, x) - integral((u) => ageAt(rate, u), 0, x);
      expect(knownRateIndex('age', rate, x) / lecture, `${rate} ${x}`).toBeCloseTo(1, 5);
    }
});

const BELIEFS: readonly RateBelief[] = [
  { shape: 0.25, exposure: 15 },
  { shape: 1, exposure: 60 },
  { shape: 2, exposure: 1 },
  { shape: 3.7, exposure: 400 },
  { shape: 250, exposure: 30 },
];

test.each(BELIEFS)('an index is the mean of those of all rates: $shape changes in $exposure days', (belief) => {
  for (const x of [0.01, 3, 90, 2000]) {
    expect(expectedAge(belief, x) / mean(belief, (rate) => ageAt(rate, x)), `age ${x}`).toBeCloseTo(1, 5);
    expect(expectedFreshness(belief, x), `freshness ${x}`).toBeCloseTo(
      mean(belief, (rate) => Math.exp(-rate * x)),
      8,
    );
    for (const target of REFRESH_TARGETS)
      expect(refreshIndex(target, belief, x) / mean(belief, (rate) => knownRateIndex(target, rate, x)), `${target} ${x}`).toBeCloseTo(1, 5);
  }
});

test('series and closed forms meet without a step', () => {
  for (const shape of [0.3, 1, 2, 50])
    for (const of of [
      (x: number) => expectedAge({ shape, exposure: 60 }, x),
      ...REFRESH_TARGETS.map((target) => (x: number) => refreshIndex(target, { shape, exposure: 60 }, x)),
    ]) {
      const edge = (60 * 1e-3) / (shape + 1);
      expect(of(edge * (1 + 1e-9)) / of(edge * (1 - 1e-9))).toBeCloseTo(1, 5);
    }
});

test('an index rises with the time since the visit, and starts at 0', () => {
  const spans = fc.double({ min: 1e-4, max: 5000, noNaN: true });
  const beliefs = fc.record({
    shape: fc.double({ min: 0.2, max: 500, noNaN: true }),
    exposure: fc.double({ min: 0.01, max: 5000, noNaN: true }),
  });
  fc.assert(
    fc.property(beliefs, spans, fc.constantFrom(...REFRESH_TARGETS), (belief, x, target) => {
      expect(refreshIndex(target, belief, 0)).toBe(0);
      // By freshness it has a limit.
      const least = target === 'age' ? 1 : 1 - 1e-9;
      expect(refreshIndex(target, belief, x * 1.01)).toBeGreaterThan(least * refreshIndex(target, belief, x));
    }),
  );
});

test('by age a page that always changes gains without end, by freshness it does not', () => {
  const hourly = { shape: 100, exposure: 100 / 24 };
  expect(refreshIndex('age', hourly, 20)).toBeGreaterThan(3 * refreshIndex('age', hourly, 10));
  expect(refreshIndex('freshness', hourly, 20)).toBeLessThan(1.01 * refreshIndex('freshness', hourly, 10));
});
