import { expect, test } from 'vitest';
import { isBoxTitle } from '../../../src/reading/extract/box-titles.ts';
import { modelDecision, ROLE, RULE } from '../../../src/reading/extract/main-text.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { modelOf } from './judging-model.ts';

const parser = new CoreParser(new WasmCore());
/** A model that keeps sentences alone: what else is kept, a rule has kept. */
const onlySentences = modelOf('own.endsSentence', 0.5, -6, 6);
const sentence = 'The kiln cools for a day and a night, and nobody opens the door before.';
const prose = `<p>${sentence} ${sentence}</p>`;
const code = `<pre>fire --hours 20\n# ${sentence}</pre>`;
const table = `<tr><td>${sentence}</td><td>${sentence}</td></tr>`;

/** The main text and its rules, by the core and by the oracle, which must agree. */
function read(html: string) {
  const page = parser.parse(html);
  const { roles, rules } = modelDecision(page, onlySentences);
  expect(Array.from(modelDecision(new PageParser().parse(html), onlySentences).roles)).toEqual(Array.from(roles));
  const lines = page.blocks.map(({ start, end }) => page.text.slice(start, end));
  const isKept = (line: string) => roles[lines.indexOf(line)] === ROLE.text;
  return { isKept, ruleOf: (line: string) => rules[lines.indexOf(line)] };
}

test.each([
  ['Sphinx, MkDocs', 'Note', `<div class="admonition note"><p class="admonition-title">Note</p>${prose}</div>`],
  ['DocBook', 'Warning', `<div class="warning" style="margin-left: 0.5in"><h3 class="title">Warning</h3>${prose}</div>`],
  ['GitHub', 'Important', `<div class="markdown-alert"><p class="markdown-alert-title"><svg><path/></svg>Important</p>${prose}</div>`],
  ['Docusaurus', '⚠ caution', `<div class="admonition"><div class="admonitionHeading_x1"><span>⚠</span> caution</div>${prose}</div>`],
  [
    'AsciiDoc',
    'Tip',
    `<div class="admonitionblock tip"><table><tr><td class="icon"><div class="title">Tip</div></td><td class="content">${prose}</td></tr></table></div>`,
  ],
  ['a box without classes', 'Achtung:', `<blockquote><div>Achtung:</div>${prose}</blockquote>`],
  ['a numbered example', 'Esempio 4', `<section><b>Esempio 4</b>${prose}</section>`],
  ['a box of a wiki', '提示', `<table><tbody><tr><td><div>提示</div></td><td>${prose}</td></tr></tbody></table>`],
  ['the first box of a page', 'Предупреждение', `<div><p>Предупреждение</p>${prose}</div>`],
])('the title of a box stays with its text: %s', (_, title, html) => {
  const { isKept, ruleOf } = read(`${html}${prose}`);
  expect(isKept(title)).toBe(true);
  expect(ruleOf(title)).toBe(RULE.title);
});

test.each([
  ['a line above text that is not kept', `${prose}<p>Note</p><p>Orders by post</p><p>Thanks</p>`],
  ['a link', `${prose}<a href="/notes">Note</a>${prose}`],
  ['a menu', `${prose}<nav>Note</nav>${prose}`],
  ['another line', `${prose}<p>Note that</p>${prose}`],
])('no title of a box: %s', (_, html) => {
  expect(['Note', 'Note that'].some((line) => read(html).isKept(line))).toBe(false);
});

test('a box below text of its section is text as a whole', () => {
  const box = '<p>Caution</p><p>Hot shelves for hours</p><ul><li>Gloves</li><li>Long sleeves, too</li></ul>';
  for (const html of [
    `${prose}<div>${box}</div>`,
    `<section>${prose}<blockquote>${box}</blockquote></section>`,
    `<div>${code}</div><aside role="note">${box}</aside>`,
  ]) {
    const { isKept } = read(`${prose}${html}`);
    expect(isKept('Hot shelves for hours')).toBe(!html.includes('aside'));
  }
  // Not in the section of the text above it, or not a box of its own.
  expect(read(`<main>${prose}</main><div><div>${box}</div></div>`).isKept('Hot shelves for hours')).toBe(false);
  expect(read(`<div>${prose}${box}</div>`).isKept('Hot shelves for hours')).toBe(false);
});

test('titles are words, with signs and a number around them', () => {
  for (const title of ['Note', 'NOTE:', '⚠️ Warning', 'Example 3-2.', 'Hinweis¶', 'À noter', '주의', 'Voorbeeld 1:', 'Σημείωση', 'مثال'])
    expect([title, isBoxTitle(title)]).toEqual([title, true]);
  for (const line of ['Noted', 'Note that the kiln', '3', '', 'Tips & Tricks', 'Example of a long title that goes on'])
    expect([line, isBoxTitle(line)]).toEqual([line, false]);
});

test.each([
  ['the caption of a table', `<table><caption>Heat of the cones</caption>${table}</table>`],
  ['with groups of rows', `<table><caption>Heat of the cones</caption><tbody>${table}</tbody></table>`],
  [
    'above paragraphs in cells',
    `<table><caption>Heat of the cones</caption><tbody><tr><td><p>${sentence}</p></td><td><p>${sentence}</p></td></tr></tbody></table>`,
  ],
  ['a class above a table', `<div class="caption">Heat of the cones</div><table>${table}</table>`],
  ['a class above code', `<div class="code-block-caption"><span>Heat of the cones</span></div><div>${code}</div>`],
  ['below code, in a figure', `<figure>${code}<figcaption>Heat of the cones</figcaption></figure>`],
  ['below a quote, in a figure', `<figure><blockquote>${prose}</blockquote><figcaption>Heat of the cones</figcaption></figure>`],
  ['below a table, in a box', `<div><table>${table}</table><p class="caption">Heat of the cones</p></div>`],
])('a caption stays with its text: %s', (_, html) => {
  expect(read(html + prose).ruleOf('Heat of the cones')).toBe(RULE.caption);
});

test.each([
  ['kiln/fire.ts', 'the name of a file'],
  ['/etc/kiln.conf¶', 'a path'],
  ['Makefile', 'a file of make'],
  ['Listing 3-1: fire', 'a number'],
  ['図 2 焼成', 'a number in Japanese'],
])('%s above code is its name: %s', (name) => {
  expect(read(`${prose}<div><span>${name}</span>${code}</div>${prose}`).ruleOf(name)).toBe(RULE.caption);
});

test.each([
  ['an image', '<figure><img src="k.jpg"><figcaption>Heat of the cones</figcaption></figure>'],
  ['an image with a class', '<div><img src="k.jpg"><p class="wp-caption-text">Heat of the cones</p></div>'],
  ['the language of code', `<div><span>Heat of the cones</span>${code}</div>`],
  ['a linked line', `<table><caption><a href="/t">Heat of the cones</a></caption>${table}</table>`],
  ['a table of layout', `<table><tr><td><p>Heat of the cones</p>${prose}</td></tr></table>`],
])('a line of %s is no caption of text', (_, html) => {
  expect(read(html + prose).isKept('Heat of the cones')).toBe(false);
});

test('a section of a manual page may have the name of a hint', () => {
  const html = `<h1>kiln(1)</h1><h2>NAME</h2><p>kiln - fires pots</p><h2>SYNOPSIS</h2><p>kiln [-h hours]</p><section id="see-also"><h2>SEE ALSO</h2><p>oven(1)</p></section>${prose}`;
  for (const line of ['SEE ALSO', 'oven(1)']) expect(read(html).isKept(line)).toBe(true);
});
