import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SLOW_TESTS } from './slow-tests.ts';

test('the list of slow tests is short, and each row is a file of tests with a reason', () => {
  expect(SLOW_TESTS.length).toBeLessThanOrEqual(60);
  expect(new Set(SLOW_TESTS.map(({ file, test: name }) => `${file}: ${name}`)).size).toBe(SLOW_TESTS.length);
  for (const { file, why } of SLOW_TESTS) {
    expect(existsSync(file), file).toBe(true);
    expect(why, file).toMatch(/^\S.{5,80}\S$/);
  }
});

test('a row of the list names a test of its file', () => {
  const missing = SLOW_TESTS.filter(({ file, test: name }) => {
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    // A name out of a table has words of its row; groups stand before the name.
    return !name.split(/[:;,(]/).some((part) => part.trim().length > 8 && source.includes(part.trim()));
  });
  expect(missing).toEqual([]);
});
