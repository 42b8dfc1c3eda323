import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLAG } from '../../../src/reading/extract/tags.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { runs } from '../../support/extent.ts';

const parser = new CoreParser(new WasmCore());
const lines = (html: string) => parser.parse(html).text.trimEnd().split('\n');

test('blocks at block-level tags and at a doubled br; white space collapsed', () => {
  expect(lines('<div>one  <b>two</b>\n three<p>four<br>five<br> <br/>six</div>seven')).toEqual([
    'one two three',
    'four five',
    'six',
    'seven',
  ]);
});

test('entities, soft hyphens and no-break spaces', () => {
  expect(lines('caf&eacute;&nbsp;&amp; co&shy;op &#x1F600; &lt;b> a&zwj;b AT&T')).toEqual(['café & coop 😀 <b> ab AT&T']);
});

test('words, sentences and linked words of a block', () => {
  const [block] = parser.parse('<p>One, two three. <a href="x">Four five</a>! – Six.</p>').blocks;
  expect(block).toMatchObject({ words: 6, linkWords: 2, sentenceEnds: 3, blockTags: 1, inlineTags: 2 });
});

test('a character of an unspaced script is half a word', () => {
  const [block] = parser.parse('<p>苔藓不怕冷，只怕闷。Moss too.</p>').blocks;
  expect(block).toMatchObject({ words: 4 + 2, sentenceEnds: 2 });
});

test('scripts, styles, templates, drawings, form parts and inline hidden text are not text; aria-hidden in a line is', () => {
  const html =
    '<p>seen<script>if (a<b) "</p>"</script><style>p{}</style><template><p>t</p></template><svg><title>s</title><text>d</text></svg>' +
    '<textarea>x</textarea> <span hidden>h</span><span aria-hidden="true">i</span><span style="color:red; display: none">j</span> too</p>';
  const page = parser.parse(html);
  expect(page.text.replaceAll(/\s+/g, ' ').trim()).toBe('seen i too');
  expect(page.title).toBe('');
});

test('noscript is what a crawler without scripts sees', () => {
  expect(lines('<noscript><p>A post.</p></noscript>')).toEqual(['A post.']);
});

test('flags come from elements, roles and class names, and end with their element', () => {
  const page = parser.parse(
    '<body class="has-nav sidebar"><p>a</p><nav><p>b</p></nav><div role="contentinfo">c</div><div class="side-bar related-posts">d</div>' +
      '<header>e</header><article><header>f</header></article><div style="display:none">g</div><p>h</p>',
  );
  const flagsOf = Object.fromEntries(page.blocks.map((block) => [page.text[block.start], block.flags]));
  expect(flagsOf).toEqual({
    a: 0,
    b: FLAG.nav,
    c: FLAG.footer,
    d: FLAG.boilerplateHint | FLAG.related | FLAG.item,
    e: FLAG.header,
    f: FLAG.main,
    g: FLAG.hidden,
    h: 0,
  });
});

test('an end tag reaches neither out of a table cell nor, when inline, through blocks', () => {
  const page = parser.parse('<nav><table><tr><td></nav>in</td></tr></table></nav><p>out</p><nav><b><div></b>still</div></nav>after');
  expect(page.blocks.map((block) => block.flags & FLAG.nav)).toEqual([FLAG.nav, 0, FLAG.nav, 0]);
});

test('short cells of a row read as a line, long ones and those with lines of their own stand alone', () => {
  const long = 'nine words are one too many for a row';
  expect(lines(`<table><tr><td>push<td>constant<tr><td>${long}<td>b<tr><td>a<br>b<td>c</table>`)).toEqual([
    'push constant',
    long,
    'b',
    'a b',
    'c',
  ]);
});

test('declarations: title, heading, language, base, canonical', () => {
  const page = parser.parse(
    '<html lang=de><head><title> A &amp;\n B </title><base href=/x/><link rel="shortcut canonical" href=c><body><h1><img></h1><h1>H <i>1</i></h1>',
  );
  expect(page).toMatchObject({
    title: 'A & B',
    heading: 'H 1',
    lang: 'de',
    baseHref: '/x/',
    canonicalHref: 'c',
  });
});

test('one parser serves many pages and keeps nothing of the last', () => {
  const html = '<html lang="en"><title>t</title><base href="/b/"><nav><p>one <a href="x">two';
  const first = parser.parse(html);
  parser.parse('<script>never closed <p>');
  expect(parser.parse(html)).toEqual(first);
  expect(parser.parse('')).toMatchObject({ text: '', blocks: [], links: [], title: '', lang: null, baseHref: null, warnings: [] });
});

test('any markup: no throw, blocks in order, linked words within words', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="x">',
      '</a>',
      '<div hidden>',
      '</div>',
      '<td>',
      '<br>',
      '<nav>',
      '</nav>',
      '<svg/>',
      '<![CDATA[',
      '<!--',
      '-->',
    ),
    fc.constantFrom('<script>', '</script>', '<title>', '</title>', '&amp;', '&', '<', '</', '="', "'", '苔', 'word. ', '\n'),
    fc.string({ maxLength: 6, unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const page = parser.parse(pieces.join(''));
      let end = 0;
      for (const block of page.blocks) {
        expect(block.start).toBeGreaterThanOrEqual(end);
        expect(block.end).toBeGreaterThan(block.start);
        expect(block.linkWords).toBeLessThanOrEqual(block.words);
        expect(page.text.slice(block.start, block.end)).not.toMatch(/^ | $|\n| {2}/);
        end = block.end;
      }
      for (const link of page.links) expect(link.end).toBeGreaterThanOrEqual(link.start);
    }),
    { numRuns: runs(500) },
  );
});
