/** Text of the web in the cells of a table: no spreadsheet runs it, and it can be had back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, csvCell, guarded, tsvLine, unguarded } from '../../../src/base/text/table-cells.ts';
import { runs } from '../../support/extent.ts';

test.each([
  '=HYPERLINK("http://evil.example","Sale")',
  "+1+cmd|'/C calc'!A0",
  '-2+3',
  '@SUM(A1:A9)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\u200b=1+1',
  '\ufeff\u200f=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(1)',
])('%j is shown, not run', (text) => {
  expect(guarded(text)).toBe(`'${text}`);
  expect(unguarded(guarded(text))).toBe(text);
});

test.each(['Peat', "'tis moss", '1-2', 'a=b', '–5 °C', '“=”', ''])('%j stays as it is', (text) => {
  expect(guarded(text)).toBe(text);
  expect(unguarded(text)).toBe(text);
});

test('whatever a text is, it can be had back, and no cell of a line begins as a formula', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'=+-@\'\t \n"，;,a') }));
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1 }), (one, cells) => {
      if (!one.startsWith("'")) expect(unguarded(guarded(one))).toBe(one);
      for (const cell of tsvLine(cells).slice(0, -1).split('\t')) expect(cell).not.toMatch(/^\s*[=+\-@]/);
      expect(tsvLine(cells).split('\t')).toHaveLength(cells.length);
    }),
    { numRuns: runs(1000) },
  );
});

test('what separates cells in any country is quoted', () => {
  for (const text of ['a,b', 'a;=1+1', 'a\t=1+1', 'a\n=1+1', 'say "moss"', ''])
    expect(csvCell(text)).toBe(`"${text.replaceAll('"', '""')}"`);
  expect(csvCell('plain')).toBe('plain');
});

test('cells of a line: quotes, doubled quotes, separators within them, and white space around', () => {
  expect(cellsOf(' a ; "b;c" ;"say ""x""";', ';')).toEqual(['a', 'b;c', 'say "x"', '']);
  expect(cellsOf('"never closed, one', ',')).toEqual(['never closed, one']);
  expect(cellsOf('', ',')).toEqual(['']);
});
