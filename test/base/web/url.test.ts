import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { registrableDomain } from '../../../src/base/web/domain.ts';
import {
  canonicalize,
  canonicalizeWithRoute,
  hostKeyOf,
  hostNameOf,
  MAX_URL_CHARS,
  normalizeEscapes,
  routeOf,
  withoutRoute,
} from '../../../src/base/web/url.ts';
import { runs } from '../../support/extent.ts';

function url(text: string): CanonicalUrl {
  const canonical = canonicalize(text);
  if (canonical === null) throw new Error(`no URL: ${text}`);
  return canonical;
}

test.each([
  ['HTTP://Example.COM', 'http://example.com/'],
  ['http://example.com:80/', 'http://example.com/'],
  ['https://example.com:443/a', 'https://example.com/a'],
  ['https://example.com:80/a', 'https://example.com:80/a'],
  ['http://example.com./a', 'http://example.com/a'],
  ['http://example.com.:8080/a', 'http://example.com:8080/a'],
  ['http://user:secret@example.com/a', 'http://example.com/a'],
  ['http://user@example.com:81/a@b', 'http://example.com:81/a@b'],
  ['http://example.com/a#top', 'http://example.com/a'],
  ['http://example.com/a?#x?y', 'http://example.com/a'],
  ['http://example.com/a#x?y=1', 'http://example.com/a'],
  ['http://example.com/a/./b/../c', 'http://example.com/a/c'],
  ['http://example.com\\a\\b', 'http://example.com/a/b'],
  ['  http://exa\tmple.com/\n', 'http://example.com/'],
  ['http://example.com/%7ejoe/%41%2d', 'http://example.com/~joe/A-'],
  ['http://example.com/a%2fb%c3%a9', 'http://example.com/a%2Fb%C3%A9'],
  ['http://example.com/é?ü=ß', 'http://example.com/%C3%A9?%C3%BC=%C3%9F'],
  ['http://example.com/100%/%u4e2d', 'http://example.com/100%/%u4e2d'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://[::0:1]:80/a', 'http://[::1]/a'],
  ['http://example.com/?b=2&a=1&b=1', 'http://example.com/?b=2&a=1&b=1'],
  ['http://example.com/?&a=1&&b&', 'http://example.com/?a=1&b'],
])('%s is written %s', (input, expected) => {
  expect(canonicalize(input)).toBe(expected);
});

test.each([
  ['http://a.org/?utm_source=x&id=4&UTM_Medium=y', 'http://a.org/?id=4'],
  ['http://a.org/?%75tm_source=x', 'http://a.org/'],
  ['http://a.org/?gclid=1&fbclid=2&msclkid=3#x', 'http://a.org/'],
  ['http://a.org/?id=gclid', 'http://a.org/?id=gclid'],
  ['http://a.org/?autm_x=1', 'http://a.org/?autm_x=1'],
  ['http://a.org/x;jsessionid=0A1B/y;v=2?PHPSESSID=abc', 'http://a.org/x/y;v=2'],
  ['http://a.org/x;JSESSIONID=0A1B.node1?p=1', 'http://a.org/x?p=1'],
  ['http://a.org/?sid=0123456789abcdef0123456789abcdef&t=5', 'http://a.org/?t=5'],
  ['http://a.org/?sid=news', 'http://a.org/?sid=news'],
  ['http://a.org/a/..;jsessionid=1/b', 'http://a.org/a/..;jsessionid=1/b'],
])('noise is dropped: %s', (input, expected) => {
  expect(canonicalize(input)).toBe(expected);
});

test.each([
  'mailto:a@b.org',
  'javascript:void(0)',
  'ftp://a.org/',
  'data:text/html,x',
  'file:///etc/passwd',
  '',
  'no base',
  '//no.base/',
  'http://',
  'http://a..b/',
  'http://.a/',
  'http://a../',
  'http://./',
  'http://a b/',
  'http://[::1/',
  'http://a:99999/',
  'httpx://a/',
])('%s is no URL for us', (input) => {
  expect(canonicalize(input)).toBeNull();
});

test('relative links resolve against a base of either kind', () => {
  const base = 'https://a.org/x/y?z#w';
  for (const from of [base, new URL(base)]) {
    expect(canonicalize('../b', from)).toBe('https://a.org/b');
    expect(canonicalize('?q', from)).toBe('https://a.org/x/y?q');
    expect(canonicalize('', from)).toBe('https://a.org/x/y?z');
    expect(canonicalize('//c.org', from)).toBe('https://c.org/');
  }
  expect(canonicalize('x', 'about:blank')).toBeNull();
});

test('the length limit holds for the canonical form', () => {
  const root = 'http://a.org/';
  expect(canonicalize(root + 'x'.repeat(MAX_URL_CHARS - root.length))).toHaveLength(MAX_URL_CHARS);
  expect(canonicalize(root + 'x'.repeat(MAX_URL_CHARS - root.length + 1))).toBeNull();
  expect(canonicalize(`${root}#${'x'.repeat(MAX_URL_CHARS)}`)).toBe(root);
  expect(canonicalize(root + '中'.repeat(MAX_URL_CHARS / 8))).toBeNull();
  expect(canonicalize(root + 'x'.repeat(10_000_000))).toBeNull();
});

const piece = fc.constantFrom(
  ...[
    '%',
    '%2',
    '%32',
    '%65',
    '%2e',
    '%2E',
    '%25',
    '%c3%a9',
    '%41',
    'a',
    '1',
    '4',
    '.',
    '..',
    '/',
    '//',
    ';jsessionid=1',
    ';',
    '?',
    '&',
    '=',
  ],
  ...[
    'utm_source=1',
    'sid=0123456789abcdef0123456789',
    'PHPSESSID=',
    '#',
    '@',
    ':',
    ':80',
    '\\',
    'é',
    '中',
    ' ',
    '[',
    '::1]',
    '0x7f',
    '~',
    '|',
    '\ud800',
  ],
);
const messyUrl = fc
  .tuple(fc.constantFrom('http://', 'https://', 'HTTP:', 'http:/', '//', '', '/'), fc.array(piece, { maxLength: 12 }))
  .map(([head, pieces]) => head + pieces.join(''));

test('canonicalising twice changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(messyUrl, fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), (input) => {
      const once = canonicalize(input, 'https://base.example/d/p?q=1');
      if (once === null) return;
      expect(canonicalize(once)).toBe(once);
      expect(new URL(once).href).toBe(once);
    }),
    { numRuns: runs(20_000) },
  );
});

