/** Whether the keys of a page are where a search would look for them, against their numbers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KeyBounds, keysFit } from '../../../src/crawling/frontier/lmdb-keys.ts';

const small = (value: number) => {
  const key = Buffer.alloc(4);
  key.writeUInt32LE(value);
  return key;
};
const large = (value: bigint) => {
  const key = Buffer.alloc(8);
  key.writeBigUInt64LE(value);
  return key;
};

/** The rule in one line: `from` at most the first, each below the next, the last below `to`. */
function inOrder<T>(keys: readonly T[], from: T | null, to: T | null, isBelow: (a: T, b: T) => boolean): boolean {
  const [first, last] = [keys[0], keys.at(-1)];
  const isAbove = from === null || first === undefined || !isBelow(first, from);
  const isUnder = to === null || last === undefined || isBelow(last, to);
  return isAbove && isUnder && keys.slice(1).every((key, i) => isBelow(keys[i] as T, key));
}

/** Mostly in order, or no two runs would fit. */
function runs<T>(key: fc.Arbitrary<T>, compare: (a: T, b: T) => number) {
  const keys = fc.array(key, { maxLength: 5 });
  const sorted = keys.map((some) => [...some].sort(compare));
  return fc.record({ keys: fc.oneof(sorted, sorted, keys), from: fc.option(key), to: fc.option(key) });
}

function holds<T>(key: fc.Arbitrary<T>, compare: (a: T, b: T) => number, order: 'bytes' | 'number', bytesOf: (value: T) => Buffer): void {
  let fitting = 0;
  fc.assert(
    fc.property(runs(key, compare), ({ keys, from, to }) => {
      const bounds = { order, from: from === null ? null : bytesOf(from), to: to === null ? null : bytesOf(to) };
      const expected = inOrder(keys, from, to, (a, b) => compare(a, b) < 0);
      fitting += Number(expected && keys.length > 1);
      expect(keysFit(keys.map(bytesOf), bounds)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
  expect(fitting).toBeGreaterThan(20);
}

test('numbers of four bytes are in order as numbers, whatever their bytes', () => {
  const number = fc.oneof(fc.nat(6), fc.constantFrom(255, 256, 257, 65_536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff));
  holds(number, (a, b) => a - b, 'number', small);
});

test('numbers of eight bytes too', () => {
  const number = fc.oneof(
    fc.bigInt({ min: 0n, max: 5n }),
    fc.constantFrom(0xffffffffn, 0x100000000n, 0x100000001n, 0x1ffffffffn, 0x200000000n, 0x80000000ffffffffn, 0xffffffffffffffffn),
  );
  holds(number, (a, b) => (a < b ? -1 : Number(a > b)), 'number', large);
});

test('texts are in order as bytes: one that begins another comes before it', () => {
  const text = fc.oneof(fc.string({ minLength: 0, maxLength: 2, unit: fc.constantFrom('a', 'b') }), fc.constantFrom('links', 'links/1'));
  holds(
    text,
    (a, b) => (a < b ? -1 : Number(a > b)),
    'bytes',
    (value) => Buffer.from(value),
  );
});

test('a key that is no number is in no order of numbers; where the order is not known nothing is said', () => {
  const free: Omit<KeyBounds, 'order'> = { from: null, to: null };
  for (const length of [0, 1, 3, 5, 7, 9]) expect(keysFit([Buffer.alloc(length)], { ...free, order: 'number' })).toBe(false);
  expect(keysFit([small(1), Buffer.alloc(5)], { ...free, order: 'number' })).toBe(false);
  expect(keysFit([small(9), large(1n)], { ...free, order: 'number' })).toBe(true);
  expect(keysFit([large(1n), small(9)], { ...free, order: 'number' })).toBe(false);
  expect(keysFit([small(9), small(1), Buffer.alloc(3)], { order: null, from: small(99), to: small(0) })).toBe(true);
});
