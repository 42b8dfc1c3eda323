import { expect, test } from 'vitest';
import { fingerprint } from '../../../src/base/core/fingerprint.ts';
import type { CanonicalUrl, Outlink } from '../../../src/base/core/types.ts';
import { MAX_OUTLINKS } from '../../../src/reading/extract/links.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const links = (html: string): readonly Outlink[] => extractor.extract(page(html)).outlinks;
const urls = (html: string): string[] => links(html).map((link) => link.url);

test('a, area, frame and iframe lead on; the page itself and other schemes do not', () => {
  const html =
    '<a href="a">a</a><map><area href="b" alt="B"></map><iframe src="c"></iframe><frame src="d"><a href="#top">t</a><a href="page.html">self</a>' +
    '<a href="mailto:x@example.org">m</a><a href="javascript:void(0)">j</a><a>none</a><img src="i.png"><link rel="prev" href="n">';
  expect(urls(html)).toEqual(['a', 'b', 'c', 'd'].map((name) => `https://www.example.com/docs/${name}`));
  expect(links(html)[1]?.imageAlt).toBe('B');
});

test('links of a document whose scripts ran keep their routes; the route of the page itself is no link, and a part of a page is none', () => {
  const html = '<a href="#/two">two</a><a href="/app#!/x">x</a><a href="b#part">b</a><a href="#/one">self</a><a href="#top">top</a>';
  const rendered = { ...page(html), url: 'https://www.example.com/docs/page.html#/one' as CanonicalUrl, rendered: true };
  const found = extractor.extract(rendered).outlinks.map(({ url }) => url.replace('https://www.example.com', ''));
  expect(found).toEqual(['/docs/page.html#/two', '/app#!/x', '/docs/b', '/docs/page.html']);
  expect(urls(html).filter((url) => url.includes('#'))).toEqual([]);
});

test('last come the next page and other languages, where no link of the page leads there; style sheets and copies for devices do not', () => {
  const html =
    '<head><link rel="next" href="p2"><link rel="NEXT nofollow" href="p3"><link rel="alternate" hreflang="de" href="de/"><link rel="alternate" hreflang="en" href="page.html">' +
    '<link rel="alternate" type="application/rss+xml" href="feed"><link rel="alternate" media="handheld" href="m"><link rel="stylesheet" href="s.css"></head>' +
    '<p><a href="p2">Page two</a> <a href="x">x</a></p>';
  const found = links(html).map(({ url, anchorText, tagPath, rel }) => [
    url.replace('https://www.example.com/docs/', ''),
    anchorText,
    tagPath,
    rel,
  ]);
  expect(found).toEqual([
    ['p2', 'Page two', 'p>a', []],
    ['x', 'x', 'p>a', []],
    ['p3', '', 'html>head>link', ['next']],
    ['de/', '', 'html>head>link', ['alternate']],
  ]);
});

test('links that are passed over are left out, of the page and of its head, and count against the cap', () => {
  const names = ['old', 'old-next', ...Array.from({ length: 20 }, (_, i) => `old${i}`)];
  const old = new Set(
    names.map((name) => {
      const { hi, lo } = fingerprint(page('').url.replace(/[^/]*$/, name), { hi: 0, lo: 0 });
      return `${hi} ${lo}`;
    }),
  );
  const passing = pageExtractor({ productToken: 'forager', isSettled: ({ hi, lo }) => old.has(`${hi} ${lo}`) });
  const html =
    '<head><link rel="next" href="old-next"><link rel="next" href="new-next"></head><p><a href="old">Old</a> <a href="new">New</a> <a href="old">Old again</a></p>';
  expect(passing.extract(page(html)).outlinks.map(({ url, anchorText }) => [url.slice(29), anchorText])).toEqual([
    ['new', 'New'],
    ['new-next', ''],
  ]);
  const many = Array.from({ length: MAX_OUTLINKS + 10 }, (_, i) => `<a href="${i < 20 ? 'old' : 'new'}${i}">x</a>`).join(' ');
  const { outlinks, warnings } = passing.extract(page(many));
  expect(outlinks.length).toBe(MAX_OUTLINKS - 20);
  expect(warnings.length).toBe(1);
});

