import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fingerprint } from '../../../src/base/core/fingerprint.ts';
import { FingerprintIndex, type IndexColumns } from '../../../src/base/core/fingerprint-index.ts';
import { size } from '../../support/extent.ts';

/** Mixed so that neither half is in order. */
function printOf(i: number): Fingerprint {
  return { hi: Math.imul(i, 0x9e3779b1) >>> 0, lo: Math.imul(i + 7, 0x85ebca6b) >>> 0 };
}

function copyOf({ fingerprints, cells, segments }: IndexColumns): IndexColumns {
  const copied = (parts: readonly Uint8Array[]) => parts.map((part) => part.slice());
  return { fingerprints: copied(fingerprints), cells: copied(cells), segments: copied(segments) };
}

function expectNumbers(prints: readonly Fingerprint[]): void {
  const index = new FingerprintIndex();
  const order = prints.map((_, i) => i);
  expect(prints.map((print) => [index.find(print), index.of(print)])).toEqual(order.map((i) => [-1, i]));
  expect(prints.map((print) => [index.find(print), index.of(print)])).toEqual(order.map((i) => [i, i]));
  expect(index.size).toBe(prints.length);
  const into = { hi: 0, lo: 0 };
  expect(prints.map((_, number) => ({ ...index.print(number, into) }))).toEqual(prints);
}

test('a fingerprint keeps its number while segments are split', () => {
  expectNumbers(Array.from({ length: 20_000 }, (_, i) => printOf(i)));
});

test('a segment is split until its entries part', () => {
  // The lowest seven bits that choose a segment are the same.
  expectNumbers(Array.from({ length: 8000 }, (_, i) => ({ hi: (printOf(i).hi << 7) >>> 0, lo: i })));
});

test('a segment grows if its fingerprints have the same upper half', () => {
  expectNumbers(Array.from({ length: 8000 }, (_, i) => ({ hi: 5, lo: printOf(i).lo })));
});

test('a full 32 bits of both halves count, and the order of arrival gives the number', () => {
  const half = fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));
  fc.assert(
    fc.property(fc.array(fc.record({ hi: half, lo: half }), { maxLength: 200 }), (prints) => {
      const index = new FingerprintIndex();
      const numbers = new Map<string, number>();
      for (const { hi, lo } of prints) {
        const key = `${hi} ${lo}`;
        expect(index.find({ hi, lo })).toBe(numbers.get(key) ?? -1);
        if (!numbers.has(key)) numbers.set(key, numbers.size);
        expect(index.of({ hi, lo })).toBe(numbers.get(key));
      }
      expect(index.size).toBe(numbers.size);
    }),
  );
});

test.each([0, 1, 3000, 40_000])('an index restored from %i fingerprints has the same numbers, and goes on with the next', (count) => {
  const index = new FingerprintIndex();
  const prints = Array.from({ length: count }, (_, i) => printOf(i));
  for (const print of prints) index.of(print);
  const again = new FingerprintIndex();
  again.restore(copyOf(index.columns()));
  expect([again.size, prints.map((print) => again.find(print))]).toEqual([count, prints.map((_, i) => i)]);
  expect([again.find(printOf(count)), again.of(printOf(count)), again.of(printOf(count + 1))]).toEqual([-1, count, count + 1]);
});

test('fingerprints that somebody made alike are restored too', () => {
  const count = size(8000, 3000);
  const index = new FingerprintIndex();
  const prints = Array.from({ length: count }, (_, i) => ({ hi: 5, lo: printOf(i).lo }));
  for (const print of prints) index.of(print);
  const again = new FingerprintIndex();
  again.restore(copyOf(index.columns()));
  expect(prints.map((print) => again.find(print))).toEqual(prints.map((_, i) => i));
  const more = Array.from({ length: count }, (_, i) => ({ hi: 5, lo: printOf(i + count).lo }));
  expect(more.map((print) => again.of(print))).toEqual(more.map((_, i) => count + i));
  expect(prints.map((print) => [index.find(print), again.find(print)])).toEqual(prints.map((_, i) => [i, i]));
});
