/** The core parses as the JavaScript parser does. Mutated pages: test/reading/extract/fuzz.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generateWeb } from '../../../datasets/generated-web/web.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { BlockModel } from '../../../src/reading/extract/block-model.ts';
import type { PageContent } from '../../../src/reading/extract/blocks.ts';
import { modelDecision, ROLE } from '../../../src/reading/extract/main-text.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { NASTIES } from '../../../tools/soak/fuzz-extract-pieces.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { SEEN_PAGES } from '../extract/seen-pages.ts';

const plain = new PageParser();
const core = new WasmCore();
const parser = new CoreParser(core);
const model = BlockModel.bundled();
parser.rolesBy(model, parser.parse(''));

function bothWays(html: string): PageContent {
  const content = parser.parse(html);
  expect({ ...content, blocks: content.blocks, parents: content.parents }).toEqual(plain.parse(html));
  expect(core.content).toBe(content);
  expect(parser.rolesBy(model, content)).toEqual(modelDecision(content, model).roles);
  expect(parser.parse(html).text).toBe(plain.parse(html).text);
  expect(parser.spans()).toEqual(plain.spans());
  expect(parser.elements(html)).toEqual(plain.elements(html));
  return content;
}

const GOLDEN = new URL('../../golden/', import.meta.url);
test.each(readdirSync(GOLDEN).filter((name) => name.endsWith('.html')))('golden page %s', (name) => {
  bothWays(readFileSync(new URL(name, GOLDEN), 'utf8'));
});

test.each(NASTIES.map((text, i) => [i, text] as const))('hand-made page %i', (_i, text) => void bothWays(text));

test.each(SEEN_PAGES)('$name', ({ html }) => void bothWays(html));

const REFERENCES =
  '&lt; &gt; &amp; &quot; &nbsp; &#39; &#160; &#x2014; &#X2f; &#0041; &#65535; &#13; &amp;lt; && & &; &é; &lt &gt &ampx; &quot &nbspx; &ltcc; ' +
  '&GT; &Gt; &QUOT; &nbs; &#0; &#128; &#x9F; &#xd800; &#xdfff; &#xe000; &#65536; &#x1f600; &#x110000; &#99999999999999; &#; &#x; &#xg; &#12a; &#12 &copy; &#';

test.each([...REFERENCES.split(' '), REFERENCES])('character reference %s', (reference) => {
  bothWays(`<p>${reference}</p><p>a${reference}b</p>${reference}`);
});

test('pages that grow to 300,000 characters share one memory', () => {
  const own = new WasmCore();
  const reader = new CoreParser(own);
  const buffers = new Set<ArrayBuffer>();
  for (let words = 100; words <= 60_000; words += 2_000) {
    reader.parse(`<p>${'peat '.repeat(words)}</p>`);
    buffers.add(own.memory.core.memory.buffer);
  }
  expect(buffers.size).toBe(1);
});

test('generated pages', () => {
  const web = generateWeb({ seed: 3, pages: 60, hosts: 6, topics: 3, pageBytes: 8000 });
  for (const url of web.urls()) bothWays(web.page(url)?.html ?? '');
});

describe('details of markup', () => {
  test.each([
    ['nothing', ''],
    ['a tag cut by the end', '<p>text</p><div class="nav'],
    ['an attribute without an end', '<a href="/x>text</a>'],
    ['a sign less that is text', '1 < 2 <3 <'],
    ['comments of all kinds', 'a<!-->b<!--->c<!-- x -->d<!-- y --!>e<!- f>g<!doctype html>h<?php i ?>j<!--'],
    ['CDATA outside and inside of svg', '<![CDATA[a]]><math><![CDATA[b]]></math><svg><![CDATA[c]]></svg>'],
    [
      'scripts in comments in scripts',
      '<script><!-- <script> </script> --> x </script>y<SCRIPT>a</scripT >b<script><!--<script></script></script>c',
    ],
    ['raw text', '<title>a &amp; <b>b</title><textarea>x</p></textarea ><style></styl></style><xmp><b></xmp>y<plaintext>z<b>'],
    ['references', '<p title=x>&amp;&lt;&#x41;&notit; &NotEqualTilde;<a href="/?a=1&amp;b=2" class="a&#45;nav">x&hellip;</a>'],
    ['names beyond ASCII', '<lin\u212a rel=next href=/k><\u00e9>a</\u00e9><x\u0130>b</x\u0130>'],
    ['a long name that grows in lower case', `<p>some text</p><a${'\u0130'.repeat(300)}>x</p><a${'\u0130'.repeat(30)}>y`],
    ['signs', '<TIME datetime=x>a</time><p ItemProp=y>b<template SHADOWROOTMODE=open>c<p TypeOf=Offer>d'],
    [
      'signs in end tags, comments and texts',
      '</time></p itemprop=x><!-- <time itemprop> -->itemprop<p data-itemprop itemprops shadowrootmodes types><timex>',
    ],
    ['upper case', '<DIV CLASS="NavBar"><A HREF=/a REL="Nofollow NEXT">A</A></DIV>'],
    [
      'hidden parts',
      '<p hidden>a<p aria-hidden=true>b<p style="DISPLAY:none">c<p style="display:\u00a0none">d<p style="x;visibility : hidden">e<span style=display:none>f</span>',
    ],
    [
      'roles and states',
      '<div role=navigation>a</div><div role=Navigation>b</div><div class="has-sidebar no-js isSticky">c</div><div id=mainContent>d</div>',
    ],
    ['misnested elements', '<b><p>a</b>b</p><a href=/x><div>c</a>d</div><table><td>e</table></td>f</li></b>'],
    ['tables and cells', '<table><tr><td>a<td>b<th>one two three four five six seven eight nine ten<tr><td>x<br>y<td>z</table>'],
    ['breaks', 'a<br>b<br><br>c</br>d<br/><br>e'],
    [
      'links of all kinds',
      '<a href=/a><img alt="x y"><img alt=></a><area href=/b alt="An area"><iframe src=/c></iframe><frame src=/d><a>no</a><a href>empty</a><a href=/e>one<a href=/f>two',
    ],
    [
      'declarations',
      '<html lang=de><base href=/b/><meta name=Author content="A &amp; B"><meta property=og:x content=y><meta http-equiv=Refresh content=5><link rel="alternate" hreflang=fr href=/fr><link rel=license href=/l><time datetime=2020 class=x itemprop=y>d</time><script type="application/ld+json">{"a":1}</script>',
    ],
    [
      'headings',
      '<h1><img></h1><h1>First &eacute;</h1><h1>Second</h1><svg><title>no</title></svg><title>T<i>itle</i></title><title>other</title>',
    ],
    ['scripts of the world', '<p>Zażółć gęślą jaźń. Привет, мир! 你好，世界。 สวัสดี ﬁne ＡＢＣ \u{1d400}\u{1f600} a\u0301</p>'],
    ['half of a surrogate pair', '<p>a\ud800b</p>\udc00'],
    ['a NUL', '<p>a\0b</p><a href="/\0">x</a><d\0iv>'],
  ])('%s', (_name, html) => void bothWays(html));
});

describe('caps', () => {
  test.each([
    ['links', '<a href=/x>y</a>'.repeat(20_050), /more than 20000 links/],
    ['blocks', '<p>a'.repeat(50_100), /more than 50000 blocks/],
    ['depth', `${'<div>'.repeat(5000)}a`, /nested deeper than 4096/],
    ['unknown names', Array.from({ length: 2100 }, (_, i) => `<x${i}>a</x${i}>`).join(''), null],
    ['a long name', `<${'y'.repeat(70)}>a<div>b`, null],
    ['the end in a script', '<p>a<script>b', /ends inside <script>/],
  ])('%s', (_name, html, warning) => {
    const { warnings } = bothWays(html);
    if (warning) expect(warnings.join('\n')).toMatch(warning);
  });
});

/** The notes for a second pass have room for half as many as the page has units. */
test.each(['<', 'a<', '<a', '</', '<!', '<!>', '<>', '<a>', '<b/>x', '<![CDATA[', '<!a>', '&', '\0<', '<?'])(
  'nothing but %j, again and again',
  (unit) => {
    for (const lead of ['', 'x', '<svg>', '<pre>']) for (const times of [1, 2, 3, 1001]) bothWays(lead + unit.repeat(times));
  },
);

