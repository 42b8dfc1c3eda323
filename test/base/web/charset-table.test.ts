import { expect, test } from 'vitest';
import { charsetTable, charsetTableText, countRight, WAYS } from './charset-table.ts';
import { CHARSET_SAMPLES } from './charset-table-samples.ts';

const rows = charsetTable();

test('over twenty charsets, no two samples alike', () => {
  expect(new Set(CHARSET_SAMPLES.map(({ label }) => label)).size).toBe(CHARSET_SAMPLES.length);
  expect(new Set(CHARSET_SAMPLES.map(({ base64 }) => base64)).size).toBe(CHARSET_SAMPLES.length);
  expect(rows.length).toBeGreaterThanOrEqual(20);
});

test.each(WAYS.filter((way) => way !== 'undeclared'))('every charset declared by %s is read right', (way) => {
  const wrong = rows.filter(({ cells }) => cells.some((cell) => cell.way === way && cell.right === false));
  expect(wrong.map(({ label }) => label)).toEqual([]);
  expect(countRight(rows, way)).toBeGreaterThanOrEqual(3);
});

/** Bytes that nothing tells apart from a likelier charset (Latin-9), or charsets that no page is guessed to be in. */
const NOT_GUESSED = ['iso-8859-15', 'windows-874', 'macintosh', 'x-mac-cyrillic', 'ibm866'];

test('undeclared, all but five are read right', () => {
  const wrong = rows.filter(({ cells }) => cells.some((cell) => cell.way === 'undeclared' && cell.right === false));
  expect(NOT_GUESSED).toEqual(expect.arrayContaining(wrong.map(({ label }) => label)));
  expect(countRight(rows, 'undeclared')).toBeGreaterThanOrEqual(28);
});

test('the table says what was read instead', () => {
  expect(charsetTableText(rows)).toContain('| charset | bom | header | meta | undeclared |');
  expect(charsetTableText([{ label: 'koi8-u', cells: [{ way: 'undeclared', right: false, readAs: 'koi8-r' }] }])).toContain(
    'WRONG: koi8-r',
  );
});
