/** The lines of the main text are those of the page. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TeiWriter } from '../../../src/corpus/formats/tei-writer.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { size } from '../../support/extent.ts';
import { linedPage } from '../../support/lined-pages.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'forager', extractor: 'none' });
const textOf = (html: string) => extractor.extract(page(html)).text;

describe('verse', () => {
  test.each([
    ['a break', '<p>Over the ebb<br>the herons wait<br/>', 'Over the ebb\nthe herons wait'],
    ['two breaks end a stanza', '<p>one<br>two<br><br>three<br>four', 'one\ntwo\n\nthree\nfour'],
    ['more breaks, too', '<p>one<br><br> <br>\n<br>two', 'one\n\ntwo'],
    ['white space around a break', '<p>one  \n <br>\n\n  two', 'one\ntwo'],
    ['blanks of a poet after a break', '<p>one<br>&nbsp;&nbsp;&nbsp;two<br>&nbsp; three', 'one\n   two\n  three'],
    ['but not at the start of a paragraph', '<p>&nbsp;&nbsp;one<p>&nbsp;two', 'one\n\ntwo'],
    ['a break in a link', '<p><a href=/x>one<br>two</a> three', 'one\ntwo three'],
    [
      'a paragraph of lines',
      '<p class="verse-block"><span style="display:block">one</span> <span style="display:block">two</span></p><p>x',
      'one\ntwo\n\nx',
    ],
    [
      'stanzas of divisions',
      '<div class="poem"><div class=stanza><div>a</div><div>b</div></div><div class=stanza><div>c</div></div></div>',
      'a\nb\n\nc',
    ],
    ['paragraphs in a poem are stanzas', '<div class=poem><p>a<br>b</p><p>c</p></div>', 'a\nb\n\nc'],
    ['lines with a class', '<section><p class=line>a</p><p class="line">b</p></section>', 'a\nb'],
    ['a clamp is no line', '<p class="line-clamp-2">a</p><p class="line-clamp-2">b</p>', 'a\n\nb'],
    ['the class of a whole article says nothing', '<article class="post category-poetry"><div>a</div><div>b</div></article>', 'a\n\nb'],
    ['lyrics', '<div class="Lyrics__Container-x">a<br>b<div>c</div></div>', 'a\nb\nc'],
  ])('%s', (_, html, text) => expect(textOf(html)).toBe(text));
});

describe('preformatted text', () => {
  test.each([
    ['blanks and tabs', '<pre>a:\n\tb  c\n    d</pre>', 'a:\n\tb  c\n    d'],
    ['its first line', '<pre>    one\n  two</pre>', '    one\n  two'],
    ['after other text', '<p>x</p><pre>\n    one\n  two\n\n</pre><p>y', 'x\n\n    one\n  two\n\ny'],
    ['blanks at the ends of lines', '<pre>one  \t\n  two \n</pre>', 'one\n  two'],
    ['blank lines', '<pre>one\n\n\ntwo\n   \nthree</pre>', 'one\n\n\ntwo\n\nthree'],
    ['other line ends', '<pre>a\rb\r\nc\x0bd\x0ce\u0085f\u2028g\u2029h</pre>', 'a\nb\nc\nd\ne\nf\ng\nh'],
    ['line ends as references', '<pre>a&#10;b&NewLine;&Tab;c&#13;&#10;d</pre>', 'a\nb\n\tc\nd'],
    ['no-break spaces', '<pre>a\n&nbsp;&nbsp;b</pre>', 'a\n  b'],
    ['a tag in the blanks', '<pre>a\n  <b>  b</b>  <i> </i>c\n</pre>', 'a\n    b   c'],
    ['breaks', '<pre>a<br>  b<br><br>c</pre>', 'a\n  b\n\nc'],
    ['lines in elements, with their ends inside', '<pre><div>a\n</div><div>\n</div><div>  b\n</div></pre>', 'a\n\n  b'],
    ['lines in elements, with their ends between', '<pre><div>a</div>\n<div> b</div>\n<div>\n</div>\n<div>c</div></pre>', 'a\n b\n\nc'],
    ['lines in elements, without ends', '<pre><span style="display:flex">a</span><span style="display:flex">  b</span></pre>', 'a\n  b'],
    ['lines with spans', '<pre><span class=line><b>if</b> x:</span>\n<span class=line>  <b>y</b></span></pre>', 'if x:\n  y'],
    ['rows with numbers', '<pre><table><tr><td>1</td><td>a  b</td></tr><tr><td>2</td><td> c</td></tr></table></pre>', '1\ta  b\n2\tc'],
    ['in a cell', '<table><tr><td><pre>1\n2</pre></td><td><pre>a\n  b</pre></td></tr></table>', '1\n2\n\na\n  b'],
    ['old elements', '<xmp>a\n <b></xmp><listing>c\n d</listing><plaintext>e\n f', 'a\n <b>\n\nc\n d\n\ne\n f'],
    ['a style', '<p style="white-space:pre">a\n  b</p>', 'a\n  b'],
    ['a style with other declarations', '<p style="color:red; WHITE-SPACE : break-spaces !important;x:y">a\n  b</p>', 'a\n  b'],
    ['a style that keeps lines alone', '<p style="white-space: pre-line">a  b\n   c</p>', 'a b\nc'],
    ['a style that ends it', '<div style="white-space:pre">a\n<span style="white-space:normal">b\nc</span></div>', 'a\nb c'],
    ['an invalid style', '<p style="white-space: per">a\n  b</p>', 'a b'],
    ['a style inside a line', '<p>x <span style="white-space:pre-wrap">a\n b</span> y\nz', 'x a\n b y z'],
    ['a style in lists', '<ul style="white-space:pre-wrap">\n<li>a</li>\n<li>b\nc</li>\n</ul>', 'a\nb\nc'],
  ])('%s', (_, html, text) => expect(textOf(html)).toBe(text));
});

describe('paragraphs, items and rows', () => {
  test.each([
    ['paragraphs', '<p>a<p>b<div>c</div>d', 'a\n\nb\n\nc\n\nd'],
    ['headings', '<h2>a</h2>b<h3>c</h3><h3>d</h3>', 'a\n\nb\n\nc\n\nd'],
    ['a list', '<p>a</p><ul><li>b<li>c</ul>d', 'a\n\nb\nc\n\nd'],
    ['a list in a list', '<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', 'a\nb\nc'],
    ['items of paragraphs', '<ul><li><p>a</p></li><li><p>b</p><p>c</p></li><li>d</ul>', 'a\nb\n\nc\nd'],
    ['terms', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'a\nb\nc\nd'],
    ['a table', '<table><caption>t</caption><tr><th>a<th>b<tr><td>c<td>d</table>e', 't\na\tb\nc\td\n\ne'],
    ['a table in a table', '<table><tr><td>a<table><tr><td>b</table><tr><td>c</table>', 'a\n\nb\n\nc'],
    ['cards', '<ul><li><article>a</article></li><li><article>b</article></li></ul>', 'a\n\nb'],
    ['an address', '<p>x</p><address>Dr. A<br>Mill 5<div>Quay</div></address><p>y', 'x\n\nDr. A\nMill 5\nQuay\n\ny'],
    ['a memo', '<p>To: A<br>From: B<br>Date: 1&nbsp;May</p><hr><p>x', 'To: A\nFrom: B\nDate: 1 May\n\nx'],
    [
      'a mail',
      '<pre>On Monday, A wrote:\n&gt; one\n&gt;\n&gt; two\n\nYes.\n-- \nB</pre>',
      'On Monday, A wrote:\n> one\n>\n> two\n\nYes.\n--\nB',
    ],
    ['lines of a mail program', '<div>one</div><div>two</div><div><br></div><div>three</div>', 'one\n\ntwo\n\nthree'],
    ['what hides between', '<ul><li>a<li hidden>b<li>c</ul><p>d<p hidden>e<p>f', 'a\nc\n\nd\n\nf'],
  ])('%s', (_, html, text) => expect(textOf(html)).toBe(text));

  test('plain text has its lines, with one kind of line end', () => {
    const { text } = extractor.extract({ ...page('a\r\n  b\rc\fd\u2028e\n\nf'), headers: { 'content-type': 'text/plain' } });
    expect(text).toBe('a\n  b\nc\nd\ne\n\nf');
  });
});

describe('hostile lines', () => {
  const MANY = 300_000;
  test.each([
    ['breaks', `<p>a${'<br>'.repeat(MANY)}b`],
    ['line ends', `<pre>a${'\n'.repeat(MANY)}b`],
    ['blanks', `<pre>a${' '.repeat(MANY)}b`],
    ['blanks at the start', `<pre>${'\n\t'.repeat(MANY)}b`],
    ['lines of one letter', `<pre>${'x\n'.repeat(MANY)}`],
    ['letters and two blanks', `<pre>${'x  '.repeat(MANY)}`],
    ['carriage returns', `<pre>${'x\r'.repeat(MANY)}`],
    ['elements', `<pre>${'<div>x</div>\n'.repeat(MANY / 10)}`],
    ['cells', `<table><tr>${'<td>x'.repeat(MANY)}`],
    ['blocks', `${'<p>x'.repeat(MANY)}`],
  ])('%s take little time and space', (_, html) => {
    expectWithin(5000, () => {
      const text = textOf(html);
      expect(text.length).toBeLessThanOrEqual(html.length);
      expect(text).toMatch(/\w$/);
    });
  });
});

/** Words of a text, without the signs of markup. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

test('every line of a page is a line of its text, in order; TEI, Markdown and text have the same words', () => {
  fc.assert(
    fc.property(linedPage, ({ html, lines }) => {
      const { extraction, markdown } = extractor.extractMarkdown(page(html));
      expect(extraction.text.split('\n').filter((line) => line !== '')).toEqual(lines);
      const writer = new TeiWriter();
      expect(extractor.writeMarkup(page(html), extraction.text, writer)).toBe(true);
      const tei = writer
        .finish()
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
      expect(wordsOf(markdown.replace('# Lines\n', '').replaceAll(/^(?:\d+\. |```py$)/gm, ''))).toEqual(wordsOf(extraction.text));
      expect(wordsOf(tei)).toEqual(wordsOf(extraction.text));
    }),
    { numRuns: size(1000, 60) },
  );
});
