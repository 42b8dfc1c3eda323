import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EqualTexts } from '../../../src/corpus/select/equal-texts.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest();

test('groups are those of a map of the texts, and the page that was fetched first stays', () => {
  const texts = new EqualTexts();
  const pages = Array.from({ length: 5000 }, (_, i) => ({
    ordinal: i * 3,
    text: `text ${(i * 7919) % 3571}`,
    fetchedAt: 1000 + ((i * 31) % 40),
    id: `urn:uuid:${'x'.repeat(i % 20)}${i}`,
  }));
  for (const { text, ordinal, fetchedAt, id } of pages) texts.add(hashOf(text), ordinal, fetchedAt, id);
  const byText = new Map<string, typeof pages>();
  for (const page of pages) byText.set(page.text, [...(byText.get(page.text) ?? []), page]);
  const expected = [...byText.values()].flatMap((equal) => {
    const [stays, ...others] = equal.toSorted((a, b) => a.fetchedAt - b.fetchedAt || a.ordinal - b.ordinal);
    return others.length === 0
      ? []
      : [{ stays: stays?.id, first: stays?.ordinal, others: others.map(({ ordinal }) => ordinal).sort((a, b) => a - b) }];
  });
  const byId = (groups: readonly { readonly stays: string | undefined }[]) =>
    groups.toSorted((a, b) => String(a.stays).localeCompare(String(b.stays)));
  expect(expected.length).toBeGreaterThan(1000);
  expect(byId([...texts.groups()])).toEqual(byId(expected));
});

test('hashes that differ in one bit of any byte are of different texts; no text and one text have no group', () => {
  const texts = new EqualTexts();
  expect([...texts.groups()]).toEqual([]);
  const base = hashOf('base');
  texts.add(base, 0, 5, 'a');
  expect([...texts.groups()]).toEqual([]);
  for (let bit = 0; bit < 128; bit++) {
    const other = Buffer.from(base);
    other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    texts.add(other, bit + 1, 5, `b${bit}`);
  }
  expect([...texts.groups()]).toEqual([]);
  texts.add(base, 500, 4, 'earlier');
  expect([...texts.groups()]).toEqual([{ stays: 'earlier', first: 500, others: [0] }]);
});
