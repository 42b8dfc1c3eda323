import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MaxHeap } from '../../src/frontier/heap.ts';

const KEY = fc.integer({ min: 0, max: 6 });
const ACTION = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: fc.constant('push' as const), key: KEY }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('pop' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('keep' as const), least: KEY, odd: fc.boolean() }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('atLeast' as const), key: KEY }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
);

test.each(['oldest', 'newest'] as const)('any run shows what a sorted list would: largest key first, of equals the %s', (tie) => {
  fc.assert(
    fc.property(fc.array(ACTION, { maxLength: 120, size: 'max' }), (actions) => {
      const heap = new MaxHeap(tie);
      let list: { readonly key: number; readonly item: number }[] = [];
      let item = 0;
      for (const action of actions) {
        if (action.do === 'push') {
          heap.push(action.key, ++item);
          list.push({ key: action.key, item });
          list.sort((a, b) => b.key - a.key || (tie === 'oldest' ? a.item - b.item : b.item - a.item));
        } else if (action.do === 'pop') {
          expect(heap.pop()).toBe(list.shift()?.item ?? -1);
        } else if (action.do === 'keep') {
          const wanted = (key: number, one: number) => key >= action.least && (!action.odd || one % 2 === 1);
          heap.keep(wanted);
          list = list.filter((one) => wanted(one.key, one.item));
        } else if (action.do === 'clear') {
          heap.clear();
          list = [];
        } else {
          const all: number[] = [];
          expect(heap.some(action.key, (item) => all.push(item) === 0)).toBe(false);
          const found = all.sort((a, b) => a - b);
          expect(found).toEqual(
            list
              .filter(({ key }) => key >= action.key)
              .map((one) => one.item)
              .sort((a, b) => a - b),
          );
        }
        expect([heap.size, heap.topKey, heap.topItem]).toEqual([
          list.length,
          list[0]?.key ?? Number.NEGATIVE_INFINITY,
          list[0]?.item ?? -1,
        ]);
      }
    }),
  );
});
