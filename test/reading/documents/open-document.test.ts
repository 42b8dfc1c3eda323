import { expect, test } from 'vitest';
import type { ReadablePage } from '../../../src/base/core/parts/reading.ts';
import { pdf } from '../../../src/reading/documents/kinds/pdf.ts';
import { openDocument } from '../../../src/reading/documents/open-document.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { type PdfOptions, type PdfPage, pdfLines, writePdf } from '../../support/pdf-writer.ts';

const extractor = pageExtractor({ productToken: 'forager' });
const url = urlOf('http://fens.example/a/paper.pdf');

async function opened(pages: readonly PdfPage[], options?: PdfOptions, headers = {}): Promise<ReadablePage> {
  const page = { url, headers: { 'content-type': 'application/pdf', ...headers }, body: writePdf(pages, options) };
  const outcome = await openDocument(page, pdf);
  if (outcome.kind !== 'page') throw new Error(outcome.reason);
  return outcome.page;
}

const pageAt = ({ text, document }: ReturnType<typeof extractor.extract>) =>
  document?.pageOffsets.map((at, page) => text.slice(at, document.pageOffsets[page + 1]));

test('each page of the document is a part of the text', async () => {
  const pages = [
    { texts: [{ x: 50, y: 780, text: 'On peat & "moss"', size: 22 }, ...pdfLines(['The first page of it.'])] },
    { texts: pdfLines(['• an item on page two', '• another item']) },
    { texts: [] },
    { texts: pdfLines(['The last one.']) },
  ];
  expect(pageAt(extractor.extract(await opened(pages)))).toEqual([
    'On peat & "moss"\n\nThe first page of it.\n\n',
    'an item on page two\nanother item\n\n',
    '',
    'The last one.',
  ]);
});

test.each([
  ['in the middle of a paragraph', 'and a sluice & a gate that', 'was shut at high water.', 'was shut at high water.'],
  ['at a link', 'see a long list of names at', 'http://list.example/ for more', 'http://list.example/ for more'],
  ['at a word that is broken', 'they were the first engi-', 'neers, the engineers of it', 'neers, the engineers of it'],
  ['in an unspaced script', '这是一个关于磨坊的故事而且', '它还没有结束。', '它还没有结束。'],
])('a page may begin %s', async (_, first, second, expected) => {
  const pages = [{ texts: pdfLines([first]) }, { texts: pdfLines([second]) }];
  const extraction = extractor.extract(await opened(pages));
  expect(extraction.text).not.toContain('\n');
  expect(pageAt(extraction)?.[1]).toBe(expected);
});

test('a title before the text moves the pages', async () => {
  const titled = pageExtractor({ productToken: 'forager', parts: { title: true } });
  const page = await opened([{ texts: pdfLines(['One.']) }, { texts: pdfLines(['Two.']) }], { info: { Title: 'Peat' } });
  expect(pageAt(titled.extract(page))).toEqual(['One.\n\n', 'Two.']);
});

test('statements of the file and of its response', async () => {
  const info = { Title: 'Fens', Author: 'Bea Marsh', CreationDate: 'D:20120304' };
  const page = await opened([{ texts: pdfLines(['Words of a paper.']) }], { info, language: 'en' }, { 'x-robots-tag': 'noindex' });
  expect(extractor.extract(page)).toMatchObject({
    title: 'Fens',
    lang: 'en',
    noindex: true,
    metadata: { authors: ['Bea Marsh'], published: '2012-03-04' },
    document: { kind: 'pdf', pages: 1, declaredTitle: 'Fens', language: 'en', cut: false },
  });
});

test('all text is main text, and no wall, thread or product is seen in it', async () => {
  const lines = ['Home', 'Log in to continue', 'Please enable JavaScript and cookies', 'Price: 20 EUR', 'Posted by Ann on 3 May 2019'];
  const { text, otherText, wall, posts, product } = extractor.extract(await opened([{ texts: pdfLines(lines) }]));
  expect(text.split(/\s+/)).toEqual(lines.join(' ').split(' '));
  expect({ otherText, wall, posts, product }).toEqual({ otherText: '', wall: undefined, posts: undefined, product: undefined });
});

test('Markdown and blocks of a document', async () => {
  const page = await opened([
    {
      texts: [{ x: 50, y: 780, text: 'Bogs', size: 20 }, ...pdfLines(['see the map of it'])],
      links: [{ at: [70, 695, 105, 712], uri: 'map.html' }],
    },
  ]);
  expect(extractor.extractMarkdown(page, { links: true }).markdown).toContain('see [the map](http://fens.example/a/map.html) of it');
  expect(extractor.extract(page).outlinks).toMatchObject([
    { url: 'http://fens.example/a/map.html', anchorText: 'the map', zone: 'content' },
  ]);
  expect(extractor.explain(page).explanation).not.toBeNull();
});
