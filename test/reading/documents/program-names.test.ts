/** Files that are made to take long, or that look like parts of a program. */
import { expect, test } from 'vitest';
import { hrefOf } from '../../../src/reading/documents/document-html.ts';
import { xmlRoot } from '../../../src/reading/documents/file-head.ts';
import { formulaHtml } from '../../../src/reading/documents/kinds/docx/docx-formula.ts';
import { DocxNumbering } from '../../../src/reading/documents/kinds/docx/docx-numbering.ts';
import { docx } from '../../../src/reading/documents/kinds/docx.ts';
import { readXml } from '../../../src/reading/documents/xml-tree.ts';
import { expectWithin } from '../../support/cpu-time.ts';
import { documentIn, zipOf } from './documents.ts';

const rootOf = (text: string) => xmlRoot(Buffer.from(text))?.name ?? null;

test.each([
  ['comments and a text', `${'<!---->'.repeat(580)}text`],
  ['comments with blanks', `${'<!-- --> \n'.repeat(400)}text`],
  ['declarations', `${'<?a?>'.repeat(800)}text`],
  ['a comment that the end of the head cuts', `${'<!--a-->'.repeat(500)}<!--${'--'.repeat(100)}`],
  ['a document type without an end', `<!doctype ${' '.repeat(4000)}`],
])('a head without a root element is told in one pass: %s', (_, text) => {
  expectWithin(500, () => expect(rootOf(text)).toBeNull());
});

test.each([
  ['<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE x [<!ENTITY a "b">]>\n<a:Feed x="1">', 'feed'],
  ['<!----><!---->\n<rss version="2.0">', 'rss'],
  ['<!-- <feed> --><definitions/>', 'definitions'],
  ['\n<html>', 'html'],
])('the root element of %s', (text, name) => expect(rootOf(text)).toBe(name));

test('levels of a list are looked up once for all its items', () => {
  const levels = Array.from({ length: 4000 }, (_, i) => `<w:lvl w:ilvl="${i}"><w:numFmt w:val="decimal"/></w:lvl>`).join('');
  const xml = `<w:numbering><w:abstractNum w:abstractNumId="1">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
  const numbering = new DocxNumbering(readXml(Buffer.from(xml)).root);
  const all = () => Array.from({ length: 4000 }, (_, i) => numbering.kindOf('1', i));
  expectWithin(1000, () => expect(new Set(all())).toEqual(new Set(['ordered'])));
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('an element named %s is one like others', async (name) => {
  const { root } = readXml(Buffer.from(`<m:omath><m:${name}><m:t>x</m:t></m:${name}></m:omath>`));
  expect(formulaHtml(root)).toContain('<mtext>x</mtext>');
  const paragraph = `<w:document><w:body><w:p><w:r><w:t>a</w:t><w:${name}/><w:t>b</w:t></w:r></w:p></w:body></w:document>`;
  const { body } = await documentIn(
    docx,
    zipOf({ '[Content_Types].xml': '<Types/>', 'word/document.xml': paragraph }),
    'https://fen.example/a.docx',
  );
  expect(body).toBe('<p>ab</p>');
});

test.each([
  ['jdb@cam.example', null],
  [String.raw`\\server\share\a.docx`, null],
  [String.raw`\a.docx`, null],
  ['mailto:jdb@cam.example', 'mailto:jdb@cam.example'],
  ['notes/@jdb', 'https://fen.example/notes/@jdb'],
  ['a.html#me@cam', 'https://fen.example/a.html#me@cam'],
])('the link %s leads to %s', (written, href) => expect(hrefOf(written, 'https://fen.example/b')).toBe(href));
