/** The table of faults is whole, and names what is there. That the tests pass, and within their bounds, is seen by running it: npm run check -- hostile. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TABLES } from '../../tools/scripts/table.ts';
import { titlesIn } from '../support/test-titles.ts';
import { ELSEWHERE, FAULT_TESTS, ROWS } from './faults.ts';

/** The list of faults has sixteen of networks, two of lists, two of pages, one each of URLs and duplicates, ten of the machine, one of memory. */
test('every row of the list of faults is there, with a test or with where it is played', () => {
  expect(ROWS).toHaveLength(33);
  const known = new Set([...FAULT_TESTS, ...ELSEWHERE].map(({ row }) => row));
  expect(ROWS.filter((row) => !known.has(row))).toEqual([]);
});

test('no line is there twice', () => {
  const lines = FAULT_TESTS.map(({ row, input, test: name }) => `${row} ${input} ${name}`);
  expect(new Set(lines).size).toBe(lines.length);
});

test('whoever states a bound on memory measures it', () => {
  const measuring = FAULT_TESTS.filter(({ mb }) => mb !== undefined).map(({ file }) => file);
  for (const file of new Set(measuring)) expect(readFileSync(file, 'utf8')).toContain('bounded(task, ');
});

describe('the commands that the table names', () => {
  const checks = TABLES.check.map(({ name }) => `npm run check -- ${name}`);
  const named = ELSEWHERE.flatMap(({ where }) => (where.startsWith('npm run ') ? [where] : []));
  test.each([...new Set(named)])('%s', (command) => expect(checks).toContain(command));
});

describe('the tests that the table names are in their files', () => {
  test.each(FAULT_TESTS.map((line) => [line.file, line.test] as const))('%s: %s', (file, name) => {
    const known = titlesIn(file);
    for (const part of name.split(' > ')) expect(known.some((title) => title.test(part)) ? part : `not there: ${part}`).toBe(part);
  });
});
