/** The glossary is one table: a noun is explained once, where users look, and the style sheet explains none. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rowsOf = (path: string): readonly string[][] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /^\| (?!---|word \|)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const rows = rowsOf('docs/reference/glossary.md');
const wordsOf = (cell = '') => cell.split(', ');
const words = rows.flatMap(([cell]) => wordsOf(cell));

test('each word is explained once, in the order of the alphabet', () => {
  expect(words.length).toBeGreaterThan(90);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  const heads = rows.map(([cell]) => (cell ?? '').toLowerCase());
  expect(heads).toEqual([...heads].sort());
});

test('a row has a meaning for each of its words, and a column of words to avoid', () => {
  for (const [cell = '', meaning = '', ...rest] of rows) {
    expect([cell, rest.length, meaning.length > 10]).toEqual([cell, 1, true]);
  }
});

test('the style sheet explains no word of it again', () => {
  const again = rowsOf('docs/style.md').filter(([cell]) => wordsOf(cell).some((word) => words.includes(word)));
  expect(again).toEqual([]);
  expect(readFileSync('docs/style.md', 'utf8')).toContain('](reference/glossary.md)');
});
