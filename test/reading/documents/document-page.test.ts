import { expect, test } from 'vitest';
import { NO_DOCUMENT_FACTS } from '../../../src/reading/documents/document-kind.ts';
import { documentPage, honestTitle } from '../../../src/reading/documents/document-page.ts';

test.each([
  'Microsoft Word - draft3.doc',
  'Microsoft PowerPoint - Tides 2019',
  'untitled',
  'Untitled-1',
  'Document1',
  'Ohne Titel 2',
  'tide tables final v2.docx',
  'report.pdf',
  'C:\\Users\\me\\x.doc',
  'file:///home/me/thesis.html',
  '/tmp/a.ps',
  '12-34',
  '   ',
])('%s is no title', (declared) => expect(honestTitle(declared)).toBe(null));

test.each([
  ['The  tides of\nthe Wash ', 'The tides of the Wash'],
  ['Untitled poems of the 12th century', 'Untitled poems of the 12th century'],
  ['Documents of Ely', 'Documents of Ely'],
  ['Node.js', 'Node.js'],
  ['How to use a Makefile.in', 'How to use a Makefile.in'],
  ['潮汐表', '潮汐表'],
  ['The mathtools package∗', 'The mathtools package'],
  ['Tides of the Wash * †', 'Tides of the Wash'],
])('%s is a title', (declared, title) => expect(honestTitle(declared)).toBe(title));

test('the head states the facts, with escaped signs', () => {
  const facts = {
    ...NO_DOCUMENT_FACTS,
    title: 'Mills & "tides" <1>',
    authors: ['A. "B" C', 'D'],
    published: '2019-05',
    modified: '2020-01-02',
    language: 'de',
  };
  expect(documentPage(facts, 'Heading', '<p>x</p>')).toBe(
    '<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Mills &amp; &quot;tides&quot; &lt;1&gt;</title>' +
      '<meta name="author" content="A. &quot;B&quot; C"><meta name="author" content="D">' +
      '<meta property="article:published_time" content="2019-05"><meta property="article:modified_time" content="2020-01-02">' +
      '</head><body><p>x</p></body></html>',
  );
});

test('a heading is the title where the file declares none', () => {
  expect(documentPage({ ...NO_DOCUMENT_FACTS, title: 'thesis.tex' }, 'Fen mills', '')).toContain('<title>Fen mills</title>');
  expect(documentPage(NO_DOCUMENT_FACTS, 'Fen mills∗‡', '')).toContain('<title>Fen mills</title>');
  expect(documentPage(NO_DOCUMENT_FACTS, '潮', '')).toContain('<title>潮</title>');
  for (const heading of [null, 'O', '1.', '†']) expect(documentPage(NO_DOCUMENT_FACTS, heading, '')).not.toContain('<title>');
});
