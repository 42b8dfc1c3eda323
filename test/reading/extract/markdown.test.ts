import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { runs, sample } from '../../support/extent.ts';
import { page } from './page.ts';

/** All visible text is kept, so that each test is about Markdown alone. */
const extractor = pageExtractor({ productToken: 'forager', extractor: 'none' });
const markdown = (html: string, links = false) => extractor.extractMarkdown(page(html), { links }).markdown;

test('headings and paragraphs, white space collapsed', () => {
  expect(markdown('<h1>One\n <span>two</span></h1><p>three  four<p>five<div>six<h3><div>Seven</h3>eight</div>')).toBe(
    '# One two\n\nthree four\n\nfive\n\nsix\n\n### Seven\n\neight\n',
  );
});

test('a break is a line break, two are a paragraph', () => {
  expect(markdown('<p>one<br> two <br><br/>three<br></p><br><p>four</p>')).toBe('one\\\ntwo\n\nthree\n\nfour\n');
});

test('lists: bullets, numbers, nesting, items with more than a line', () => {
  expect(markdown('<p>a</p><ul><li>one<li>two<ol start=3><li>three<li><p>four</p><p>five</p></ol><li>six</ul><p>b')).toBe(
    'a\n\n- one\n- two\n  3. three\n  4. four\n\n     five\n- six\n\nb\n',
  );
  expect(markdown('<dl><dt>term<dd>meaning<dd>another<dt>last</dl>')).toBe('- term\n\n  meaning\n\n  another\n- last\n');
  expect(markdown('<ul><li></li><li><ul><li>deep</ul></ul>')).toBe('- - deep\n');
});

test('quotes hold their blocks together', () => {
  expect(markdown('<blockquote><p>one<p>two<blockquote>three</blockquote><ul><li>four</ul></blockquote>five')).toBe(
    '> one\n>\n> two\n>\n> > three\n>\n> - four\n\nfive\n',
  );
});

test('code keeps its lines and its marks', () => {
  const pre = '<pre class="language-TS">\nif (a &lt; b) {\n    <b>c</b>();\n\n}\n</pre>';
  expect(markdown(`<p>see</p>${pre}<p>then`)).toBe('see\n\n```ts\nif (a < b) {\n    c();\n\n}\n```\n\nthen\n');
  expect(markdown('<ul><li><pre><code class="hl lang-c">a\n``` b</code></pre></ul>')).toBe('- ````c\n  a\n  ``` b\n  ````\n');
  expect(markdown('<pre><div>one</div><div>two</div>three<br>four</pre>')).toBe('```\none\ntwo\nthree\nfour\n```\n');
  expect(markdown('<p>call <code>a*b  &amp; c</code>, or <kbd>`</kbd> <code> </code>now')).toBe('call `a*b & c`, or `` ` `` now\n');
});

test('tables of data; a table for the layout is its text', () => {
  expect(markdown('<table><tr><th>a<th>b|c<tr><td>1<br>2<td><code>x</code><tr><td>3</table>')).toBe(
    '| a | b\\|c |\n| --- | --- |\n| 1 2 | `x` |\n| 3 |  |\n',
  );
  expect(markdown('<table><tr><td><h2>One</h2><p>two<td>three</table>four')).toBe('## One\n\ntwo\n\nthree\n\nfour\n');
  expect(markdown('<table><tr><td>a<td>b<tr><td><p>c<p>d<td>e</table>')).toBe('a\n\nb\n\nc\n\nd\n\ne\n');
  expect(markdown('<table><tr><td>only<td>row</table>')).toBe('only row\n');
});

test('links are resolved when they are wanted', () => {
  const html =
    '<p>see <a href="x?a=(1)#b"> the <b>page</b> </a>, <a href="javascript:go()">not</a> <a>this</a> <a href=/y></a><a href=/z>[z]</a></p>';
  expect(markdown(html)).toBe('see the page , not this \\[z\\]\n');
  expect(markdown(html, true)).toBe(
    'see [the page](https://www.example.com/docs/x?a=%281%29#b) , not this [\\[z\\]](https://www.example.com/z)\n',
  );
  expect(markdown('<base href="/b/"><a href="c">one<p>two</p></a>', true)).toBe('[one](https://www.example.com/b/c)\n\ntwo\n');
});

