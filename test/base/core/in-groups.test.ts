import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inGroups } from '../../../src/base/core/in-groups.ts';

test('all items in their order, in groups that end with the item that fills them', () => {
  expect([...inGroups([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...inGroups([1, 2, 3, 4], 2)]).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect([...inGroups([], 2)]).toEqual([]);
  expect([...inGroups([9, 1, 1, 1, 8], 3, (weight) => weight)]).toEqual([[9], [1, 1, 1], [8]]);
});

test('no group but the last weighs less than it may, and none without its last item weighs as much', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 30 }), (weights, most) => {
      const groups = [...inGroups(weights, most, (weight) => weight)];
      const sum = (some: readonly number[]) => some.reduce((a, b) => a + b, 0);
      expect(groups.flat()).toEqual(weights);
      for (const group of groups.slice(0, -1)) expect(sum(group)).toBeGreaterThanOrEqual(most);
      for (const group of groups) expect(sum(group.slice(0, -1))).toBeLessThan(most);
    }),
  );
});
