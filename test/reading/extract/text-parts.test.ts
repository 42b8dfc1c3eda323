import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MAIN_TEXT_METHODS } from '../../../src/reading/extract/text-method-names.ts';
import type { TextParts } from '../../../src/reading/extract/text-parts.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { sample } from '../../support/extent.ts';
import { page } from './page.ts';

const NOTHING: TextParts = { headings: false, tables: false, code: false, comments: false, title: false };
const sentence = 'The tide comes in over the flats, and the birds go up the river with it. ';
const prose = `<p>${sentence.repeat(4)}</p>`;
const heading = '<h2>Up the river</h2>';
const data = '<table><tr><th>Month<th>Birds<tr><td>June<td>411<tr><td>July<td>388</table>';
const code = '<pre>count = birds * tides\nreturn count</pre>';
const comments = '<div class="comments"><p>Lovely birds, I have seen them too.</p><p>Not by me they have not been seen.</p></div>';
const golden = fileURLToPath(new URL('../../golden/', import.meta.url));

/** Of the extractor `none`, so that all that is visible is text but for the parts. */
const textOf = (html: string, parts: TextParts) =>
  pageExtractor({ productToken: 'forager', extractor: 'none', parts }).extract(page(html)).text;
const markdownOf = (html: string, parts: TextParts) =>
  pageExtractor({ productToken: 'forager', extractor: 'none', parts }).extractMarkdown(page(html)).markdown;

/** `npm test` reads every third page. */
const pages = readdirSync(golden).filter((file) => file.endsWith('.html'));
const read = sample(
  pages,
  pages.map((_, i) => 3 * i),
);

test.each(sample(MAIN_TEXT_METHODS, [0]))('%s: without a wish nothing changes, and links never do', (extractor) => {
  for (const name of read) {
    const body = readFileSync(golden + name);
    const plain = pageExtractor({ productToken: 'forager', extractor });
    for (const parts of [{}, { headings: true, tables: true, code: true }]) {
      const same = pageExtractor({ productToken: 'forager', extractor, parts });
      expect(same.extract(page(body))).toEqual(plain.extract(page(body)));
      expect(same.extractMarkdown(page(body))).toEqual(plain.extractMarkdown(page(body)));
    }
    const bare = pageExtractor({ productToken: 'forager', extractor, parts: NOTHING });
    expect(bare.extract(page(body)).outlinks).toEqual(plain.extract(page(body)).outlinks);
    expect(bare.extract(page(body)).text !== '').toBe(plain.extract(page(body)).text !== '');
  }
});

test.each<[string, TextParts, string]>([
  ['headings', { headings: false }, 'Up the river'],
  ['tables', { tables: false }, 'June'],
  ['code', { code: false }, 'count = birds'],
  ['comments', { comments: false }, 'Lovely birds'],
])('%s are left out of text and Markdown alike, the rest stays', (_, parts, gone) => {
  const html = `<title>T</title>${heading}${prose}${data}${prose}${code}${prose}${comments}`;
  const kept = ['Up the river', 'June', 'count = birds', 'Lovely birds', 'The tide comes in'].filter((words) => words !== gone);
  for (const write of [textOf, markdownOf]) {
    expect(write(html, {})).toContain(gone);
    expect(write(html, parts)).not.toContain(gone);
    for (const words of kept) expect(write(html, parts)).toContain(words);
  }
});

test('all parts at once', () => {
  const html = `${heading}${prose}${data}${code}${comments}`;
  expect(textOf(html, NOTHING)).toBe(sentence.repeat(4).trim());
});

test('a table that holds the page is there for the layout, and stays', () => {
  const layout = `<p>Welcome to the birds.</p><table><tr><td>Home<td>Map<tr><td colspan=2>${heading}${prose}${prose}${prose}</table><p>Last changed in June.</p>`;
  expect(textOf(layout, { tables: false })).toBe(textOf(layout, {}));
  const body = readFileSync(`${golden}table-layout.html`);
  for (const extractor of MAIN_TEXT_METHODS) {
    const plain = pageExtractor({ productToken: 'forager', extractor }).extract(page(body)).text;
    expect(pageExtractor({ productToken: 'forager', extractor, parts: { tables: false } }).extract(page(body)).text).toBe(plain);
  }
});

test('a long table of data goes, though it is most of the words', () => {
  const rows = Array.from({ length: 60 }, (_, i) => `<tr><td>site ${i}<td>birds ${i * 7}<td>tides ${i * 3}`).join('');
  const html = `${prose}<table>${rows}</table>`;
  expect(textOf(html, { tables: false })).toBe(sentence.repeat(4).trim());
});

test('a page that is nothing but a table, or code, or a heading keeps it', () => {
  expect(textOf(data, { tables: false })).toContain('June');
  expect(textOf(`<h1>Counts</h1>${data.repeat(5)}`, { tables: false })).toContain('June');
  const mail = `<pre>${sentence.repeat(9)}</pre>`;
  expect(textOf(`<h1>Re: birds</h1>${mail}<p>Next message by thread</p>`, { code: false })).toContain('The tide comes in');
  const notice = `<p>${sentence.repeat(2)}</p><pre>${sentence.repeat(40)}</pre>`;
  expect(textOf(notice, { code: false }).length).toBeGreaterThan(30 * sentence.length);
  for (const start of ['', `<p>${sentence.repeat(2)}</p>`]) {
    const unclosed = `${start}<h1>The river${prose.repeat(5)}`;
    expect(textOf(unclosed, { headings: false }).length).toBeGreaterThan(20 * (sentence.length - 1));
  }
});

