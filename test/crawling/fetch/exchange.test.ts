import { expect, test } from 'vitest';
import { readHead } from '../../../src/crawling/fetch/exchange.ts';

test('header fields that come again are joined by commas, lines of X-Robots-Tag by line feeds', () => {
  const raw = ['Vary', 'Accept', 'X-Robots-Tag', 'otherbot: noindex', 'vary', 'Cookie', 'x-robots-tag', 'nofollow', '__proto__', 'x'];
  const { headers, rawHeaders } = readHead(200, 'OK', raw);
  expect(headers).toMatchObject({ vary: 'Accept, Cookie', 'x-robots-tag': 'otherbot: noindex\nnofollow' });
  expect(rawHeaders).toHaveLength(5);
});
