import { expect, test } from 'vitest';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { page } from './page.ts';

const extractor = pageExtractor({ productToken: 'forager' });
/** Every page, however hostile, in less than this much CPU time; `npm run check -- hostile` has narrower bounds. */
const LIMIT_MS = 10_000;
const MB = 1024 * 1024;

function extract(body: string | Uint8Array) {
  const input = page(body);
  const before = process.cpuUsage();
  const extraction = extractor.extract(input);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS);
  return extraction;
}

test('elements nested 100,000 deep, closed and not', () => {
  const deep = extract(`${'<div><b>'.repeat(50_000)}bottom${'</b></div>'.repeat(50_000)}<p>after</p>`);
  expect(deep.text).toContain('bottom');
  expect(deep.text).toContain('after');
  expect(deep.warnings).toHaveLength(1);
  expect(extract('<table><tr><td><a href=x>'.repeat(100_000)).outlinks).toHaveLength(1);
});

test('end tags that fit nothing, and misnesting that reaches far', () => {
  const misnested = `${'<b><i>'.repeat(20_000)}${'<div><u>'.repeat(20_000)}${'</b></i></p></table>'.repeat(20_000)}text`;
  expect(extract(misnested).text).toBe('text');
});

wholeTest('a million attributes', () => {
  const many = Array.from({ length: 1_000_000 }, (_, i) => ` ${(i % 1_296).toString(36)}`).join('');
  expect(extract(`<a${many} href="/x">x</a>`).outlinks).toHaveLength(1);
  expect(extract(`<a href="/x" ${'class=a id="b" '.repeat(250_000)}>x</a>`).outlinks).toHaveLength(1);
});

wholeTest('two megabytes of <, of &, of quotes in a tag', () => {
  expect(extract('<'.repeat(2 * MB)).text).toHaveLength(2 * MB);
  expect(extract('&'.repeat(2 * MB)).text).toHaveLength(2 * MB);
  expect(extract(`<a href=${'"\''.repeat(MB)}`).outlinks).toEqual([]);
  expect(extract('&#x10ffff;'.repeat(200_000)).text.length).toBe(400_000);
});

test('a text node of ten megabytes is cut, with a warning', () => {
  const { text, warnings } = extract(`<p>${'word '.repeat(2 * MB)}</p>`);
  expect(text.length).toBeLessThanOrEqual(4 * MB);
  expect(text.length).toBeGreaterThan(4 * MB - 100);
  expect(warnings).toEqual([`page longer than ${4 * MB} characters; the rest is omitted`]);
});

test('unclosed script, comment, title and attribute', () => {
  const filler = 'x < y && "z"; <p>text</p> '.repeat(40_000);
  expect(extract(`<p>seen</p><script>${filler}`)).toMatchObject({ text: 'seen', warnings: ['the page ends inside <script>'] });
  expect(extract(`<p>seen</p><!-- ${filler}`).text).toBe('seen');
  expect(extract(`<title>${filler}`).title.length).toBeLessThanOrEqual(2_000);
  expect(extract(`<p>seen</p><a href="${filler.replaceAll('"', '')}`).text).toBe('seen');
});

test('a quarter of a million links, one block each', () => {
  const html = Array.from({ length: 150_000 }, (_, i) => `<p><a href=/${i}>n</a>`).join('');
  const { outlinks, warnings } = extract(html);
  expect(outlinks).toHaveLength(5_000);
  expect(warnings.length).toBeGreaterThanOrEqual(2);
});

test('bytes that are no UTF-8, and all zeros', () => {
  const noise = new Uint8Array(MB).map((_, i) => (i * 2_654_435_761) >>> 11);
  expect(extract(noise).warnings.length).toBeGreaterThan(0);
  expect(() => extract(new Uint8Array(MB))).not.toThrow();
  expect(extract(new Uint8Array(0))).toMatchObject({ text: '', title: '', outlinks: [] });
});

test('unknown elements without end', () => {
  const html = Array.from({ length: 200_000 }, (_, i) => `<x-${i}>w `).join('');
  expect(extract(html).text.length).toBeGreaterThan(100_000);
});

test('a link text and image texts without end', () => {
  const [link] = extract(`<a href=/x>${'<img alt="picture of a thing">word '.repeat(60_000)}</a>`).outlinks;
  expect(link?.anchorText.length).toBeLessThanOrEqual(200);
  expect(link?.imageAlt.length).toBeLessThanOrEqual(200);
});
