import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalUrl, RecordId } from '../../../src/base/core/types.ts';
import { KeptRecords } from '../../../src/corpus/records/kept-records.ts';

test('the last version of each page is kept, as in a map by URL', () => {
  const version = fc
    .tuple(fc.nat(30), fc.nat(4))
    .map(([page, no]) => [`http://a/${page}` as CanonicalUrl, `${page} ${no}` as RecordId] as const);
  fc.assert(
    fc.property(fc.array(version, { maxLength: 200 }), (versions) => {
      const kept = new KeptRecords(() => versions);
      const newest = new Map(versions);
      expect(kept.size).toBe(newest.size);
      for (const [url, id] of versions) expect(kept.has(id)).toBe(newest.get(url) === id);
      expect(kept.has('other' as RecordId)).toBe(false);
      expect([...kept.urls(() => true).values()]).toEqual([...newest.keys()]);
      const second = new Set([...newest.values()].filter((_, i) => i % 2 === 1).map((id) => kept.pageOf(id)));
      expect([...kept.urls((page) => second.has(page)).values()]).toEqual([...newest.keys()].filter((_, i) => i % 2 === 1));
    }),
  );
});

test('a walk that has newer versions the second time still gives the URLs', () => {
  const versions: [CanonicalUrl, RecordId][] = [
    ['http://a/' as CanonicalUrl, '1' as RecordId],
    ['http://b/' as CanonicalUrl, '2' as RecordId],
  ];
  const kept = new KeptRecords(() => versions);
  versions.push(['http://a/' as CanonicalUrl, '3' as RecordId], ['http://c/' as CanonicalUrl, '4' as RecordId]);
  expect(kept.has('1' as RecordId)).toBe(true);
  expect(kept.has('3' as RecordId)).toBe(false);
  expect([...kept.urls((page) => page === kept.pageOf('1' as RecordId))]).toEqual([[0, 'http://a/']]);
});
