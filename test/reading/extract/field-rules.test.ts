import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DataError } from '../../../src/base/core/errors.ts';
import type { CanonicalUrl, PageFields } from '../../../src/base/core/types.ts';
import { FieldReader } from '../../../src/reading/extract/field-reader.ts';
import { fitsPattern, parseFieldRules } from '../../../src/reading/extract/field-rules.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { runs } from '../../support/extent.ts';
import { page } from './page.ts';

const SHOP = 'https://shop.example/item/';
const rulesFor = (fields: string, url = `${SHOP}*`) =>
  `rules:\n  - url: ${url}\n    fields:\n      ${fields.replaceAll('\n', '\n      ')}\n`;

async function read(yaml: string, html: string, url = `${SHOP}1`): Promise<{ fields: PageFields; warnings: readonly string[] }> {
  const reader = await FieldReader.open(parseFieldRules(yaml, 'rules.yaml'));
  return pageExtractor({ productToken: 'forager', fields: reader }).extract(page(html, url));
}
const fieldsOf = async (fields: string, html: string) => (await read(rulesFor(fields), html)).fields;

test('text, attribute and all; what is not there is no field', async () => {
  const html =
    '<p class="price"> 12,50 &euro; </p><p class="price">13</p><a rel="author" href="/m">M. Oakes</a><a rel="author" href="t">T</a>' +
    '<img src="a.png"><span class="empty"> </span><data value="7">';
  const fields =
    'price: .price\nprices: { select: .price, all: true }\nauthor: { select: "a[rel=author]", attribute: href, all: true }\n' +
    'picture: { select: img, attribute: src }\nvalue: { select: data, attribute: value }\nempty: .empty\ngone: { select: .gone, all: true }';
  expect(await fieldsOf(fields, html)).toEqual({
    price: '12,50 €',
    prices: ['12,50 €', '13'],
    author: ['https://shop.example/m', 'https://shop.example/item/t'],
    picture: 'https://shop.example/item/a.png',
    value: '7',
  });
});

test('text does not glue blocks and cells, and leaves scripts out unless they are asked for', async () => {
  const html = '<div id=d><h2>One</h2><p>two<b>2</b><br>three</p><table><tr><td>4<td>5</table><script>six()</script></div>';
  expect(await fieldsOf('text: "#d"\ncode: script', html)).toEqual({ text: 'One two2 three 4 5', code: 'six()' });
});

test('addresses are resolved against the base of the page', async () => {
  expect(await fieldsOf('to: { select: a, attribute: HREF }', '<base href="https://b.example/x/"><a href="y">y</a>')).toEqual({
    to: 'https://b.example/x/y',
  });
});

test('only pages a rule is for; of several rules the first that finds a value', async () => {
  const yaml = `${rulesFor('a: .new\nb: .b')}  - url: "*"\n    fields: { a: .old, c: .c }\n`;
  const html = '<p class=old>old</p><p class=b>b</p><p class=c>c</p>';
  expect((await read(yaml, html)).fields).toEqual({ a: 'old', b: 'b', c: 'c' });
  expect((await read(yaml, `<p class=new>new</p>${html}`)).fields).toEqual({ a: 'new', b: 'b', c: 'c' });
  expect((await read(rulesFor('a: .old'), html, 'https://shop.example/other')).fields).toEqual({});
  expect(pageExtractor({ productToken: 'forager' }).extract(page(html)).fields).toEqual({});
});

test('a pattern fits whole URLs', () => {
  const fits = (url: string, pattern: string) => fitsPattern(url as CanonicalUrl, pattern);
  expect(fits('https://a.example/item/1', 'https://a.example/item/*')).toBe(true);
  expect(fits('https://a.example/item/', 'https://a.example/item/*')).toBe(true);
  expect(fits('https://a.example/item', 'https://a.example/item/*')).toBe(false);
  expect(fits('https://a.example/items?x=1&y=2', 'https://*.example/*?*y=2')).toBe(true);
  expect(fits('https://a.example/aba', 'https://a.example/ab*ba')).toBe(false);
  expect(fits('https://a.example/(x).*', 'https://a.example/(x).*')).toBe(true);
  expect(fits('https://a.example/xx', 'https://a.example/(x).*')).toBe(false);
});

test('fitting is that of a regular expression', () => {
  const characters = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 12 });
  const pattern = fc.array(fc.constantFrom('a', 'b', '/', '.', '*', '*'), { maxLength: 8 });
  fc.assert(
    fc.property(characters, pattern, (url, parts) => {
      const expression = new RegExp(`^${parts.map((part) => (part === '*' ? '.*' : part.replace('.', '\\.'))).join('')}$`);
      expect(fitsPattern(url.join('') as CanonicalUrl, parts.join(''))).toBe(expression.test(url.join('')));
    }),
    { numRuns: runs(5_000) },
  );
});