test('host key and host name agree with the URL standard', () => {
  fc.assert(
    fc.property(fc.oneof(messyUrl, fc.webUrl()), (input) => {
      const canonical = canonicalize(input);
      if (canonical === null) return;
      expect(hostKeyOf(canonical)).toBe(new URL(canonical).origin);
      expect(hostNameOf(canonical)).toBe(new URL(canonical).hostname);
    }),
    { numRuns: runs(5000) },
  );
  expect(hostKeyOf(url('http://[::1]:8080/a:b'))).toBe('http://[::1]:8080');
  expect(hostNameOf(url('http://[::1]:8080/'))).toBe('[::1]');
  expect(hostNameOf(url('http://a/x:1'))).toBe('a');
});

test('decoding makes no new escape out of a stray percent sign', () => {
  expect(normalizeEscapes('%%32E')).toBe('%%32E');
  expect(normalizeEscapes('%4%31')).toBe('%4%31');
  expect(normalizeEscapes('%25%32%45')).toBe('%252E');
  fc.assert(
    fc.property(fc.array(fc.constantFrom('%', '%3', '%32', '%33', '%41', '%25', '2', 'e', 'g')), (parts) => {
      const once = normalizeEscapes(parts.join(''));
      expect(normalizeEscapes(once)).toBe(once);
    }),
    { numRuns: runs(5000) },
  );
});

test.each([
  ['https://www.example.co.uk/', 'example.co.uk'],
  ['https://a.b.example.com:8080/', 'example.com'],
  ['https://me.github.io/x', 'me.github.io'],
  ['https://deep.me.github.io/x', 'me.github.io'],
  ['http://localhost:3000/', 'localhost'],
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://[::1]:80/', '[::1]'],
  ['http://co.uk/', 'co.uk'],
  ['http://例え.テスト/', 'xn--r8jz45g.xn--zckzah'],
  ['http://www.city.kawasaki.jp/', 'city.kawasaki.jp'],
])('the registrable domain of %s is %s', (input, expected) => {
  expect(registrableDomain(url(input))).toBe(expected);
});

test.each([
  ['http://a.example/app/#/page/7', 'http://a.example/app/#/page/7'],
  ['http://a.example/app?x=1#!/page', 'http://a.example/app?x=1#!/page'],
  ['http://a.example/app#!page', 'http://a.example/app#!page'],
  ['#/ä b', 'http://a.example/dir/page#/%C3%A4%20b'],
  ['other#/x ', 'http://a.example/dir/other#/x'],
  ['http://a.example/app#part', 'http://a.example/app'],
  ['http://a.example/app#/', 'http://a.example/app'],
  ['http://a.example/app#!', 'http://a.example/app'],
  ['http://a.example/app', 'http://a.example/app'],
])('%s has the route of %s', (written, expected) => {
  const routed = canonicalizeWithRoute(written, 'http://a.example/dir/page#/old');
  expect(routed).toBe(expected);
  if (routed === null) return;
  expect(canonicalizeWithRoute(routed)).toBe(routed);
  expect(withoutRoute(routed) + routeOf(routed)).toBe(routed);
  expect(withoutRoute(routed)).toBe(canonicalize(routed));
});

test('the target of a redirect inherits the route, unless it has its own; a route that makes a URL too long is dropped', () => {
  expect(canonicalizeWithRoute('/to', 'http://a.example/', '#/page')).toBe('http://a.example/to#/page');
  expect(canonicalizeWithRoute('/to#/own', 'http://a.example/', '#/page')).toBe('http://a.example/to#/own');
  expect(canonicalizeWithRoute(`http://a.example/#/${'x'.repeat(MAX_URL_CHARS)}`)).toBe('http://a.example/');
  expect(canonicalizeWithRoute('mailto:a@b')).toBeNull();
});
