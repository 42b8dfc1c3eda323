import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiPage } from './api-page.ts';

test('the page of the library is that of the docstrings: npm run docs', () => {
  expect(readFileSync('docs/reference/api.md', 'utf8')).toBe(apiPage());
});

test('every function and class of the library has a docstring', () => {
  const sections = apiPage().split(/^### /m).slice(1);
  const bare = sections.filter(
    (section) => /```ts\nexport (?:abstract )?(?:async )?(?:function|class)/.test(section) && /^\w+\n\n```/.test(section),
  );
  expect(sections.length).toBeGreaterThan(80);
  expect(bare.map((section) => section.split('\n')[0])).toEqual([]);
});
