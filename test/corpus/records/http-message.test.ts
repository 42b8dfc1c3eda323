import { expect, test } from 'vitest';
import { parseResponse } from '../../../src/corpus/records/http-message.ts';

test('header fields that come again are joined by commas, lines of X-Robots-Tag by line feeds', () => {
  const lines = [
    'HTTP/1.1 200 OK',
    'Vary: Accept',
    'X-Robots-Tag: otherbot: noindex',
    'vary: Cookie',
    'x-robots-tag: nofollow',
    '',
    'body',
  ];
  const response = parseResponse(Buffer.from(lines.join('\r\n')));
  expect(response?.headers).toEqual({ vary: 'Accept, Cookie', 'x-robots-tag': 'otherbot: noindex\nnofollow' });
});
