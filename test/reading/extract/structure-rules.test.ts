import { expect, test } from 'vitest';
import { BlockModel } from '../../../src/reading/extract/block-model.ts';
import { modelDecision, ROLE, RULE } from '../../../src/reading/extract/main-text.ts';
import { manualSection } from '../../../src/reading/extract/manual-sections.ts';
import { CoreParser } from '../../../src/reading/wasm-reader/core-parser.ts';
import { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';
import { PageParser } from '../../oracle/page-parser.ts';
import { modelOf } from './judging-model.ts';

const parser = new CoreParser(new WasmCore());
/** A model that keeps sentences alone: what else is kept, a rule has kept. */
const onlySentences = modelOf('own.endsSentence', 0.5, -6, 6);
const sentence = 'A lathe turns the workpiece, and the tool stays where the hand holds it.';
const prose = `<p>${sentence} ${sentence}</p>`;

/** The lines of the main text, by the blocks of the core and of the oracle, which must agree. */
function kept(html: string, model = onlySentences): string[] {
  const page = parser.parse(html);
  const { roles } = modelDecision(page, model);
  const oracle = new PageParser().parse(html);
  expect(Array.from(modelDecision(oracle, model).roles)).toEqual(Array.from(roles));
  return page.blocks.flatMap(({ start, end }, i) => (roles[i] === ROLE.text ? [page.text.slice(start, end)] : []));
}

/** The same by the decision of the core itself, which knows a model from its second page on. */
test('the core decides as JavaScript does', () => {
  const html = `<h1>plane(1)</h1><h2>NAME</h2>plane - takes shavings off a board<h2>SYNOPSIS</h2>plane [-d depth] BOARD<h2>OPTIONS</h2><dl><dt>-d</dt><dd>Sets the depth of the cut in hundredths of a millimetre.</dd></dl>${prose}`;
  const model = BlockModel.bundled();
  parser.rolesBy(model, parser.parse(prose));
  const page = parser.parse(html);
  expect(Array.from(parser.rolesBy(model, page) ?? [])).toEqual(Array.from(modelDecision(page, model).roles));
});

test('terms, headings and short parts stay with the list or the table that the text has a part of', () => {
  expect(kept(`${prose}<dl><dt>--depth</dt><dd>${sentence}</dd><dt>--dry-run</dt><dd>Nothing is cut</dd></dl>`)).toEqual([
    `${sentence} ${sentence}`,
    '--depth',
    sentence,
    '--dry-run',
    'Nothing is cut',
  ]);
  // A term above a paragraph in its definition, in a list of its own.
  expect(kept(`${prose}<dl><dt>--quiet</dt><dd>${prose}</dd></dl>`)).toContain('--quiet');
  expect(kept(`${prose}<ul><li>Oak</li><li>${sentence}</li><li>Ash, and yew</li></ul>`)).toContain('Ash, and yew');
  const row = (...cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const table = `<table>${row('Feed rate', sentence)}${row('Spindle', `${sentence} ${sentence}`)}${row('Tail stock', 'none of the small ones has it, and few large ones')}</table>`;
  expect(kept(prose + table).join(' ')).toContain('none of the small ones has it');
  expect(kept(`${prose}<h2>Sharpening</h2><h3>By hand</h3>${prose}`)).toEqual(expect.arrayContaining(['Sharpening', 'By hand']));
});

test.each([
  ['a list of links', `<ul><li><a href=/a>Oak</a></li><li><a href=/b>${sentence}</a></li><li><a href=/c>Ash, and yew</a></li></ul>`],
  ['a menu', `<nav><ul><li>Oak</li><li>${sentence}</li><li>Ash, and yew</li></ul></nav>`],
  ['a list of which the text has little', `<ul><li>Yes.</li>${'<li>Ash, and yew, in planks and in logs</li>'.repeat(9)}</ul>`],
  ['two parts', '<ul><li>It cuts.</li><li>Ash, and yew</li></ul>'],
  ['hidden parts', `<ul><li>It cuts.</li><li>${sentence}</li><li hidden>Ash, and yew</li></ul>`],
])('%s stays out', (_, html) => {
  expect(kept(prose + html).join('\n')).not.toContain('Ash, and yew');
});

test('a manual page is kept from its name to its last section', () => {
  const manual = (name: string, synopsis: string, description: string) =>
    `<div class="crumbs">Home, tools</div><h1>plane(1)</h1><h2>${name}</h2>plane - takes shavings off a board` +
    `<h2>${synopsis}</h2><pre>plane [-d depth] BOARD</pre><h2>${description}</h2>${prose}<h2>SEE ALSO</h2><a href=saw.html>saw(1)</a>, <a href=file.html>file(1)</a>` +
    '<h2>Source code</h2>The workshop, 2019<div class="footer">Made with love</div>';
  for (const html of [
    manual('NAME', 'SYNOPSIS', 'DESCRIPTION'),
    manual('1. Name:', '2. Synopsis:', '3. Description:'),
    manual('BEZEICHNUNG', 'ÜBERSICHT', 'BESCHREIBUNG'),
    manual('名前', '書式', '説明'),
  ]) {
    const lines = kept(html);
    expect(lines).toContain('plane - takes shavings off a board');
    expect(lines).toContain('plane [-d depth] BOARD');
    expect(lines).toContain('saw(1), file(1)');
    expect(lines.join('\n')).not.toMatch(/Home, tools|The workshop|Made with love/);
  }
});

test.each([
  ['sections without a name', '<h2>Description</h2>short<h2>Notes</h2>short<h2>Examples</h2>short'],
  ['one section three times', '<h2>Name</h2>short<h2>Name</h2>short<h2>Name</h2>short'],
  ['a form', '<h2>Name</h2>short<h2>Phone</h2>short<h2>Street</h2>short'],
])('%s are no manual page', (_, html) => {
  expect(kept(prose + html)).not.toContain('short');
});

test('a heading with a number, a sign or a colon around it is known; a longer one is not', () => {
  expect(['NAME', '2.1 Options', 'See also:', 'Synopsis¶', 'СМ. ТАКЖЕ'].map(manualSection)).toEqual([
    'name',
    'options',
    'more',
    'synopsis',
    'more',
  ]);
  expect(['Names', 'Options of the lathe', '', '7', 'x'.repeat(100_000)].map(manualSection)).toEqual([null, null, null, null, null]);
});

test('footnotes of several systems stay; a list of references does not', () => {
  const docutils = '<aside class="footnote"><span>[1]</span><p>Measured on a cold morning</p></aside>';
  const definitions = '<dl class="footnotes"><dt>2(1,2)</dt><dd><p>Said by the owner</p></dd></dl>';
  const back = '<ol class="footnotes"><li>Seen from the road <a href="#r1">↩</a></li></ol>';
  const brackets = '<p class="footnote">[3] Out of print since the war</p>';
  const cited = '<ol class="references"><li>^ Ash, and yew: a survey</li><li>^ Planes of the north</li></ol>';
  const lines = kept(`<article>${prose}</article>${docutils}${definitions}${back}${brackets}${cited}`).join('\n');
  for (const note of ['Measured on a cold', 'Said by the owner', 'Seen from the road', 'Out of print']) expect(lines).toContain(note);
  expect(lines).not.toContain('Ash, and yew');
});

test('a note that the model keeps has its own rule', () => {
  const page = parser.parse(`${prose}<dl class="footnotes"><dt>1</dt><dd>${prose}</dd><dd>Said by the owner</dd></dl>`);
  const { rules } = modelDecision(page, onlySentences);
  expect(Array.from(rules, (rule) => Object.keys(RULE)[rule])).toEqual(['model', 'heading', 'model', 'note']);
});

test('sentences between the main heading and the text are its opening, if the model does not rule them out', () => {
  const unsure = modelOf('own.words', 12, -0.5, 6);
  const opening = (html: string) => kept(`<h1>Lathes</h1>${html}${prose}`, unsure);
  expect(opening('<p>A lathe turns wood.</p>')).toContain('A lathe turns wood.');
  expect(opening('<p>By the editors</p>')).not.toContain('By the editors');
  expect(kept(`<h1>Lathes</h1><p>A lathe turns wood.</p>${prose}`, modelOf('own.words', 12, -3, 6))).not.toContain('A lathe turns wood.');
});

test('a list of thousands of parts is one', () => {
  const html = `${prose}<ul>${`<li>${sentence}</li><li>Oak</li>`.repeat(3_000)}</ul>${'<h2>Name</h2>'.repeat(3_000)}`;
  expect(kept(html).filter((line) => line === 'Oak')).toHaveLength(3_000);
});
