/** Link and Refresh fields say what elements of the head say. */

import { expect, test } from 'vitest';
import { PageExtractor } from '../../../src/reading/extract/extractor.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { page } from './page.ts';

const HTML = '<base href="/elsewhere/"><title>Weir</title><p>The weir of Harrow. <a href="b.html">b</a></p>';
const OPTIONS = { productToken: 'Forager' };

/** With either parser, which must agree. */
function extracted(headers: Readonly<Record<string, string>>, html = HTML) {
  const [plain, fast] = [new PageExtractor(OPTIONS, new PageParser()), pageExtractor(OPTIONS)].map((extractor) =>
    extractor.extract(page(html, undefined, headers)),
  );
  expect(fast).toEqual(plain);
  if (plain === undefined) throw new Error('no extraction');
  return plain;
}

const urls = (headers: Readonly<Record<string, string>>, html = HTML) => extracted(headers, html).outlinks.map(({ url }) => url.slice(23));

test('a canonical address is relative to the page, and counts less than that of the page itself', () => {
  expect(extracted({ link: '<right.html>; rel="canonical"' }).metadata.canonical).toBe('https://www.example.com/docs/right.html');
  expect(extracted({ link: '</node/3>; rel=shortlink, <//other.example/x>; rel="CANONICAL"' }).metadata.canonical).toBe(
    'https://other.example/x',
  );
  const own = `<link rel=canonical href="/own">${HTML}`;
  expect(extracted({ link: '</right>; rel=canonical' }, own).metadata.canonical).toBe('https://www.example.com/own');
  expect(extracted({ link: '</wp-json/>; rel="https://api.w.org/"' }).metadata.canonical).toBeNull();
});

test('licences, languages, feeds and the next page are taken', () => {
  const link = [
    '<https://creativecommons.org/licenses/by/4.0/>; rel="license"',
    '</de/wehr.html>; rel="alternate"; hreflang="de"',
    '</feed.xml>; rel=alternate; type="application/rss+xml"',
    '</page/2>; rel="next"',
    '</style.css>; rel=preload; as=style',
  ].join(', ');
  const { metadata, feeds, outlinks } = extracted({ link });
  expect(metadata.licences).toEqual(['https://creativecommons.org/licenses/by/4.0/']);
  expect(metadata.alternates).toEqual([{ lang: 'de', url: 'https://www.example.com/de/wehr.html' }]);
  expect(feeds).toEqual(['https://www.example.com/feed.xml']);
  expect(outlinks.map(({ url, rel }) => [url.slice(23), ...rel])).toEqual([
    ['/elsewhere/b.html'],
    ['/page/2', 'next'],
    ['/de/wehr.html', 'alternate'],
  ]);
});

test('the target of a refresh is a link, the first one', () => {
  expect(urls({ refresh: '0; url=moved.html' })).toEqual(['/docs/moved.html', '/elsewhere/b.html']);
  expect(urls({ refresh: '5;/on' })).toEqual(['/on', '/elsewhere/b.html']);
  expect(urls({ refresh: "3, URL='/quoted, with comma'" })).toEqual(['/quoted,%20with%20comma', '/elsewhere/b.html']);
  expect(urls({ refresh: '300\n0;url=/second' })).toEqual(['/second', '/elsewhere/b.html']);
  expect(urls({ refresh: '30' })).toEqual(['/elsewhere/b.html']);
  expect(urls({ refresh: '0;url=/caf\u00c3\u00a9' })).toEqual(['/caf%C3%A9', '/elsewhere/b.html']);
});

test('plain text has them too', () => {
  const headers = { 'content-type': 'text/plain', link: '</a>; rel=canonical, </b>; rel=next', refresh: '0;url=/c' };
  const { metadata, outlinks, text } = extracted(headers, 'words');
  expect([metadata.canonical, text]).toEqual(['https://www.example.com/a', 'words']);
  expect(outlinks.map(({ url }) => url)).toEqual(['https://www.example.com/c', 'https://www.example.com/b']);
  expect(extracted({ 'content-type': 'text/plain' }, 'words').outlinks).toEqual([]);
});