test('feeds are told apart from links', () => {
  const html =
    '<base href="/blog/"><link rel="alternate" type="application/rss+xml" href="feed"><link rel="alternate" type=" Application/Atom+XML " href="/atom">' +
    '<link rel="alternate" type="application/rss+xml" href="feed"><link rel="alternate" type="application/json+oembed" href="o"><link type="application/rss+xml" href="no">';
  const { feeds, outlinks } = extractor.extract(page(html));
  expect(feeds).toEqual(['https://www.example.com/blog/feed', 'https://www.example.com/atom']);
  expect(outlinks).toEqual([]);
  expect(extractor.extract(page('<p>none')).feeds).toBeUndefined();
});

test('a base that is no web address is not used', () => {
  expect(urls('<base href="javascript:alert(1)"><a href="x">x</a>')).toEqual(['https://www.example.com/docs/x']);
  expect(urls('<base href="http://[bad"><a href="x">x</a>')).toEqual(['https://www.example.com/docs/x']);
  expect(urls('<base href="//other.example.org/y/"><a href="x">x</a>')).toEqual(['https://other.example.org/y/x']);
});

test('of two sightings the longer anchor text wins, but one in the content first', () => {
  const text = 'A paragraph long enough to be the main text of this page, with commas, sentences and all. It goes on. And on a little. ';
  const html = `<nav><a href="x">the very long name of x</a> <a href="y">y</a></nav><p>${text}<a href="x">x here</a></p><nav><a href="y">y again</a></nav>`;
  expect(links(html).map((link) => [link.anchorText, link.zone])).toEqual([
    ['x here', 'content'],
    ['y again', 'navigation'],
  ]);
});

test('anchor text, image text, rel, path and context', () => {
  const [link] = links(
    '<div><ul><li>one two three four five six seven eight nine ten eleven <a rel="Nofollow  noopener" href="x">the <b>anchor</b><img alt="a   picture"></a>: 1 2 3 4 5 6 7 8 9 10 11</ul>',
  );
  expect(link).toMatchObject({
    anchorText: 'the anchor',
    imageAlt: 'a picture',
    rel: ['nofollow', 'noopener'],
    tagPath: 'ul>li>a',
    context: 'two three four five six seven eight nine ten eleven : 1 2 3 4 5 6 7 8 9',
  });
});

test('context stays within the block; unspaced scripts count half a word a character', () => {
  const [link] = links(`<p>before</p><p>${'春'.repeat(30)}<a href="x">链接</a>夏</p><p>after</p>`);
  expect(link?.context).toBe(`${'春'.repeat(20)} 夏`);
});

test('a link around blocks, an unclosed one and one in another', () => {
  const html =
    '<p>intro</p><a href="card"><h3>Title</h3><p>Words</p></a><p>after</p><p><a href="open">open</p><p>text</p><a href="o">o <a href="i">i</a>';
  expect(links(html).map((link) => [link.anchorText, link.context])).toEqual([
    ['Title Words', ''],
    ['open', ''],
    ['o', 'i'],
    ['i', 'o'],
  ]);
});

test('anchor text is cut at 200 characters without splitting a pair', () => {
  const [link] = links(`<a href="x">${'a'.repeat(199)}😀</a>`);
  expect(link?.anchorText).toBe('a'.repeat(199));
});

test('the first outlinks of very many are kept, with a warning', () => {
  const html = Array.from({ length: MAX_OUTLINKS + 10 }, (_, i) => `<a href="/${i}">n</a>`).join('');
  const { outlinks, warnings } = extractor.extract(page(html));
  expect(outlinks).toHaveLength(MAX_OUTLINKS);
  expect(warnings).toEqual([`more than ${MAX_OUTLINKS} outlinks; the rest is omitted`]);
});

test('the targets of all refreshes come first; a reload is none', () => {
  const refresh = (...values: string[]) =>
    urls(`${values.map((value) => `<meta http-equiv="Refresh" content="${value}">`).join('')}<a href="z">z</a>`);
  const at = (...names: string[]) => [...names, 'z'].map((name) => `https://www.example.com/docs/${name}`);
  expect(refresh('0;url=next.html')).toEqual(at('next.html'));
  expect(refresh('300', '0; moved.html')).toEqual(at('moved.html'));
  expect(refresh('60;url=page.html', '9;b', '9;c')).toEqual(at('b', 'c'));
  expect(refresh('300;')).toEqual(at());
});
