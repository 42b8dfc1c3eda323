import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonValues } from '../../../src/reading/extract/loose-json.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs } from '../../support/extent.ts';

test.each<readonly [what: string, script: string, values: readonly unknown[]]>([
  ['JSON', '{"a":[1,null]}', [{ a: [1, null] }]],
  ['commas too many', ',{"a":[1,2,,],"b":{"c":true,},}', [{ a: [1, 2], b: { c: true } }]],
  ['commas too few', '{"a":"b" "c":[{"d":1} {"e":2}]\n"f":3}', [{ a: 'b', c: [{ d: 1 }, { e: 2 }], f: 3 }]],
  ['comments', '/* one */{"a":1, // two\n"b":"// /* no */"}// three', [{ a: 1, b: '// /* no */' }]],
  ['a comment of HTML', '<!--\n{"a":1}\n-->', [{ a: 1 }]],
  ['a mark of CDATA, commented', '//<![CDATA[\n[{"a":1}]\n//]]>', [[{ a: 1 }]]],
  ['two objects', '{"a":1}\n\n{"b":2};{"c":3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['one of two is damaged', '{"a":tr ue:} {"b":2}', [{ b: 2 }]],
  ['line breaks and controls in strings', '{"a":"b\n\tc\u0001d"}', [{ a: 'b c d' }]],
  ['backslashes that escape nothing', String.raw`{"a":"it\'s \x \\\\ \u00e9 \u12"}`, [{ a: "it's x \\\\ é u12" }]],
  ['single quotes', String.raw`{'a':'it\'s "b"'}`, [{ a: 'it\'s "b"' }]],
  ['names without quotes', '{a: 1, $b: "c"}', [{ a: 1, $b: 'c' }]],
  ['an assignment', 'window.data = {"a":1};', [{ a: 1 }]],
  ['references for all quotes', '{&quot;a&quot;:&quot;b &amp; c&quot;}', [{ a: 'b & c' }]],
  ['a bracket too many', '{"a":1}}', [{ a: 1 }]],
  ['a byte order mark', '\ufeff{"a":1}', [{ a: 1 }]],
  ['no end', '{"a":1', []],
  ['a string without an end', '{"a":"b}', []],
  ['no JSON', '<p>text</p>', []],
])('%s', (_, script, values) => {
  expect(jsonValues(script)).toEqual(values);
});

test('any JSON is read as it is, behind a comment and with a comma more', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      const text = JSON.stringify(value);
      expect(jsonValues(text)).toEqual([JSON.parse(text)]);
      expect(jsonValues(`/*x*/${text.replace(/([\]}])$/, text.length > 2 ? ',$1' : '$1')}`)).toEqual([JSON.parse(text)]);
    }),
    { numRuns: runs(300) },
  );
});

test('half a megabyte of anything takes no time', () => {
  for (const bit of ['{', '[', '"', '\\"', '/*', '//', '{"a":', "'", '<!--', ',', '{"a":1}', 'a', '\ufeff']) {
    const text = bit.repeat(500_000 / bit.length);
    expectWithin(2_000, () => jsonValues(text), bit);
  }
});
