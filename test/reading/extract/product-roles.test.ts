/** The main text of a page about a product: the stated description and the specification are in it, teasers of other products are not. */
import { describe, expect, test } from 'vitest';
import { isRelatedHeading } from '../../../src/reading/extract/related-headings.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'Forager' });
const read = (html: string) => extractor.extract(page(html, 'https://shop.example/loom')).text;
const ruleOf = (html: string, start: string) =>
  extractor.explain(page(html, 'https://shop.example/loom')).explanation?.blocks.find(({ text }) => text.startsWith(start))?.rule;

const DESCRIPTION = 'A table loom of ash with four shafts. It weaves cloth of up to 60 cm and folds flat with the warp on it.';
const LONG = `<p>${'Each loom leaves the workshop with a warp on it, so that you can weave your first scarf on the day on which it arrives at your door. '.repeat(3)}</p>`;
const stated = `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Table loom', description: DESCRIPTION })}</script>`;
const shop = (inner: string, head = stated) =>
  `${head}<nav><a href="/">Looms</a> <a href="/yarn">Yarn</a></nav><main><h1>Table loom</h1>${inner}</main><footer>Weavers' Guild, Mill Lane 3</footer>`;

describe('the stated description', () => {
  const panel = `<div class="tabs"><div class="tab" style="display: none">${DESCRIPTION}</div></div>`;

  test('is text on a tab that opens after a click', () => {
    expect(read(shop(`${panel}${LONG}`))).toContain(DESCRIPTION);
    expect(read(shop(`${panel}${LONG}`, ''))).not.toContain(DESCRIPTION);
    expect(ruleOf(shop(`${panel}${LONG}`), 'A table loom of ash')).toBe('stated');
  });

  test('is not text a second time, nor out of a menu', () => {
    expect(read(shop(`<p>${DESCRIPTION}</p>${LONG}${panel}`)).split('A table loom of ash')).toHaveLength(2);
    expect(read(shop(`${LONG}<nav>${DESCRIPTION}</nav>`))).not.toContain(DESCRIPTION);
  });
});

test.each([
  ['a table', '<table><tr><th>Width</th><td>60 cm</td></tr><tr><th>Shafts</th><td>4</td></tr><tr><th>Wood</th><td>ash</td></tr></table>'],
  ['a definition list', '<dl><dt>Width</dt><dd>60 cm</dd><dt>Shafts</dt><dd>4</dd><dt>Wood</dt><dd>ash</dd></dl>'],
  [
    'a table in a tab of the sidebar',
    '<div class="sidebar tabs"><table><tr><td>Width</td><td>60 cm</td></tr><tr><td>Shafts</td><td>4</td></tr><tr><td>Wood</td><td>ash</td></tr></table></div>',
  ],
])('the specification is text: %s', (_, table) => {
  const text = read(shop(`${LONG}<div class="menu">${table}</div>`));
  for (const words of ['Width', '60 cm', 'Shafts', 'Wood']) expect(text).toContain(words);
});

describe('teasers', () => {
  const card = (i: number) =>
    `<li><a href="/p/${i}"><h3>Loom number ${i}, with a bench for two weavers and a shelf</h3></a><p>A loom for the living room that you can put up in an hour.</p><p>${i}0 €</p></li>`;
  const teasers = (heading: string) => `<section><h2>${heading}</h2><ul>${[1, 2, 3, 4].map(card).join('')}</ul></section>`;

  test.each([
    'Customers also bought',
    'Das könnte dir auch gefallen',
    'Produits similaires',
    '関連商品',
    'Похожие товары',
    'También te puede interesar',
  ])('are no text under %s', (heading) => {
    const html = shop(
      `<p>${DESCRIPTION}</p>${LONG}${LONG}${teasers(heading)}<h2>Care</h2><p>Oil the wood once a year, and keep the loom out of the sun.</p>`,
    );
    const text = read(html);
    expect(text).toContain(DESCRIPTION);
    expect(text).toContain('Oil the wood once a year');
    expect(text).not.toContain(heading);
    expect(text).not.toContain('living room');
  });

  test('stay under another heading, and where they are most of the page', () => {
    expect(read(shop(`<p>${DESCRIPTION}</p>${LONG}${LONG}${teasers('Parts of the set')}`))).toContain('living room');
    expect(read(shop(`<section><h2>Related products</h2><p>${DESCRIPTION}</p>${LONG}</section>`))).toContain(DESCRIPTION);
  });

  test('a page about no product keeps such a section', () => {
    const article = `<main><article><h1>Weaving at home</h1>${LONG}${LONG}<h2>You may also like</h2><p>Weaving bands on a small loom is a pleasure that costs next to nothing, as we found in spring.</p></article></main>`;
    expect(ruleOf(article, 'Weaving bands')).not.toBe('related');
  });
});

test.each([
  'Customers who viewed this item also viewed',
  'YOU MAY ALSO LIKE…',
  'Frequently bought together:',
  'Ähnliche Artikel',
  'Vous aimerez aussi',
  'Klanten kochten ook',
  'Produkty powiązane',
  '猜你喜欢',
  '함께 본 상품',
  'منتجات ذات صلة',
])('a heading of teasers: %s', (heading) => expect(isRelatedHeading(heading)).toBe(true));

test.each([
  'Specifications',
  'You may return it within 30 days',
  'Related',
  'Customers',
  'More',
  'Products',
  '商品',
  'Complete',
  'x'.repeat(200),
])('another heading: %s', (heading) => expect(isRelatedHeading(heading)).toBe(false));
