/** The documents count the strategies rightly. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STRATEGIES } from '../../src/links/strategies.ts';

const WORDS = ['nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen'];

test.each(['README.md', 'docs/guides/choosing-a-strategy.md'])('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const counts = [...text.matchAll(/(?:\*\*|all |any of the )(\w+)(?: strategies\b|\. Nothing)/gi)].map(([, count = '']) =>
    count.toLowerCase(),
  );
  const numbers = counts.map((count) => (/^\d+$/.test(count) ? Number(count) : WORDS.indexOf(count) + 9));
  expect(numbers.length).toBeGreaterThan(0);
  expect(new Set(numbers)).toEqual(new Set([STRATEGIES.length]));
});
