/** The core finds the outlinks that `outlinksOf` finds. */
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../../src/base/core/fingerprint.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { headerDeclarations, withHeader } from '../../../src/reading/extract/header-declarations.ts';
import { type IsSettled, MAX_OUTLINKS, outlinksOf } from '../../../src/reading/extract/links.ts';
import { ROLE } from '../../../src/reading/extract/main-text.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';

const core = new WasmCore();
const parser = new CoreParser(core);
const PAGE = 'http://a.example/folder/page.html' as CanonicalUrl;

/** Outlinks, places and warnings of both; those of the core are null where JavaScript has to find them. */
function found(html: string, url = PAGE, isPassedOver?: IsSettled, charset = 'utf-8', headers: Readonly<Record<string, string>> = {}) {
  const place = { url, charset };
  const parsed = parser.parse(html);
  const header = headerDeclarations({ url, headers });
  const content = header === null ? parsed : withHeader(parsed, header);
  const roles = Uint8Array.from(content.blocks, (_, i) => (i % 3 === 0 ? ROLE.outside : ROLE.text));
  const [inCore, plain] = [[], []] as [string[], string[]];
  const fast = parser.findLinks(content, place, roles, inCore, isPassedOver);
  const places: number[] = [];
  const outlinks = outlinksOf(content, place, roles, plain, isPassedOver, places);
  return {
    core: fast && { outlinks: fast.outlinks, places: Array.from(fast.places), warnings: inCore },
    plain: { outlinks, places, warnings: plain },
  };
}

function expectEqual(html: string, url = PAGE, isPassedOver?: IsSettled): void {
  const { core, plain } = found(html, url, isPassedOver);
  expect(core).toEqual(plain);
}

const HREFS = [
  ...[
    '',
    '#top',
    'x',
    'x#y',
    '/x',
    '/x#',
    '//b.example/x',
    './x',
    '../x',
    '.x',
    '/.x',
    '/a//b',
    'a//b',
    'a/../b',
    '?q',
    'x?q=1',
    '/x?q=1&amp;r=2',
  ],
  ...['page.html', '/folder/page.html', 'http://a.example/folder/page.html#here', 'x y', ' x ', 'x%20y', 'x%7ey', 'é', 'x;jsessionid=1'],
  ...[
    'http://b.example/x',
    'http://b.example',
    'http://b.example#/x',
    'http://B.example/x',
    'http://b.example:80/x',
    'http://b.example:8080/x',
  ],
  ...[
    'https://b.example/x/',
    'https:///x',
    'http:///x',
    'http://user@b.example/x',
    'http://b.example./x',
    'http://127.1/x',
    'HTTP://b.example/x',
  ],
  ...[
    'mailto:x@b.example',
    'javascript:void(0)',
    'ftp://b.example/x',
    'http:x',
    'http:/x',
    'https://',
    `/${'x'.repeat(2040)}`,
    `/${'x'.repeat(2020)}`,
  ],
  ...[`http://${'long.'.repeat(14)}example/x`, 'x&#x2f;y', 'x&#35;y', 'x#&amp;', 'http://b.example/a/./b'],
];

describe('addresses', () => {
  test.each(HREFS)('%s', (href) => expectEqual(`<p>Some <a href="${href}">words</a> behind, and <a href="${href}">these</a>.`));

  test.each([
    'http://a.example/',
    'http://a.example/?q=/x/',
    'http://a.example/a%2fb/c',
    'http://a.example/~a/b;c/d?e=f/g',
    'https://[::1]:8080/a/b',
    'http://127.0.0.1:8080/a/',
    `http://a.example/${'x'.repeat(2030)}/y`,
  ])('on %s', (url) => {
    expectEqual(HREFS.map((href) => `<p>Before <a href="${href}">words</a> behind`).join(''), url as CanonicalUrl);
  });

  test.each(['/b/', 'http://b.example/c/d', 'ftp://b.example/', '//[', 'mailto:x'])('with the base %s', (base) => {
    expectEqual(`<base href="${base}">${HREFS.map((href) => `<a href="${href}">words</a> `).join('')}`);
  });
});

