import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { titlesIn } from '../support/test-titles.ts';

const ROW = /^\| (\d+) \| ([^|]+) \| [^|]+ \| `([^`]+)`: (.+) \|$/;
const lines = readFileSync('docs/invariants.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line));
const rows = lines.map((line) => {
  const [, number = '', name = '', file = '', title = ''] = ROW.exec(line) ?? [];
  return { number, name, file, title };
});

test.each(rows)('$name', ({ file, title }) => {
  expect(titlesIn(file).some((known) => known.test(title)) ? title : `not in ${file}: ${title}`).toBe(title);
});

test('each invariant of the code map is there, and no name twice', () => {
  const [, section = ''] = /^## Invariants$(.*?)^## /ms.exec(readFileSync('src/README.md', 'utf8')) ?? [];
  const explained = [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  expect(explained.length).toBeGreaterThan(0);
  expect([...new Set(rows.map(({ number }) => number))]).toEqual(explained);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
