import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastRescoring, nextRescoring } from '../../../src/base/core/rescoring-schedule.ts';
import { rescoringAllowance } from '../../../src/crawling/crawl/rescore-waiting.ts';

test('next and last agree, so that a resumed crawl meets the moments of one that was never stopped', () => {
  const moments: number[] = [];
  for (let at = nextRescoring(0); at < 20_000; at = nextRescoring(at)) moments.push(at);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 19_000 }), (lessons) => {
      expect(nextRescoring(lessons)).toBe(moments.find((moment) => moment > lessons));
      expect(lastRescoring(lessons)).toBe(moments.filter((moment) => moment <= lessons).at(-1) ?? 0);
    }),
  );
});

test('every ten lessons at first, every twentieth part later', () => {
  expect([0, 9, 10, 19].map(nextRescoring)).toEqual([10, 10, 20, 20]);
  const late = nextRescoring(10_000);
  expect(nextRescoring(late) / late).toBeCloseTo(1.05, 3);
});

test('the allowance grows by lessons, falls by what was done, and is never below nothing', () => {
  expect(rescoringAllowance(1000, 0) - rescoringAllowance(0, 0)).toBe(16_000);
  expect(rescoringAllowance(0, 400) - rescoringAllowance(0, 0)).toBe(-400);
  expect(rescoringAllowance(0, 1e9)).toBe(0);
});
