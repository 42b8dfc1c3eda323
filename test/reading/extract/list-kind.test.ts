import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { leadsToList } from '../../../src/base/web/media-names.ts';
import { listKindOf } from '../../../src/reading/extract/list-kind.ts';

const urlset =
  '<?xml version="1.0"?>\n<!-- made by a plugin > 1 -->\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>';

test.each<readonly [what: string, content: string | Buffer, kind: 'sitemap' | 'feed' | null]>([
  ['sitemap', urlset, 'sitemap'],
  [
    'sitemap with a style sheet and a prefix',
    '\ufeff<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><s:urlset xmlns:s="x">',
    'sitemap',
  ],
  ['index', '<sitemapindex>', 'sitemap'],
  ['packed', gzipSync(urlset), 'sitemap'],
  ['UTF-16', Buffer.from(`\ufeff${urlset}`, 'utf16le'), 'sitemap'],
  ['RSS 2.0', '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY nbsp "&#160;">]><rss version="2.0">', 'feed'],
  ['RSS 1.0', '<rdf:RDF xmlns:rdf="x">', 'feed'],
  ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom">', 'feed'],
  ['URLs, one a line', 'http://a.example/1\r\nhttp://a.example/2\r\n', 'sitemap'],
  ['packed URLs', gzipSync('https://a.example/1\n'), 'sitemap'],
  ['HTML', '<!doctype html><html><body><rss>', null],
  ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', null],
  ['another XML', '<?xml version="1.0"?><opml><body/></opml>', null],
  ['text with a URL in it', 'See\nhttp://a.example/1\n', null],
  ['nothing', '', null],
  ['damaged gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2]), null],
])('%s', (_, content, kind) => expect(listKindOf(Buffer.from(content))).toBe(kind));

test('addresses of lists', () => {
  for (const path of ['/sitemap.xml', '/a/sitemap_index.xml.gz', '/feed/', '/blog/rss', '/news.atom?x=1', '/sitemap-1.txt', '/index.rdf'])
    expect(leadsToList(`http://a.example${path}`)).toBe(true);
  for (const path of ['/', '/page.html', '/feeding', '/notes.txt', '/rss-explained/x', '/xml'])
    expect(leadsToList(`http://a.example${path}`)).toBe(false);
});
