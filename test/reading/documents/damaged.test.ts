import { expect, test } from 'vitest';
import { DOCUMENT_KINDS } from '../../../src/reading/documents/document-kinds.ts';
import { mutated } from '../../../tools/quality/office/mutated-documents.ts';
import { SAMPLES } from '../../../tools/quality/office/typed-samples.ts';
import { runs } from '../../support/extent.ts';
import { readWith, zipOf } from './documents.ts';

const XHTML =
  '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Bog</h1><p id="a">Peat <a href="#a">here</a><br/><b>moss</b></p></body></html>';
const FILES: Readonly<Record<string, readonly Uint8Array[]>> = {
  ...Object.fromEntries(Object.entries(SAMPLES).map(([name, texts]) => [name, texts.map((text) => Buffer.from(text))])),
  epub: [
    zipOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
      'a.opf':
        '<package><metadata><dc:title>Bog</dc:title><dc:creator>Ada</dc:creator></metadata><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
      'a.xhtml': XHTML,
    }),
  ],
  docx: [
    zipOf({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml':
        '<w:document><w:body><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Bog</w:t></w:r></w:p><w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr></w:pPr><w:r><w:t>moss</w:t><w:footnoteReference w:id="1"/></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>',
      'word/styles.xml': '<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/><w:basedOn w:val="H"/></w:style></w:styles>',
      'word/footnotes.xml': '<w:footnotes><w:footnote w:id="1"><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote></w:footnotes>',
    }),
  ],
  odt: [
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<office:document-content><office:body><office:text><text:h text:outline-level="1">Bog</text:h><text:list><text:list-item><text:p>moss<text:s text:c="3"/><text:note><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p></text:list-item></text:list></office:text></office:body></office:document-content>',
    }),
  ],
};

test.each(DOCUMENT_KINDS.filter(({ name }) => name in FILES))('a damaged file of kind $name has an outcome', async (kind) => {
  const files = FILES[kind.name] ?? [];
  const kinds = new Set<string>();
  for (let seed = 0; seed < runs(300); seed += 1) {
    const bytes = mutated(files[seed % files.length] ?? new Uint8Array(), seed);
    expect([true, false, 'maybe']).toContain(kind.looksLike(bytes));
    const reading = await readWith(kind, bytes);
    kinds.add(reading.kind);
    if (reading.kind === 'document') expect(reading.html.endsWith('</body></html>')).toBe(true);
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['document', 'failed']));
});
