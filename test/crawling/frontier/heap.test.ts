import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeapRooms, MaxHeap } from '../../../src/crawling/frontier/heap.ts';

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
      const heap = new MaxHeap(new HeapRooms('priorities'), tie);
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

test('heaps of one memory do not touch the items of each other, and use what others gave back', () => {
  const rooms = new HeapRooms('priorities');
  const heaps = Array.from({ length: 5 }, () => new MaxHeap(rooms));
  const turns = Array.from({ length: 3000 }, (_, i) => i);
  for (const i of turns) heaps[i % 5]?.push(((i * 7919) % 1024) / 1024, i);
  const drain = (heap: MaxHeap) => Array.from({ length: heap.size }, () => heap.pop());
  const expected = (rest: number) => turns.filter((i) => i % 5 === rest).sort((a, b) => ((b * 7919) % 1024) - ((a * 7919) % 1024) || a - b);
  expect(heaps.slice(0, 3).map(drain)).toEqual([0, 1, 2].map(expected));
  const before = rooms.takeNew(1);
  for (const i of turns.slice(0, 1700)) heaps[0]?.push(0, i);
  expect(heaps.slice(3).map(drain)).toEqual([3, 4].map(expected));
  expect(rooms.takeNew(1)).toBeLessThan(before + 16 * 4);
});

test('times are exact', () => {
  const heap = new MaxHeap(new HeapRooms('times'));
  const now = 1_764_000_000_000;
  for (const [item, time] of [now + 2, now + 1, now + 1.5].entries()) heap.push(-time, item);
  expect([heap.topKey, heap.pop(), heap.pop(), heap.pop()]).toEqual([-(now + 1), 1, 2, 0]);
});

test.each([0, 1, 16, 17, 40_000])('%i items that are written at once are the same heap as if they were pushed', (size) => {
  const rooms = new HeapRooms('priorities');
  const [pushed, filled] = [new MaxHeap(new HeapRooms('priorities')), new MaxHeap(rooms)];
  const keyOf = (item: number) => ((item * 7919) % 512) / 512;
  const first = filled.reserve(size);
  for (let item = 0; item < size; item++) {
    pushed.push(keyOf(item), item);
    rooms.set(first + item, keyOf(item), item);
  }
  filled.restore();
  for (const heap of [pushed, filled]) heap.push(0.5, size);
  const drain = (heap: MaxHeap) => Array.from({ length: heap.size }, () => heap.pop());
  expect(drain(filled)).toEqual(drain(pushed));
  expect(filled.size).toBe(0);
});
