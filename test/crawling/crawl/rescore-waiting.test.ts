import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastRescoring, nextRescoring } from '../../../src/base/core/rescoring-schedule.ts';
import { linksToRescore } from '../../../src/crawling/crawl/rescore-waiting.ts';

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

test('the first rescorings have most links, and later ones some for each lesson; never more than a tenth of a second has', () => {
  const moments: number[] = [];
  for (let at = nextRescoring(0); at <= 1_000_000; at = nextRescoring(at)) moments.push(at);
  const links = moments.map(linksToRescore);
  expect([10, 100, 1000].map(linksToRescore)).toEqual([100_000, 20_100, 2000 + 10 * (1000 - lastRescoring(999))]);
  expect(Math.max(...links)).toBe(100_000);
  const until = (lesson: number) => links.filter((_, i) => (moments[i] ?? 0) <= lesson).reduce((sum, one) => sum + one, 0);
  // Half a microsecond each, and a page takes two milliseconds: 2.5 % of a crawl of 10,000 pages.
  expect(until(10_000) * 0.0005).toBeLessThan(0.025 * 10_000 * 2);
});
