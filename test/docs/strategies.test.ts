/** The documents count the strategies rightly: each number before "strategies", and the places that name the count otherwise. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STRATEGIES } from '../../src/reading/links/strategy-names.ts';
import { userDocuments } from './documents.ts';

const WORDS = ['five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen'];
const COUNT = new RegExp(`\\b(${WORDS.join('|')}|\\d\\d?) (?:[a-z-]+ )?strategies\\b|\\bany of the (\\w+)\\. Nothing`, 'gi');

/** Fewer than five are some of them, such as the two of a demo. */
function countsIn(text: string): number[] {
  const words = [...text.matchAll(COUNT)].map(([, before, after]) => (before ?? after ?? '').toLowerCase());
  return words.map((word) => (/^\d+$/.test(word) ? Number(word) : WORDS.indexOf(word) + 5)).filter((count) => count > 4);
}

test('a wrong count is noticed, in words and in digits', () => {
  expect(countsIn('**Twelve strategies**, and all 10 link strategies; by two strategies. Names any of the nine. Nothing more.')).toEqual([
    12, 10, 9,
  ]);
});

test.each(userDocuments())('$path', ({ text }) => {
  expect(countsIn(text).filter((count) => count !== STRATEGIES.length)).toEqual([]);
});

test.each(['README.md', 'docs/guides/choosing-a-strategy.md'])('%s says how many there are', (path) => {
  expect(countsIn(readFileSync(path, 'utf8')).length).toBeGreaterThan(0);
});