test('code goes though it is most of the words', () => {
  const listing = `<pre>${'count = birds * tides + river.of(the, flats) - 1\n'.repeat(80)}</pre>`;
  expect(textOf(`${prose}${listing}`, { code: false })).toBe(sentence.repeat(4).trim());
});

test('of a page of code in a table one of the two stays', () => {
  const html = `<table><tr><td><pre>${sentence.repeat(9)}</pre></table>`;
  expect(textOf(html, { tables: false, code: false })).toContain('The tide comes in');
});

test('a short page loses its heading all the same', () => {
  expect(textOf('<h1>Hello</h1><p>two words</p>', { headings: false })).toBe('two words');
  expect(textOf('<h1>Birds</h1><ul><li>ducks<li>geese<li>swans</ul>', { headings: false })).toBe('ducks\ngeese\nswans');
});

test('comments are the page on a forum, whatever stands below them', () => {
  const forum = `<h1>Which birds?</h1>${comments}${comments}`;
  expect(textOf(forum, { comments: false })).toBe(textOf(forum, {}));
  const below = `${forum}<div>${prose}</div>`;
  expect(textOf(below, { comments: false })).toBe(textOf(below, {}));
  expect(textOf(`${prose}${comments}${prose}`, { comments: false })).not.toContain('Lovely');
  // Most of the words, and yet below a text.
  expect(textOf(`${prose}${comments.repeat(40)}`, { comments: false })).toBe(sentence.repeat(4).trim());
});

test('scripts without full stops have prose too', () => {
  const thai = 'มอส เป็น พืช ขนาด เล็ก ที่ ไม่ มี ดอก และ ชอบ ความ ชื้น ใน ป่า '.repeat(4);
  expect(textOf(`<h1>มอส</h1><p>${thai}</p>${data}`, { tables: false, headings: false })).toBe(thai.trim());
});

test('comments that the extractor left out are added on request: prose that is no boilerplate', () => {
  const far = '<p>x</p>'.repeat(40);
  const thread =
    '<div class="comments"><h3>Replies</h3><p>Nice birds.</p><p><a href="/u">Ann of the flats.</a></p><p class="share">Share this with a friend.</p>' +
    '<nav><p>Older ones are here.</p></nav><p hidden>Never shown.</p></div>';
  const html = `<title>T</title><main>${prose.repeat(3)}</main>${far}${thread}`;
  const slope = (parts: TextParts) => pageExtractor({ productToken: 'forager', extractor: 'slope', parts });
  expect(slope({}).extract(page(html)).text).not.toContain('Nice birds.');
  const added = slope({ comments: true });
  expect(added.extract(page(html)).text).toBe(`${slope({}).extract(page(html)).text}\n\nNice birds.`);
  expect(added.extractMarkdown(page(html)).markdown).toContain('\nNice birds.\n');
  expect(added.extract(page(html)).outlinks).toEqual(slope({}).extract(page(html)).outlinks);
});

test('no table goes for the comments below it that were added', () => {
  const html = `<table><tr><td>Home<td>Map<tr><td colspan=2>${prose.repeat(3)}</table>${'<p>x</p>'.repeat(40)}${comments.repeat(9)}`;
  const text = pageExtractor({ productToken: 'forager', extractor: 'slope', parts: { tables: false, comments: true } }).extract(
    page(html),
  ).text;
  expect(text).toContain('The tide comes in');
  expect(text).toContain('Lovely birds');
});

test('the title: in the text on request, in the Markdown unless refused', () => {
  const html = `<title>Tides &amp; birds</title>${prose}`;
  const body = sentence.repeat(4).trim();
  expect(textOf(html, {})).toBe(body);
  expect(textOf(html, { title: false })).toBe(body);
  expect(textOf(html, { title: true })).toBe(`Tides & birds\n\n${body}`);
  expect(markdownOf(html, { title: true })).toBe(`# Tides & birds\n\n${body}\n`);
  expect(markdownOf(html, {})).toBe(`# Tides & birds\n\n${body}\n`);
  expect(markdownOf(html, { title: false })).toBe(`${body}\n`);
});

test('a title is not said twice, and none is no line', () => {
  expect(textOf(`<title>Tides</title><h1>Tides</h1>${prose}`, { title: true })).toMatch(/^Tides\n\nThe tide/);
  expect(textOf(`<title>Tides</title><h1>Tidesmen</h1>${prose}`, { title: true })).toMatch(/^Tides\n\nTidesmen\n/);
  expect(textOf(`<title>Tides</title><h1>Tides</h1>${prose}`, { title: true, headings: false })).toMatch(/^Tides\n\nThe tide/);
  expect(textOf('<title>Tides</title>', { title: true })).toBe('Tides');
  expect(textOf(prose, { title: true })).toMatch(/^The tide/);
});