test('words that would be markup are not', () => {
  expect(markdown('<p># no *star* _under_ snake_case [x] &lt;b> &amp;lt; ~~a~~ \\ `')).toBe(
    '\\# no \\*star\\* \\_under\\_ snake_case \\[x\\] \\<b> \\&lt; \\~\\~a\\~\\~ \\\\ \\`\n',
  );
  for (const [text, written] of [
    ['- a', '\\- a'],
    ['1. a', '1\\. a'],
    ['> a', '\\> a'],
    ['+', '\\+'],
    ['---', '\\---'],
    ['a<br>===', 'a\\\n\\==='],
    ['| a |', '\\| a |'],
    ['#tag', '#tag'],
    ['-5', '-5'],
    ['1.5', '1.5'],
  ]) {
    expect(markdown(`<p>${text}`)).toBe(`${written}\n`);
  }
});

test('the title is a heading where there is none', () => {
  expect(markdown('<title>A *b*</title><p>c')).toBe('# A \\*b\\*\n\nc\n');
  expect(markdown('<title>A</title><h1>B</h1>')).toBe('# B\n');
  expect(markdown('<title>A</title>')).toBe('# A\n');
  expect(markdown('')).toBe('');
});

test('only what is text of the page, and kept', () => {
  const html =
    '<title>t</title><p>one<script>two()</script><span hidden>three</span> four<!-- five --><svg><text>six</text><path></p><p>seven</p>' +
    '<textarea>eight</textarea><div style="display:none">nine</div><p>so&shy;ft</p>';
  expect(markdown(html)).toBe('# t\n\none four\n\nseven\n\nsoft\n');
  const sentence = 'The tide comes in over the flats, and the birds go up the river with it. ';
  const article = `<nav><ul><li><a href=/>Home</a></ul></nav><article><h2>Tides</h2>${`<p>${sentence.repeat(4)}</p>`.repeat(4)}</article><footer>© us</footer>`;
  const { extraction, markdown: slope } = pageExtractor({ productToken: 'forager' }).extractMarkdown(page(article));
  expect(slope).not.toMatch(/Home|us/);
  expect(letters(slope)).toBe(letters(extraction.text));
});

test('a link without text is a space between words, if white space is in it', () => {
  expect(markdown('<p>one<a href="/x"> </a><b>two</b> <a href="/y"></a>three', true)).toBe('one two three\n');
});

test('plain text is as it is', () => {
  const text = '# a\n  b';
  expect(extractor.extractMarkdown(page(text, undefined, { 'content-type': 'text/plain' })).markdown).toBe(text);
});

function letters(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '');
}

test('every letter of the text is there, once and in order, whatever the markup', () => {
  const names =
    'p div ul ol li dl dt dd blockquote pre code h2 h3 table tr td th a b svg math br hr section script style template button'.split(' ');
  const tag = fc.tuple(fc.constantFrom(...names), fc.boolean()).map(([name, isEnd]) => (isEnd ? `</${name}>` : `<${name} href=x>`));
  const piece = fc.oneof(
    tag,
    fc.constantFrom(
      'word ',
      'é',
      '&amp;',
      '*',
      '`',
      '|',
      '- ',
      '\n',
      '  ',
      '<',
      '<!--x-->',
      '<![CDATA[x]]>',
      '<svg/>',
      '&eacute;t',
      '語',
      '_u_',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, links) => {
      const { extraction, markdown: written } = extractor.extractMarkdown(page(pieces.join('')), { links });
      expect(letters(written.replaceAll(/\]\(https?:[^)]*\)/g, ']'))).toBe(letters(extraction.text));
    }),
    { numRuns: runs(3_000) },
  );
});

/** In CPU time, on any machine. */
const LIMIT_MS = 15_000;
const NESTED = [
  ['lists nested without end', '<ul><li>x<blockquote>'.repeat(50_000)],
  ['end tags of lists', `${'<ol><li>'.repeat(50_000)}${'</ul>x'.repeat(200_000)}`],
  ['breaks', 'x<br>'.repeat(400_000)],
  ['lines in code', `<pre>${'<div>x</div>'.repeat(150_000)}`],
  ['pieces of code', '<code>`x</code> '.repeat(150_000)],
  ['cells in a row and rows', `<table><tr>${'<td>x'.repeat(150_000)}${'<tr><td>y'.repeat(150_000)}`],
  ['tables in tables', '<table><tr><td>x'.repeat(100_000)],
  ['links', '<a href="/a">x'.repeat(150_000)],
  ['marks', '*_`[&lt;'.repeat(300_000)],
  ['spaces', `a${' '.repeat(2_000_000)}b<b> </b>`.repeat(2)],
] as const;
test.each(sample(NESTED, [3]))('bounded: %s', (_, html) => {
  let written = '';
  expectWithin(LIMIT_MS, () => {
    written = markdown(html, true);
  });
  expect(written.length).toBeLessThan(20 * html.length);
});