test('text of letters, stops, marks and spaces in every order', () => {
  const rng = seededRng(11);
  const signs = [
    'a',
    'B',
    '7',
    '.',
    '!',
    '?',
    ',',
    '"',
    ' ',
    ' ',
    '\n',
    'é',
    '\u00ad',
    '。',
    '世',
    '<b>',
    '<p>',
    '<br>',
    '&amp;',
    'word ',
    'Long words. ',
  ];
  const draw = (some: readonly string[]) => some[Math.floor(rng() * some.length)] ?? '';
  for (let round = 0; round < 3000; round++) {
    const some = signs.slice(0, 3 + Math.floor(rng() * (signs.length - 3))).concat('word ', 'letters');
    bothWays(Array.from({ length: Math.floor(rng() * 40) }, () => draw(some)).join(''));
  }
});

test('UTF-8: units of each length, at all places of a vector', () => {
  const signs = ['a', 'é', '世', '\u{1f600}', '\ufffd', '\0'];
  for (let lead = 0; lead < 20; lead++)
    for (const sign of signs) {
      const text = `${'x'.repeat(lead)}${sign}${'y'.repeat(20)}${sign.repeat(lead)}`;
      expect(core.decodeUtf8(Buffer.from(text))).toBe(text);
    }
  expect(core.decodeUtf8(Buffer.alloc(0))).toBe('');
  expect(core.content).toBeNull();
});

