import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilson } from '../../../src/reading/topic/wilson.ts';

test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i at .95, as published (Newcombe 1998, table I, method 3)', (successes, trials, low, high) => {
  const interval = wilson(successes, trials);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test.each([
  [10, 10, 0.9, 0.78705803, 1],
  [29, 30, 0.9, 0.863595858, 0.992528121],
  [3, 7, 0.5, 0.310603474, 0.555257216],
  [3, 7, 0.999999, 0.045058138, 0.922608834],
])('%i of %i at %d, as scipy 1.17 has it', (successes, trials, level, low, high) => {
  const interval = wilson(successes, trials, level);
  expect(interval.low).toBeCloseTo(low, 6);
  expect(interval.high).toBeCloseTo(high, 6);
});

const share = fc.integer({ min: 1, max: 400 }).chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));
const level = fc.double({ min: 0.01, max: 0.9999, noNaN: true });

test('an interval holds the share seen, lies in [0, 1], and is its own mirror image', () => {
  fc.assert(
    fc.property(share, level, ([successes, trials], at) => {
      const { low, high } = wilson(successes, trials, at);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(successes / trials);
      expect(high).toBeGreaterThanOrEqual(successes / trials);
      expect(wilson(trials - successes, trials, at).high).toBeCloseTo(1 - low, 10);
    }),
  );
});

test('it shrinks with more trials of the same share and grows with the level', () => {
  fc.assert(
    fc.property(share, level, fc.integer({ min: 2, max: 9 }), ([successes, trials], at, times) => {
      const width = (interval: { low: number; high: number }) => interval.high - interval.low;
      expect(width(wilson(successes * times, trials * times, at))).toBeLessThan(width(wilson(successes, trials, at)));
      expect(width(wilson(successes, trials, at / 2))).toBeLessThan(width(wilson(successes, trials, at)));
    }),
  );
});

test('nothing tried says nothing; what is no share of trials is our bug', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  expect(() => wilson(3, 2)).toThrow(/3 successes of 2 trials/);
  expect(() => wilson(1, 2, 1)).toThrow(/level/);
});
