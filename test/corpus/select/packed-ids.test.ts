import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedIds } from '../../../src/corpus/select/packed-ids.ts';

test.each([
  ['of a crawl', fc.uuid().map((uuid) => `urn:uuid:${uuid}`)],
  [
    'of any form',
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.uuid(),
      fc.uuid().map((uuid) => `urn:uuid:${uuid.toUpperCase()}`),
    ),
  ],
])('ids %s come back as they were added, in the order of their bytes', (_, id) => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 30 }), (ids) => {
      const held = new PackedIds();
      for (const [i, one] of ids.entries()) expect(held.add(one)).toBe(i);
      expect(held.count).toBe(ids.length);
      expect(ids.map((_, i) => held.at(i))).toEqual(ids);
      const sorted = ids.map((_, i) => i).sort((a, b) => held.compare(a, b));
      expect(sorted.map((i) => held.at(i))).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});

test('thousands of ids, some of another form', () => {
  const held = new PackedIds();
  const ids = Array.from({ length: 5000 }, (_, i) => (i % 1000 === 7 ? `odd ${i}` : `urn:uuid:${randomUUID()}`));
  for (const id of ids) held.add(id);
  expect(ids.map((_, i) => held.at(i))).toEqual(ids);
});
