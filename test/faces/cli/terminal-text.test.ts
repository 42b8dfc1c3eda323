import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../../src/base/text/printable.ts';
import { clippedToWidth, columnsOf, wrapped } from '../../../src/faces/cli/terminal-text.ts';

test('what a page could do to a terminal is taken out; the text stays as long as it was', () => {
  const evil = 'a\x1b[2Jb\x1b]0;title\x07c\u202egnp.exe\u2066\r\b\x9b1mword\nline\u200f';
  const safe = printable(evil);
  expect(safe.length).toBe(evil.length);
  expect(safe).toBe('a [2Jb ]0;title c gnp.exe    1mword\nline ');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u061c\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('columns: wide letters take two, marks none', () => {
  expect(columnsOf('moss')).toBe(4);
  expect(columnsOf('苔藓')).toBe(4);
  expect(columnsOf('e\u0301')).toBe(1);
  expect(clippedToWidth('苔藓植物的研究', 7)).toBe('苔藓植…');
});

test('lines break at spaces, in words that are too long, and between letters of scripts without spaces', () => {
  expect(wrapped('the moss of  the bog', 9, [], false)).toEqual(['the moss', 'of  the', 'bog']);
  expect(wrapped('abcdefghij kl', 4, [], false)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  expect(wrapped('苔藓植物 moss', 6, [], false)).toEqual(['苔藓植', '物', 'moss']);
  expect(wrapped('one\n\ntwo', 9, [], false)).toEqual(['one', '', 'two']);
  expect(wrapped('\u0301苔a', 2, [], false), 'a mark alone is no line').toEqual(['\u0301苔', 'a']);
});

test('spans are coloured where they stand, over a line break too, and only when asked for', () => {
  const spans = [
    { start: 4, end: 8, style: 'for' },
    { start: 9, end: 15, style: 'against' },
  ] as const;
  expect(wrapped('the moss of the bog', 11, spans, true)).toEqual(['the \x1b[32mmoss\x1b[0m \x1b[31mof\x1b[0m', '\x1b[31mthe\x1b[0m bog']);
  expect(wrapped('the moss of the bog', 11, spans, false)).toEqual(['the moss of', 'the bog']);
});

test('whatever the text and width: no line is wider than asked, and no letter is lost', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '苔', 'é', '-', '\u0301'), maxLength: 120 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (one, columns) => {
      const lines = wrapped(one, columns, [], false);
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      expect(lines.join('').replace(/\s/g, '')).toBe(one.replace(/\s/g, ''));
    }),
  );
});