describe('links', () => {
  test.each([
    ['at the ends of the text', '<a href=a>first</a> words <a href=b>last</a>'],
    ['of several blocks', '<a href=a><h2>head</h2><p>and text</p></a><p>behind <a href=b>it<br></a><br>more'],
    ['without text', '<p>before <a href=a></a> behind <a href=a> </a>'],
    [
      'in menus and footers',
      '<nav>x <a href=a>menu</a></nav><p>y <a href=a>text</a> <footer>z <a href=b>foot</a> <a href=a>a longer text</a></footer>',
    ],
    ['with long texts', `<p>${'word '.repeat(90)}<a href=a>${'word '.repeat(90)}</a>${'word '.repeat(90)}`],
    ['with long words', `<p>${'w'.repeat(400)}<a href=a>${'w'.repeat(400)}</a>${'w'.repeat(400)}`],
    ['beyond the plane', `<p>${'\u{1f600}'.repeat(301)}<a href=a>x${'\u{1f600}'.repeat(301)}</a>${'\u{1f600}'.repeat(301)}`],
    ['in Chinese', `<p>${'你好，世界。'.repeat(30)}<a href=a>${'世界'.repeat(200)}</a>${'你好 x，世界。'.repeat(30)}`],
    ['with images', '<p><a href=a><img alt=" an  image "> text</a> <area href=b alt=area><iframe src=c></iframe>'],
    ['of the head', '<link rel=next href=next><link rel=alternate hreflang=de href=a><link rel=next href=next><p>x <a href=a>y</a>'],
  ])('%s', (_name, html) => expectEqual(html));

  test('that are unwanted are omitted', () => {
    const html = HREFS.map((href) => `<p>Before <a href="${href}">words</a> behind <a href="x">x</a>`).join('<link rel=next href=next>');
    expectEqual(html, PAGE, ({ lo }) => lo % 2 === 0);
    const unwanted = fingerprint('http://a.example/folder/x', { hi: 0, lo: 0 });
    const { core } = found(html, PAGE, ({ hi, lo }) => hi === unwanted.hi && lo === unwanted.lo);
    expect(core?.outlinks.filter(({ url }) => url === 'http://a.example/folder/x')).toEqual([]);
    expect(core?.outlinks.length).toBeGreaterThan(10);
  });

  test.each([0, 3])('of a page with too many, and %i less', (less) => {
    const body = Array.from({ length: MAX_OUTLINKS + 2 - less }, (_, i) => `<a href=p${i}>x</a> <a href=p${i}>longer</a> `).join('');
    const html = `<link rel=next href=n1><link rel=alternate hreflang=de href=n2><link rel=alternate hreflang=fr href=n3>${body}`;
    expectEqual(html);
    expect(found(html).core?.warnings.length).toBe(less === 0 ? 1 : 0);
  });

  test('of many origins', () => {
    const many = Array.from({ length: 2000 }, (_, i) => `<a href=http://h${i}.example/x>x</a> <a href=http://H${i}.example/y>y</a> `).join(
      '',
    );
    for (let time = 0; time < 2; time++) expectEqual(many);
  });
});

test('queries of a legacy page are in its charset', () => {
  const html = ['?q=плес', '/плес?q=плес#плес', 'http://b.example/?плес', 'плес', 'x?y'].map((href) => `<a href="${href}">x</a>`).join('');
  const both = found(html, PAGE, undefined, 'koi8-r');
  expect(both.core).toEqual(both.plain);
  expect(both.plain.outlinks.map(({ url }) => url)).toEqual([
    'http://a.example/folder/page.html?q=%D0%CC%C5%D3',
    'http://a.example/%D0%BF%D0%BB%D0%B5%D1%81?q=%D0%CC%C5%D3',
    'http://b.example/?%D0%CC%C5%D3',
    'http://a.example/folder/%D0%BF%D0%BB%D0%B5%D1%81',
    'http://a.example/folder/x?y',
  ]);
});

test('declarations of the header: the links of the body are found in the core, those of the header come last', () => {
  const headers = { link: '</de>; rel=alternate; hreflang=de, <2>; rel=next, <1>; rel=canonical' };
  const both = found('<link rel=next href=n><p>x <a href=y>y</a>', PAGE, undefined, 'utf-8', headers);
  expect(both.core).toEqual(both.plain);
  expect(both.plain.outlinks.map(({ url }) => url.slice('http://a.example/'.length))).toEqual(['folder/y', 'folder/n', 'folder/2', 'de']);
  const refreshed = found('<p>x <a href=y>y</a>', PAGE, undefined, 'utf-8', { refresh: '0; url=z' });
  expect(refreshed.core).toBeNull();
});

test('pages with a refresh, and those of another parser, are left to JavaScript', () => {
  expect(found('<meta http-equiv=refresh content="0; url=x"><a href=y>y</a>').core).toBeNull();
  const content = parser.parse('<a href=y>y</a>');
  const place = { url: PAGE, charset: 'utf-8' };
  expect(parser.findLinks(content, place, new Uint8Array(1), [])).not.toBeNull();
  parser.parse('<a href=z>z</a>');
  expect(parser.findLinks(content, place, new Uint8Array(1), [])).toBeNull();
});
