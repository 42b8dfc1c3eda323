import { expect, test } from 'vitest';
import { counted, countText, percentText } from '../../../src/base/text/number-text.ts';

test('thousands are apart, and there are no others', () => {
  expect([0, 7, 999, 1000, 1_234_567].map(countText)).toEqual(['0', '7', '999', '1,000', '1,234,567']);
});

test('one thing is named in the singular', () => {
  expect([0, 1, 2, 1234].map((n) => counted(n, 'answer'))).toEqual(['0 answers', '1 answer', '2 answers', '1,234 answers']);
  expect([1, 2].map((n) => counted(n, 'URL waits', 'URLs wait'))).toEqual(['1 URL waits', '2 URLs wait']);
});

test('a share has one decimal, and keeps it', () => {
  expect([0, 0.375, 0.5004, 1].map(percentText)).toEqual(['0.0 %', '37.5 %', '50.0 %', '100.0 %']);
});
