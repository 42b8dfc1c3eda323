import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableJson } from '../../../src/base/text/printable.ts';

const HARM: readonly (readonly [string, readonly number[]])[] = [
  ['C0', [0x00, 0x07, 0x08, 0x09, 0x0b, 0x0d, 0x1b]],
  ['DEL', [0x7f]],
  ['C1', [0x80, 0x85, 0x90, 0x9b, 0x9d, 0x9f]],
  ['marks and embeddings of direction', [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e]],
  ['isolates', [0x2066, 0x2067, 0x2068, 0x2069]],
  ['deprecated shaping', [0x206a, 0x206f]],
  ['separators of lines and paragraphs', [0x2028, 0x2029]],
  ['what hides', [0x00ad, 0x180e, 0x200b, 0x2060, 0x2064, 0xfeff]],
  ['annotations', [0xfff9, 0xfffa, 0xfffb]],
  ['tags', [0xe0001, 0xe0041, 0xe007f]],
];

test.each(HARM)('%s become spaces, and escapes in JSON, which stays the same value', (_name, points) => {
  for (const point of points) {
    const character = String.fromCodePoint(point);
    expect(printable(`a${character}b`)).toBe(`a${' '.repeat(character.length)}b`);
    const json = printableJson(JSON.stringify({ [character]: character }));
    expect(json).not.toContain(character);
    expect(JSON.parse(json)).toEqual({ [character]: character });
  }
});

test.each([
  ['a line feed', 'one\ntwo'],
  ['Persian, with its joiner', 'می\u200cخواهم'],
  ['a family of emoji', '👨\u200d👩\u200d👧'],
  ['the sign before an Arabic number', '\u0600\u0661\u0662'],
  ['Hebrew and Arabic', 'שלום عليكم'],
  ['marks above letters', 'e\u0301 ก็'],
])('%s stays', (_name, text) => {
  expect(printable(text)).toBe(text);
  expect(printableJson(JSON.stringify(text))).toBe(JSON.stringify(text));
});

test('whatever the text: nothing harmful is left, and JSON is the same value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(/(?!\n)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u);
      expect(printable(text)).toHaveLength(text.length);
      expect(JSON.parse(printableJson(JSON.stringify(text)))).toBe(text);
    }),
  );
});
