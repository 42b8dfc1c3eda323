import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadLink } from '../../../src/base/core/parts/reading.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { packLinks, unpackLinks } from '../../../src/crawling/reader/packed-links.ts';

const words = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''));
const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null });
const address = fc.webUrl().map((url) => url as CanonicalUrl);
const facts = {
  url: address,
  text: fc.record({
    anchorText: words,
    context: words,
    imageAlt: words,
    zone: fc.constantFrom('content', 'navigation', 'footer', 'other'),
    tagPath: words,
    anchorScore: score,
    contextScore: score,
  }),
};
const stated = {
  modified: fc.nat(),
  alternates: fc.array(fc.record({ lang: fc.constantFrom('de', 'zh-hant'), url: address }), { maxLength: 3 }),
};
const link: fc.Arbitrary<ReadLink> = fc.record({ ...facts, ...stated }, { requiredKeys: ['url', 'text'] });

test('links come out as they went in', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 8 }), (links) => {
      expect(unpackLinks(packLinks(links))).toEqual(links);
    }),
  );
});

test('a line feed inside a value is noticed', () => {
  const [one] = fc.sample(link, 1);
  if (!one) throw new Error('no sample');
  const broken = { ...one, text: { ...one.text, context: 'a\nb' } };
  expect(() => unpackLinks(packLinks([one, broken]))).toThrow('line feed');
});
