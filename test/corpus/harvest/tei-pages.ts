/** Generated pages with the structures of real ones, for tests of TEI. */

import fc from 'fast-check';
import { PRODUCT_TOKEN } from '../../../src/base/core/version.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { urlOf } from '../records/samples.ts';

/** Words and signs that break markup, as HTML text. */
const WORDS = fc
  .array(
    fc.oneof(
      fc.lorem({ maxCount: 4 }),
      fc.constantFrom(
        ']]&gt;',
        '&lt;/p>',
        '&amp;amp;',
        'Zo\u0308e',
        'a\u200cb',
        '\ufffe',
        '&#x338;',
        '\u0085',
        '日本',
        '😀',
        'می\u200cرود',
        '👩\u200d🚀',
        '<ruby>水<rt>みず</ruby>',
        '<b style="display:block">c</b>',
      ),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((words) => words.join(' '));

const wrapped =
  (tag: string, attributes = '') =>
  (inner: string) =>
    `<${tag}${attributes}>${inner}</${tag}>`;

const INLINE = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: WORDS },
      WORDS.map(wrapped('code')),
      WORDS.map(wrapped('a', ' href="/p?q=%zz|&quot;#a#b"')),
      WORDS.map(wrapped('b')),
      fc.constantFrom('<br>', '<br><br>', '<img alt="x">', '<a href="javascript:x">y</a>'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));

const { block } = fc.letrec<{ block: string; blocks: string; item: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    INLINE.map(wrapped('p')),
    fc.tuple(fc.integer({ min: 1, max: 6 }), INLINE).map(([level, text]) => wrapped(`h${level}`)(text)),
    WORDS.map((text) => `<pre class="language-c++">  ${text}\n\n\t${text}</pre>`),
    INLINE,
    fc
      .array(fc.array(INLINE, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
      .map((rows) => wrapped('table')(rows.map((row) => wrapped('tr')(row.map(wrapped('td')).join(''))).join(''))),
    tie('blocks').map(wrapped('blockquote')),
    tie('blocks').map(wrapped('div')),
    fc.tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('item'), { maxLength: 4 })).map(([tag, items]) => wrapped(tag)(items.join(''))),
    fc
      .array(fc.tuple(INLINE, tie('blocks')), { maxLength: 3 })
      .map((terms) => wrapped('dl')(terms.map(([dt, dd]) => `<dt>${dt}<dd>${dd}`).join(''))),
    // Broken pages: elements that nobody opened or closed.
    fc.constantFrom('<ul>', '</ul>', '<li>', '<blockquote>', '</blockquote>', '<td>', '<h2>', '</div>', '<table><tr>'),
  ),
  blocks: fc.array(tie('block'), { maxLength: 3 }).map((blocks) => blocks.join('\n')),
  item: fc.oneof(INLINE.map(wrapped('li')), tie('blocks').map(wrapped('li')), tie('block')),
}));

export const BODIES: fc.Arbitrary<string> = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n'));

/** All visible text is main text: which blocks are is no question of these tests. */
const extractor = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: 'none' });
const URL_OF_PAGE = urlOf('http://a.example/');

export function textOfHtml(html: string): string {
  return extractor.extract({ url: URL_OF_PAGE, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(html) }).text;
}
