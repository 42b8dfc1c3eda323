import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packTexts, unpackTexts } from '../../../src/crawling/frontier/stored-texts.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constant('half \ud83d of a pair'),
  fc.constant('\n{"'),
);

test('any texts come back as they were, with half of a surrogate pair too', () => {
  const page = fc.record(
    {
      title: anyText,
      text: anyText,
      otherText: anyText,
      lang: fc.option(anyText),
      document: fc.record({ kind: fc.constantFrom('pdf' as const, 'openapi' as const) }),
    },
    { requiredKeys: ['title', 'text', 'lang'] },
  );
  fc.assert(
    fc.property(page, (texts) => {
      const unpacked = unpackTexts(packTexts(texts));
      expect(unpacked).toEqual(texts);
      expect('otherText' in unpacked).toBe('otherText' in texts);
      expect('document' in unpacked).toBe('document' in texts);
    }),
  );
});

test('a page is packed once, and one that was unpacked to be kept is not packed again', () => {
  const page = { title: 'Moss', text: 'Peat grows.', lang: 'en' };
  const packed = packTexts(page);
  expect(packTexts(page)).toBe(packed);
  expect(packTexts({ ...page })).not.toBe(packed);
  expect(packTexts(unpackTexts(packed, true))).toBe(packed);
  const again = packTexts(unpackTexts(packed));
  expect(again).not.toBe(packed);
  expect(again).toEqual(packed);
});

test('the JSON of earlier versions is read', () => {
  const texts = { title: 'Moss', text: 'Peat grows.\nSlowly.', otherText: 'Home', lang: 'en' };
  expect(unpackTexts(brotliCompressSync(JSON.stringify(texts)))).toEqual(texts);
});

test('damaged texts are refused', () => {
  const head = (text: number, otherText: number | null) => `${JSON.stringify(['Moss', null, text, otherText])}\n`;
  for (const stored of ['', 'Peat', '{"title"', `${head(5, null)}Peat`, `${head(4, 3)}Peat`, `${head(3, null)}Peat`])
    expect(() => unpackTexts(brotliCompressSync(stored)), stored).toThrow();
  expect(() => unpackTexts(packTexts({ title: '', text: 'Peat', lang: null }).subarray(1))).toThrow();
});
