import fc from 'fast-check';
import { expect, test } from 'vitest';
import { POLICIES } from './policies.ts';

const ONLINE = ['LRU', 'CLOCK', 'RANDOM'] as const;

function hits(name: string, urls: readonly number[], size: number): number {
  return POLICIES.get(name)?.(Int32Array.from(urls), size) ?? Number.NaN;
}

test('what each throws out, by hand', () => {
  const stream = [1, 2, 3, 1, 2, 4, 1, 2, 3];
  expect(hits('infinite', stream, 3)).toBe(5);
  // 4 takes the place of 3, which comes last.
  expect(hits('MIN', stream, 3)).toBe(4);
  expect(hits('LRU', stream, 3)).toBe(4);
  // All are marked when 4 comes: the hand goes round once and throws out 1, then 2 for 1, then 3 for 2.
  expect(hits('CLOCK', stream, 3)).toBe(2);
  expect(hits('LRU', [1, 2, 3, 4, 1, 2, 3, 4], 3)).toBe(0);
  expect(hits('MIN', [1, 2, 3, 4, 1, 2, 3, 4], 3)).toBe(3);
});

test('the clock spares what was asked for since the hand came by', () => {
  // 5 finds all marked and takes the place of 1; then 2 is asked for, so 6 takes the place of 3.
  expect(hits('CLOCK', [1, 2, 3, 5, 2, 6, 2], 3)).toBe(2);
});

test('STATIC has what was frequent at first, and changes never', () => {
  const stream = [...Array.from({ length: 10 }, () => 1), ...Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 1 : 100 + i))];
  expect(hits('STATIC', stream, 1)).toBeCloseTo(100 / 3);
});

test('none has more than MIN, none more than one without end; a cache that all fits into is as good as that', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { maxLength: 80 }), fc.integer({ min: 1, max: 14 }), (urls, size) => {
      const best = hits('MIN', urls, size);
      expect(best).toBeLessThanOrEqual(hits('infinite', urls, size));
      for (const name of ONLINE) expect(hits(name, urls, size), name).toBeLessThanOrEqual(best);
      for (const name of [...ONLINE, 'MIN']) expect(hits(name, urls, 13), name).toBe(hits('infinite', urls, 13));
    }),
  );
});

test('LRU and MIN of a greater size never have fewer', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { maxLength: 80 }), fc.integer({ min: 1, max: 12 }), (urls, size) => {
      for (const name of ['LRU', 'MIN']) expect(hits(name, urls, size + 1), name).toBeGreaterThanOrEqual(hits(name, urls, size));
    }),
  );
});
