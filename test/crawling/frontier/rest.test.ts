import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterRest, CLOCK_TICK } from '../../../src/crawling/frontier/rest.ts';

test('a rest is over no sooner than it is long, though the clock counts whole milliseconds; none is over at once', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.double({ min: 0.001, max: 1e6, noNaN: true }), (now, rest) => {
      const until = afterRest(now, rest);
      expect(Number.isInteger(until)).toBe(true);
      expect(until - CLOCK_TICK - now).toBeGreaterThanOrEqual(rest);
      expect(until - CLOCK_TICK - now).toBeLessThan(rest + 1);
    }),
  );
  expect([afterRest(5, 0), afterRest(5, 1), afterRest(5, 0.2)]).toEqual([5, 7, 7]);
});
