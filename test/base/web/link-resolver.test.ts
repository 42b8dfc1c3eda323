import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkResolver } from '../../../src/base/web/link-resolver.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { runs } from '../../support/extent.ts';

const BASES = [
  'http://example.com/',
  'http://example.com/a/b.html?x=1',
  'https://example.com:8443/a/../b//c/',
  'http://127.0.0.1:8080/a;jsessionid=1/b',
  'http://example.com./d',
  'http://user:secret@example.com/a',
  'mailto:x@example.com',
];

test.each(BASES)('every kind of link reads as canonicalize reads it, on %s', (base) => {
  const resolver = new LinkResolver(base);
  const links = [
    ...['', '#top', '?q=1', 'a', 'a/b', 'a//b', '/a', '//other.example/a', './a', '../a', '..', '.', '.hidden', 'a/.', 'a/..', 'a/../b'],
    ...['a.html#x', 'a%20b', 'a b', ' a', 'a\t', 'é', 'a?b#c', 'a;b', 'a;jsessionid=1', 'mailto:a', 'http:a', 'https:/a', 'http://'],
    ...['http://example.com', 'http://example.com/', 'HTTP://Example.com/A', 'http://Example.com/A', 'http://example.com./a'],
    ...[
      'http://example.com:80/a',
      'https://example.com:443/a',
      'http://a..b/c',
      'http://.a/c',
      'http://a./c',
      'http://1.2/c',
      'http://0x7f.1/c',
    ],
    ...['http://a@b/c', 'http://a:99999/c', 'http://a:/c', 'http://a?b/c', 'http://a#b/c', 'http://a\\b/c', `/${'x'.repeat(2100)}`],
  ];
  for (const link of links) expect([link, resolver.resolve(link)]).toEqual([link, canonicalize(link, base)]);
});

test('made-up links too', () => {
  const part = fc.constantFrom(
    'a',
    'B9',
    '.',
    '..',
    '/',
    '//',
    '-_~',
    ':',
    '?',
    '#',
    '%41',
    '%',
    ';',
    '@',
    ' ',
    '\t',
    '\\',
    'é',
    'http://',
    'https://',
    'h.example',
    ':80',
    '=',
  );
  const link = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...BASES), link, (base, href) => {
      expect(new LinkResolver(base).resolve(href)).toBe(canonicalize(href, base));
    }),
    { numRuns: runs(5000) },
  );
});

test('more origins than are remembered', () => {
  const resolver = new LinkResolver('http://example.com/');
  for (let i = 0; i < 5000; i++) expect(resolver.resolve(`http://h${i}.example/a`)).toBe(`http://h${i}.example/a`);
});