test('main text: left to JavaScript on the first page of a model, the same afterwards', () => {
  const own = new CoreParser(new WasmCore());
  const html = `<title>A Title</title><h1>a title</h1><p>${'One more sentence of the text. '.repeat(9)}<p>Nine`;
  expect(own.rolesBy(model, own.parse(html))).toBeNull();
  const roles = own.rolesBy(model, own.parse(html));
  expect(roles).toEqual(modelDecision(plain.parse(html), model).roles);
  expect([...(roles ?? [])]).toContain(ROLE.text);
});

test('main text on pages of every number of blocks, with titles of all kinds', () => {
  const titles = ['', 'Peat', 'On peat Moss', 'ÜBER peat', '\u0130 peat', 'x'.repeat(900)];
  for (let n = 0; n < 30; n++)
    for (const title of titles) {
      const parts = Array.from(
        { length: n },
        (_, i) => ['<h2>', '<p>', '<li>', '<td>', '<dt>', '<div class=comments>', '<pre>', '<nav>'][(i * 7 + n) % 8],
      );
      bothWays(
        `<title>${title}</title>${parts.map((tag, i) => `${tag}${i % 3 ? title.toUpperCase() : `Sentence ${i}. `.repeat(i)}`).join('')}`,
      );
    }
});

test('a title that takes long to look for: the host looks for it', () => {
  bothWays(`<title>${'a'.repeat(999)}</title>${`<p>${'a'.repeat(400)}b`.repeat(40)}<p>${'A'.repeat(999)}<p>${'a'.repeat(40)}`);
});

test('blocks are read when asked for: from this page, or not at all', () => {
  const content = parser.parse('<p>one<p>two');
  const { blocks } = content;
  const next = parser.parse('<p>next');
  expect(content.blocks).toBe(blocks);
  expect(() => content.parents).toThrow('blocks of a page that has left the core');
  expect(parser.rolesBy(model, content)).toBeNull();
  expect(parser.rolesBy(model, plain.parse('<p>next'))).toBeNull();
  expect(next.blocks).toHaveLength(1);
});

test('an error of the core while it chooses main text: JavaScript chooses', () => {
  const broken = new WasmCore();
  const ours = new CoreParser(broken);
  ours.rolesBy(model, ours.parse('<p>first'));
  const content = ours.parse('<p>text<li>more');
  const before = broken.memory;
  Object.defineProperty(before, 'core', {
    value: {
      ...before.core,
      rateBlocks: () => {
        throw new Error('unreachable');
      },
    },
  });
  expect(ours.rolesBy(model, content)).toBeNull();
  expect(broken.memory).not.toBe(before);
  expect(content.blocks).toEqual(plain.parse('<p>text<li>more').blocks);
  ours.parse('<p>next');
  expect(content.parents).toEqual(plain.parse('<p>text<li>more').parents);
});

test('no table is kept while a page is in the memory', () => {
  const own = new WasmCore();
  new CoreParser(own).parse('<p>a page');
  expect(() => own.keep(new Float32Array(1))).toThrow('a table for a core that holds a page');
});

wholeTest('a core that has grown by a large page is replaced', () => {
  bothWays(`<p>${'word &amp; word. '.repeat(200_000)}`);
  expect(core.memory.core.memory.buffer.byteLength).toBeGreaterThan(32 * 1024 * 1024);
  const before = core.memory;
  bothWays('<p>small');
  expect(core.memory).not.toBe(before);
  expect(core.memory.core.memory.buffer.byteLength).toBeLessThan(8 * 1024 * 1024);
});
