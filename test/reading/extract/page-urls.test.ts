import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { pageUrls } from '../../../src/reading/extract/page-urls.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const PAGE = { url: 'http://a.example/x/page.html' as CanonicalUrl, charset: 'utf-8' };
const listed = (html: string) => pageUrls(html, PAGE).map(({ tag, attribute, url, text }) => [tag, attribute, url, text].join(' ').trim());

test('every tag with a URL, absolute, in the order of the page, with words, alt or title', () => {
  const html = `<link rel=icon href=/i.png><body background=b.gif><a href="../up.html?q=1#part"> Up <b>one</b>
    level </a><img src=p.png alt="A  bog" srcset="p.png 1x, big,p.png 2x,q.png"><a href="#here" title="T"></a>
    <form action="//b.example/send"><input type=image src=go.png formaction=f></form><blockquote cite=c></blockquote>
    <video poster=v.jpg><source src=v.mp4></video><iframe src="f?a=1&amp;b=2"></iframe><meta http-equiv=Refresh content="5; url='next'">
    <svg><a xlink:href="s"></a><image href=si.png></image></svg><area href=area alt=Map ping="p1 p2">`;
  expect(listed(html)).toEqual([
    'link href http://a.example/i.png',
    'body background http://a.example/x/b.gif',
    'a href http://a.example/up.html?q=1#part Up one level',
    'img src http://a.example/x/p.png A bog',
    'img srcset http://a.example/x/p.png A bog',
    'img srcset http://a.example/x/big,p.png A bog',
    'img srcset http://a.example/x/q.png A bog',
    'a href http://a.example/x/page.html#here T',
    'form action http://b.example/send',
    'input src http://a.example/x/go.png',
    'input formaction http://a.example/x/f',
    'blockquote cite http://a.example/x/c',
    'video poster http://a.example/x/v.jpg',
    'source src http://a.example/x/v.mp4',
    'iframe src http://a.example/x/f?a=1&b=2',
    'meta content http://a.example/x/next',
    'a xlink:href http://a.example/x/s',
    'image href http://a.example/x/si.png',
    'area href http://a.example/x/area Map',
    'area ping http://a.example/x/p1 Map',
    'area ping http://a.example/x/p2 Map',
  ]);
});

test('the first base counts for all, also for tags in front of it, and is itself relative to the page', () => {
  expect(listed('<a href=a></a><base href="/b/"><base href="/c/"><a href=d></a>')).toEqual([
    'a href http://a.example/b/a',
    'base href http://a.example/b/',
    'base href http://a.example/c/',
    'a href http://a.example/b/d',
  ]);
});

test('content, actions, comments, scripts and invalid addresses are no URLs; other schemes are', () => {
  const html = `<!-- <a href=c> --><script>x = '<a href=s>'</script><style>@import "<img src=y>"</style><a href="javascript:go()">
    <a href=" data:text/html,x"></a><a href="http://[x"></a><a href=""></a><a href="mailto:a@b.example">mail</a><a href="about:blank"></a>`;
  expect(listed(html)).toEqual(['a href mailto:a@b.example mail']);
});

test('queries are written in the charset of the page', () => {
  const found = pageUrls('<a href="?q=é">', { ...PAGE, charset: 'windows-1252' });
  expect(found.map(({ url }) => url)).toEqual(['http://a.example/x/page.html?q=%E9']);
});

test('hostile pages take linear time', () => {
  const hostile = [
    '<a href=x>'.repeat(50_000),
    `<img srcset="${'a ('.repeat(200_000)}">`,
    `<img srcset="${','.repeat(500_000)}">`,
    `<a ping="${' '.repeat(500_000)}">`,
  ];
  for (const html of hostile) expectWithin(2000, () => pageUrls(html, PAGE));
});
