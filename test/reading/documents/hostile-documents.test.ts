/** Small files that would take long, or whose text would be lost: each ends in time, with its text. */
import { expect, test } from 'vitest';
import { cleanHtml } from '../../../src/reading/documents/clean-html.ts';
import { describedHtml } from '../../../src/reading/documents/described-html.ts';
import { hrefOf } from '../../../src/reading/documents/document-html.ts';
import { xmlRoot } from '../../../src/reading/documents/file-head.ts';
import { bookFacts } from '../../../src/reading/documents/kinds/epub/book-facts.ts';
import type { XmlElement } from '../../../src/reading/documents/xml-tree.ts';
import { readXml } from '../../../src/reading/documents/xml-tree.ts';
import { expectWithin } from '../../support/cpu-time.ts';

const IN_TIME = 2_000;
const treeOf = (xml: string): XmlElement => readXml(Buffer.from(xml)).root;
const clean = (markup: string) => cleanHtml(markup, { href: (written) => hrefOf(written, 'https://fen.example/d/'), id: null }).html;

test('the root of a feed is behind its prolog', () => {
  expect(
    xmlRoot(Buffer.from('<?xml version="1.0"?>\n<!-- a <b> --> <!-- c -->\n<!DOCTYPE rss [<!ENTITY a "b">]>\n<rss version="2.0">'))?.name,
  ).toBe('rss');
  expect(xmlRoot(Buffer.from('<!-- feed'))).toBeNull();
});

test.each([
  ['a bare ampersand at the end', '<b>Deal</b> with AT&T', '<b>Deal</b> with AT&amp;T'],
  ['a sign of less', '<p>if x < 5 and y > 3 then</p>', '<p>if x &lt; 5 and y &gt; 3 then</p>'],
  ['a heart', 'we <3 peat bogs and <i>fens</i>, and rain', 'we &lt;3 peat bogs and <i>fens</i>, and rain'],
  ['a program with signs', "<script>if (a < b) s = 'it's';</script><p>after</p>", '<p>after</p>'],
  ['XHTML', '<script src="a.js"/><p>kept</p><title/><p>too<![CDATA[ <b>]]></p>', '<p>kept</p><p>too &lt;b&gt;</p>'],
  ['prefixes', '<h:p>Fen</h:p>', '<p>Fen</p>'],
])('%s is kept as it is', (_name, markup, html) => expect(clean(markup)).toBe(html));

test('a mail address without its scheme, and a path of Windows, are no links', () => {
  for (const href of ['ada@fen.example', '\\\\server\\share\\a.docx']) expect(hrefOf(href, 'https://fen.example/d/')).toBeNull();
  expect(hrefOf('mailto:ada@fen.example', null)).toBe('mailto:ada@fen.example');
});

test('many creators, each with its role, take no time', () => {
  const people = Array.from(
    { length: 4_000 },
    (_, i) => `<creator id="c${i}">Ada ${i}</creator><meta refines="#c${i}" property="role">aut</meta>`,
  ).join('');
  const root = treeOf(`<package><metadata>${people}</metadata></package>`);
  expectWithin(IN_TIME, () => expect(bookFacts(root).authors).toHaveLength(100));
});

test('signs of emphasis without an end take no time', () => {
  expectWithin(2 * IN_TIME, () => describedHtml('__x '.repeat(80_000), null));
});

test('words in angle brackets leave Markdown what it is', () => {
  const html = describedHtml('Use /users/<id> for one.\n\nSee [docs](https://fen.example/docs).\n\n- one', null);
  expect(html).toContain('&lt;id&gt;');
  expect(html).toContain('<a href="https://fen.example/docs">docs</a>');
  expect(html).toContain('<li>one</li>');
  expect(describedHtml('<p>Use <b>this</b>', null)).toContain('<b>this</b>');
});