test.each([
  ['no YAML', 'rules: [', 'rules.yaml:1: not YAML'],
  ['a key twice', rulesFor('a: .a\na: .b'), 'rules.yaml:5: not YAML'],
  ['nothing', '', 'rules.yaml:1: the file: '],
  ['no rules', 'rules: []', 'rules.yaml:1: rules: is empty'],
  ['an unknown key', 'rules:\n  - url: https://a.example/\n    field: {}', 'rules.yaml:2: rules[0]'],
  ['an unknown option', rulesFor('a: { select: .a, atribute: href }'), 'rules.yaml:4: rules[0].fields.a: '],
  ['an empty selector', rulesFor('ok: .a\na: ""'), 'rules.yaml:5: rules[0].fields.a.select: is empty'],
  ['a list for a selector', rulesFor('a: [.a, .b]'), 'rules.yaml:4: rules[0].fields.a'],
  ['a bad name', rulesFor('"a b": .a'), 'rules.yaml:4: rules[0].fields.a b: is not the name of a field'],
  ['a bad attribute', rulesFor('a: { select: .a, attribute: "a b" }'), 'rules.yaml:4: rules[0].fields.a.attribute: is not the name'],
  ['a relative URL', rulesFor('a: .a', '/item/*'), 'rules.yaml:2: rules[0].url: /item/*: is not a pattern'],
  ['a URL without a path', rulesFor('a: .a', 'https://a.example'), 'https://a.example/ may be meant'],
  ['a host in capitals', rulesFor('a: .a', 'https://A.example/*'), 'https://a.example/* may be meant'],
  ['a fragment', rulesFor('a: .a', '"https://a.example/x#y"'), 'https://a.example/x may be meant'],
])('%s is a DataError that says where', (_, yaml, part) => {
  expect(() => parseFieldRules(yaml, 'rules.yaml')).toThrow(DataError);
  expect(() => parseFieldRules(yaml, 'rules.yaml')).toThrow(part);
  expect(() => parseFieldRules(yaml, 'rules.yaml')).toThrow(/^[^\n]+$/);
});

test.each([
  '*',
  'https://*',
  'https://*/x',
  'http://127.0.0.1:*/item',
  'https://*.a.example/*/b?c=*',
  'http://a.example/',
  'http://a.example/%7B*',
])('%s is a pattern', (url) => expect(parseFieldRules(rulesFor('a: .a', `"${url}"`), 'rules.yaml')).toHaveLength(1));

test('aliases that grow without end', () => {
  const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`).join('\n');
  expect(() => parseFieldRules(`a0: &a0 [x]\n${levels}\nrules: []`, 'rules.yaml')).toThrow(DataError);
});

test.each(['a[', '::before', 'p:nth-child(x)', 'a:foo', 'svg|a'])(
  '%s is a selector that cannot be used: refused at the start',
  async (select) => {
    const rules = parseFieldRules(rulesFor(`ok: p\nbad: "${select}"`), 'rules.yaml');
    const opened = FieldReader.open(rules);
    await expect(opened).rejects.toThrow(DataError);
    await expect(opened).rejects.toThrow(/^rules\.yaml:5: bad: not a CSS selector that can be used: [^\n]+$/);
  },
);

const MB = 1024 * 1024;
test.each([
  ['long', 'x'.repeat(2 * MB), 'longer than 2097152 characters'],
  ['of many elements', '<b>x</b>'.repeat(50_001), 'of more than 50000 elements'],
  ['deep', '<div class=b>'.repeat(2_000), 'nested deeper than 512'],
])('a page that is %s gets no fields, with a warning', async (_, html, why) => {
  const { fields, warnings } = await read(rulesFor('a: ".a .b p"'), `<p>text</p>${html}`);
  expect(fields).toEqual({});
  expect(warnings).toContain(`field rules are omitted: the page is ${why}`);
});

test('values are cut, counted, and bounded in sum', async () => {
  const { fields, warnings } = await read(
    rulesFor('long: div\nmany: { select: p, all: true }'),
    `<div>${'x '.repeat(9_000)}</div>${'<p>y</p>'.repeat(1_100)}`,
  );
  expect(fields['long']).toHaveLength(10_000);
  expect(fields['many']).toHaveLength(1_000);
  expect(warnings).toEqual(['field long: a value is cut at 10000 characters', 'field many: more than 1000 values; the rest is omitted']);
  const nested = `${'<div>'.repeat(400)}${'word '.repeat(3_000)}`;
  const all = (await read(rulesFor('all: { select: div, all: true }'), nested)).fields['all'] ?? [];
  expect([...all].join('').length).toBe(1_000_000);
});

test('any markup gives fields of text or nothing', async () => {
  const reader = await FieldReader.open(
    parseFieldRules(rulesFor('a: p\nb: { select: "*", all: true }\nc: { select: a, attribute: href }'), 'r'),
  );
  const extractor = pageExtractor({ productToken: 'forager', fields: reader });
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<a href="x">',
    '<a href=//[>',
    '</a>',
    '<table><tr><td>',
    '<svg>',
    '<template>',
    '<base href=":">',
    't ',
    '&amp;',
    '<!--',
    '<![CDATA[',
    '<',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { fields, warnings } = extractor.extract(page(pieces.join(''), `${SHOP}1`));
      for (const value of Object.values(fields).flat()) expect(value).toMatch(/\S/);
      expect(warnings.filter((warning) => warning.includes('DOM'))).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});
