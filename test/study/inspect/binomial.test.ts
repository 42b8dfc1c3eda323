/** Exact intervals and bounds of shares, against published values. */
import { expect, test } from 'vitest';
import { clopperPearson, leastSuccesses, leastTrials, upperTail } from '../../../src/study/inspect/binomial.ts';

test.each([
  [30, 0.8, 28],
  [60, 0.8, 54],
  [100, 0.8, 87],
  [30, 0.9, 30],
  [60, 0.9, 59],
  [100, 0.9, 96],
])('of %i draws, a share of %f is shown by %i', (trials, share, least) => {
  expect(leastSuccesses(trials, share)).toBe(least);
  expect(upperTail(trials, least, share)).toBeLessThanOrEqual(0.05);
  expect(upperTail(trials, least - 1, share)).toBeGreaterThan(0.05);
});

test('the least number is that of a search from one on, also for many draws', () => {
  for (const trials of [1, 14, 29, 73, 200]) {
    const all = Array.from({ length: trials }, (_, i) => i + 1);
    expect(leastSuccesses(trials, 0.8)).toBe(all.find((least) => upperTail(trials, least, 0.8) <= 0.05) ?? null);
  }
  expect(leastSuccesses(2_000, 0.9)).toBe(1_823);
});

test('too few draws show nothing', () => {
  expect(leastSuccesses(28, 0.9)).toBeNull();
  expect([leastTrials(0.8), leastTrials(0.9), leastTrials(0.95)]).toEqual([14, 29, 59]);
  for (const share of [0.5, 0.8, 0.9, 0.95]) expect(leastSuccesses(leastTrials(share), share)).toBe(leastTrials(share));
});

// scipy.stats.binomtest(successes, trials).proportion_ci(.9, 'exact'), SciPy 1.10.
test.each([
  [22, 30, 0.57007, 0.85981],
  [0, 30, 0, 0.09503],
  [30, 30, 0.90497, 1],
  [1, 2, 0.02532, 0.97468],
  [870, 1000, 0.8512, 0.88717],
])('of %i of %i', (successes, trials, low, high) => {
  const found = clopperPearson(successes, trials);
  expect(found.low).toBeCloseTo(low, 5);
  expect(found.high).toBeCloseTo(high, 5);
});

test('without draws, any share is possible; others are refused', () => {
  expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
  expect(() => clopperPearson(3, 2)).toThrow('3 successes of 2');
});

test('tails of many draws are neither lost nor above 1', () => {
  expect(upperTail(10_000, 5_000, 0.5)).toBeCloseTo(0.504, 3);
  expect(upperTail(10_000, 0, 0.01)).toBe(1);
  expect(upperTail(10_000, 10_000, 0.999)).toBeCloseTo(0.999 ** 10_000, 8);
});
