import { expect, test } from 'vitest';
import { placeInChunk, RowChunks } from '../../../src/base/core/row-chunks.ts';

test('rows keep their values while the table grows from a short chunk over several, and new rows are zero', () => {
  const rows = new RowChunks(8);
  const count = 200_000;
  for (let row = 0; row < count; row++) {
    rows.reserve(row + 1);
    const { words, halves } = rows.of(row);
    if (words[2 * placeInChunk(row)] !== 0) expect(row).toBe('zero');
    words[2 * placeInChunk(row)] = 3 * row;
    halves[4 * placeInChunk(row) + 2] = row % 65_536;
  }
  for (let row = 0; row < count; row++) {
    const { words, halves } = rows.of(row);
    if (words[2 * placeInChunk(row)] !== 3 * row || halves[4 * placeInChunk(row) + 2] !== row % 65_536)
      expect(row).toBe('as it was written');
  }
});

test('a full chunk is never copied: it stays the same object', () => {
  const rows = new RowChunks(4);
  rows.reserve(65_536);
  const first = rows.of(0);
  rows.reserve(300_000);
  expect([65_535, 65_536].map((row) => rows.of(row) === first)).toEqual([true, false]);
});

test.each([-1, 65_536])('row %i of a table with a thousand rows is an error', (row) => {
  const rows = new RowChunks(4);
  rows.reserve(1000);
  expect(() => rows.of(row)).toThrow(/not in the table/);
});

test.each([0, 5, 65_536, 150_000])('%i rows restored from their parts are the same rows', (count) => {
  const rows = new RowChunks(4);
  rows.reserve(count);
  for (let row = 0; row < count; row++) rows.of(row).words[placeInChunk(row)] = 7 * row;
  const again = new RowChunks(4);
  expect(again.restore(rows.parts(count))).toBe(count);
  for (let row = 0; row < count; row++) if (again.of(row).words[placeInChunk(row)] !== 7 * row) expect(row).toBe('as it was');
});
