/** Objects as JSON, and the checksum of such a line. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkOf, checksummed, checksummedLine } from '../../../src/base/core/checksum.ts';
import { jsonObject } from '../../../src/base/core/json-object.ts';

/** Characters that JSON escapes, and characters of texts. */
const piece = fc.constantFrom(
  'a',
  ' ',
  '\n',
  '"',
  '\\',
  '\\n',
  '\t',
  '\r',
  '\0',
  '\x1f',
  '\x7f',
  'é',
  '\u2028',
  '沼',
  '🌱',
  '\ud83c',
  '\udf31',
  '</a>',
);
const short = fc.string({ unit: piece, maxLength: 20 });
/** Longer than the strings that are left to `JSON.stringify`, with and without characters that only it escapes. */
const long = fc
  .tuple(short, fc.constantFrom('word ', 'wörd\n', '"沼" \\ '), short)
  .map(([start, word, end]) => start + word.repeat(300) + end);
const field = fc.oneof(short, long, fc.double(), fc.constant(undefined), fc.jsonValue(), fc.array(long, { maxLength: 2 }));

test('any object is the same as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(short, fc.constantFrom('2', '1', '__proto__', 'toString')), field), (value) => {
      expect(jsonObject(value)).toBe(JSON.stringify(value));
    }),
  );
});

test('each character below U+0300, and each half of a pair, is escaped in a long text as in a short one', () => {
  const text = 'x'.repeat(1000);
  const units = [...Array(0x300).keys(), ...Array.from({ length: 0x840 }, (_, i) => 0xd7e0 + i)];
  for (const unit of units) {
    const value = { text: text + String.fromCharCode(unit) };
    if (jsonObject(value) !== JSON.stringify(value)) expect.fail(`U+${unit.toString(16)} is written in another way`);
  }
});

test('a line with a checksum is the object with one field more, and damage shows', () => {
  fc.assert(
    fc.property(fc.record({ title: short, text: long }), fc.nat(), (value, at) => {
      const line = checksummed(value);
      expect(checkOf(line)).toBe('right');
      const { crc32, ...rest } = JSON.parse(line.toString('utf8')) as Record<string, string>;
      expect(crc32).toMatch(/^[0-9a-f]{8}$/);
      expect(JSON.stringify(rest)).toBe(JSON.stringify(value));
      expect(checksummedLine(value).toString('latin1')).toBe(`${line.toString('latin1')}\n`);
      const place = at % line.length;
      line[place] = (line[place] ?? 0) ^ 1;
      expect(checkOf(line)).not.toBe('right');
    }),
  );
});
