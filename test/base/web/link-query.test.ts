/** Queries of links in the charset of their page (URL Standard, "query state"). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withEncodedQuery } from '../../../src/base/web/link-query.ts';
import { LinkResolver } from '../../../src/base/web/link-resolver.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { runs } from '../../support/extent.ts';

const BASE = 'https://a.example/dir/page?old=1';
const resolved = (href: string, charset: string) => new LinkResolver(BASE, charset).resolve(href);

test.each([
  ['a Greek query', '/find?w=μύλος', 'iso-8859-7', '/find?w=%EC%FD%EB%EF%F2'],
  ['a Japanese one', 'find?w=水車', 'shift_jis', '/dir/find?w=%90%85%8E%D4'],
  ['a Korean syllable of windows-949 alone', '?w=뷁', 'euc-kr', '/dir/page?w=%94%EE'],
  ['a Cantonese one', '?w=嘅', 'big5', '/dir/page?w=%FBH'],
  ['a Chinese one of GBK', '?w=坝€', 'gbk', '/dir/page?w=%B0%D3%80'],
  ['the same in GB18030', '?w=坝€', 'gb18030', '/dir/page?w=%B0%D3%A2%E3'],
  ['a character of no such charset', '?w=é水', 'windows-1252', '/dir/page?w=%E9%26%2327700%3B'],
  ['a person of four parts', '?w=é👩‍🌾', 'iso-8859-1', '/dir/page?w=%E9%26%23128105%3B%26%238205%3B%26%23127806%3B'],
  ['half a pair', '?w=\ud83d', 'windows-1251', '/dir/page?w=%26%2365533%3B'],
  ['the path is UTF-8', '/млин/я?w=я', 'windows-1251', '/%D0%BC%D0%BB%D0%B8%D0%BD/%D1%8F?w=%FF'],
  ['the fragment is no query', '/x#?я', 'windows-1251', '/x'],
  ['what is escaped stays so', '?w=%D1%8F&v=я', 'windows-1251', '/dir/page?w=%D1%8F&v=%FF'],
  ['quotes and spaces', '?w=я \'b\' "c"<d>', 'windows-1251', '/dir/page?w=%FF%20%27b%27%20%22c%22%3Cd%3E'],
  ['breaks and edges are removed first', ' \n?w=я\t\nя \u0001', 'koi8-r', '/dir/page?w=%D1%D1'],
  ['UTF-16 writes UTF-8', '?w=я', 'utf-16le', '/dir/page?w=%D1%8F'],
  ['so does UTF-8', '?w=я', 'utf-8', '/dir/page?w=%D1%8F'],
])('%s', (_, href, charset, path) => {
  expect(resolved(href, charset)).toBe(`https://a.example${path}`);
});

test('other schemes stay none', () => {
  expect(['mailto:x?subject=я', 'javascript:x?"я"', 'ftp://b.example/?я'].map((href) => resolved(href, 'windows-1251'))).toEqual([
    null,
    null,
    null,
  ]);
});

test('links of ASCII, and of pages in UTF-8, are as if there was no charset', () => {
  const charset = fc.constantFrom('utf-8', 'windows-1251', 'euc-jp', 'iso-2022-jp', 'big5', 'utf-16be', 'replacement');
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), charset, (href, label) => {
      expect(resolved(href, label)).toBe(canonicalize(href, BASE));
    }),
    { numRuns: runs(500) },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), charset, (href, label) => {
      const query = /\?([^#]*)/.exec(withEncodedQuery(`?${href}`, label))?.[1] ?? '';
      if (label !== 'utf-8' && !label.startsWith('utf-16') && label !== 'replacement') expect(query).toMatch(/^[\0-\x7f]*$/);
      expect(typeof resolved(`?${href}`, label)).toMatch(/string|object/);
    }),
    { numRuns: runs(500) },
  );
});
