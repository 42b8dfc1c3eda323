/** Pages and lists that cost as much as they can: each in the time and memory of its line in the table, and cut at a cap. */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MAX_URL_CHARS } from '../../src/base/web/url.ts';
import { MAX_OUTLINKS } from '../../src/reading/extract/links.ts';
import { MAX_PAGE_CHARS } from '../../src/reading/extract/page-caps.ts';
import { readUrlList } from '../../src/reading/extract/url-list.ts';
import { pageExtractor } from '../../src/reading/wasm-reader/page-extractor.ts';
import { page } from '../reading/extract/page.ts';
import { urlOf } from '../support/frontier-values.ts';
import { bounded } from './bounded.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const MB = 1024 * 1024;
const numbered = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join('');

test.for<[string, () => string | Uint8Array]>([
  ['100,000 elements nested', () => `${'<div><b>'.repeat(50_000)}bottom${'</b></div>'.repeat(50_000)}<a href=/x>x</a>`],
  ['a million attributes', () => `<a href="/x" ${numbered(1_000_000, (i) => ` a${(i % 50_000).toString(36)}`)}>x</a>`],
  ['250,000 links', () => numbered(250_000, (i) => `<a href=/${i}>`)],
  ['an unclosed script of 5 MB', () => `<p>seen</p><script>${'if (x < y) { "</scrip" } '.repeat(220_000)}`],
  ['2 MB of <', () => '<'.repeat(2 * MB)],
  ['a text node of 10 MB', () => `<p>${'word '.repeat(2 * MB)}</p>`],
  ['a srcset of 100,000 candidates', () => `<img srcset="${numbered(100_000, (i) => `/i${i}.jpg ${i + 1}w, `)}"><a href=/x>x</a>`],
  ['100,000 bases', () => `${numbered(100_000, (i) => `<base href="http://h${i}.test/">`)}<a href=x>x</a>`],
  ['4 MB that are no text in any encoding', () => new Uint8Array(4 * MB).map((_, i) => (i * 2_654_435_761) >>> 11)],
  ['2 MB of UTF-16 that is said to be UTF-8', () => Buffer.from(`<p>${'wörter '.repeat(150_000)}</p>`, 'utf16le')],
])('a page of %s', async ([, build], { task }) => {
  const input = page(build());
  const { text, outlinks, warnings } = await bounded(task, () => extractor.extract(input));
  expect(text.length).toBeLessThanOrEqual(MAX_PAGE_CHARS);
  expect(outlinks.length).toBeLessThanOrEqual(MAX_OUTLINKS);
  if (input.body.byteLength > MAX_PAGE_CHARS) expect(warnings.length).toBeGreaterThan(0);
});

test('links that are no URLs for a crawl, or are written to look like others', async () => {
  const hrefs = [
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'mailto:a@b.test',
      'tel:1',
      'file:///etc/passwd',
      'ftp://a.test/',
      'blob:http://a.test/1',
    ],
    ...[`/long?${'x'.repeat(64 * 1024)}`, `/long?${'x'.repeat(MAX_URL_CHARS)}`, 'http://[bad', 'http://a..test/', '#top'],
    ...[
      'http://user:secret@login.test/a',
      'HTTP://Login.TEST:80/a#x',
      'http://login.test./a',
      'http://login.test/b/../a',
      'http://login.test/%61',
    ],
    ...['http://\u0430pple.test/', 'http://apple.test/', '/%252e%252e/x', '/a%2Fb', '/q?utm_source=x&id=1', '/q?id=1&PHPSESSID=abc'],
  ];
  const { outlinks } = extractor.extract(page(hrefs.map((href) => `<a href="${href}">x</a>`).join('')));
  expect(outlinks.map(({ url }) => url)).toEqual([
    'http://login.test/a',
    'http://xn--pple-43d.test/',
    'http://apple.test/',
    'https://www.example.com/%252e%252e/x',
    'https://www.example.com/a%2Fb',
    'https://www.example.com/q?id=1',
  ]);
});

/** So many megabytes, as members of a gzip file. */
const spaces = (megabytes: number) => new Array<Uint8Array>(megabytes).fill(gzipSync(Buffer.alloc(MB, 32)));

const AT = urlOf('http://www.moss.test/sitemap.xml');
const urlset = (inner: string, space = 'http://www.sitemaps.org/schemas/sitemap/0.9') => `<urlset xmlns="${space}">${inner}</urlset>`;
const entry = (path: string) => `<url><loc>http://www.moss.test/${path}</loc></url>`;

/** Ten entities, each ten of the one before: 10^10 characters, were they resolved. */
const LAUGHS = `<!DOCTYPE urlset [<!ENTITY l0 "ha">${numbered(10, (i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)}]>`;

test.for<[string, () => string | Uint8Array, readonly string[]]>([
  ['a billion laughs', () => LAUGHS + urlset(`${entry('&l10;')}${entry('a')}`), ['&l10;', 'a']],
  ['an external entity', () => `<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]>${urlset(entry('a&x;b'))}`, ['a&x;b']],
  [
    'a gzip bomb of 256 MB',
    () => Buffer.concat([gzipSync(urlset(entry('a')).slice(0, -9)), ...spaces(256), gzipSync(entry('late'))]),
    ['a'],
  ],
  [
    'another namespace, a modification in the year 9999 and no end',
    () => urlset(`<url><loc>/a</loc><lastmod>9999-12-31</lastmod></url>${entry('b')}<url><loc>/c`, 'x').slice(0, -9),
    ['a', 'b'],
  ],
  ['an HTML page', () => '<!doctype html><title>x</title><a href="/a">a</a>', []],
  ['elements nested a million deep', () => `${'<urlset><url>'.repeat(500_000)}<loc>http://www.moss.test/a</loc>`, []],
  ['a location of 10 MB', () => urlset(`<url><loc>http://www.moss.test/${'x'.repeat(10 * MB)}</loc></url>${entry('a')}`), ['a']],
])('a sitemap with %s', async ([, build, paths], { task }) => {
  const bytes = build();
  const input = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const { pages, lists } = await bounded(task, () => readUrlList(AT, input, 'sitemap'));
  expect(pages.map(({ url }) => url.replace('http://www.moss.test/', ''))).toEqual(paths);
  expect(lists).toEqual([]);
});
