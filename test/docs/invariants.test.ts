import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { titlesIn } from '../support/test-titles.ts';
import { blocksOf, figuresOf, phrasesToAvoid, readStyleSheet } from './prose.ts';

const PAGE = readFileSync('docs/invariants.md', 'utf8');
const ROW = /^\| ([^|]+) \| [^|]+ \| `([^`]+)`: (.+) \|$/;

const sections = PAGE.split(/^## /m)
  .slice(1)
  .map((text) => {
    const [, number = ''] = /^(\d+)\. \S/.exec(text) ?? [];
    const lines = text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (name|---) /.test(line));
    const rows = lines.map((line) => {
      const [, name = '', file = '', title = ''] = ROW.exec(line) ?? [];
      return { name, file, title };
    });
    const prose = text.replace(/^\|.*$/gm, '').replace(/^.*\n/, '');
    return { number: Number(number), rows, prose };
  });
const rows = sections.flatMap((section) => section.rows);

test.each(rows)('$name', ({ file, title }) => {
  expect(titlesIn(file).some((known) => known.test(title)) ? title : `not in ${file}: ${title}`).toBe(title);
});

test('each invariant has its number, how it is held, and a test; no name is there twice', () => {
  expect(sections.map(({ number }) => number)).toEqual(sections.map((_, at) => at + 1));
  expect(sections.length).toBeGreaterThan(20);
  for (const { number, rows: own, prose } of sections)
    expect([number, own.length > 0, prose.trim().length > 40]).toEqual([number, true, true]);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});

// Titles of tests are theirs, so that the page is not among those of style.test.ts.
test('how they are held is said in short sentences and paragraphs', () => {
  const figures = figuresOf(blocksOf(sections.map(({ prose }) => prose).join('\n')), phrasesToAvoid(readStyleSheet()));
  expect(figures.avoided).toEqual([]);
  expect(figures.p90Words).toBeLessThanOrEqual(25);
  expect(figures.longestWords).toBeLessThanOrEqual(40);
  expect(figures.paragraphLongest).toBeLessThanOrEqual(80);
});
