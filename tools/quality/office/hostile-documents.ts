/** Documents that cost as much as they can, or are not what they say. */
import { deflateRawSync } from 'node:zlib';
import type { Bytes } from '../../../src/base/core/types.ts';
import { zipFile } from '../../../test/support/zip-file.ts';

export interface HostileDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Media type and path that come with it. */
  readonly mime: string;
  readonly path: string;
  /** Kind that is told, or null, and outcomes that are right: `document`, `refused: encrypted`. */
  readonly kind: string | null;
  readonly outcomes: readonly string[];
}

const MB: Bytes = 1024 * 1024;
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT = 'application/vnd.oasis.opendocument.text';
const word = (body: string) => `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`;
const para = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const odt = (body: string) =>
  `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
const docxOf = (xml: string | Uint8Array, more: Parameters<typeof zipFile>[0] = []) =>
  zipFile([{ name: '[Content_Types].xml', data: '<Types/>' }, { name: 'word/document.xml', data: xml }, ...more]);
const odtOf = (xml: string, more: Parameters<typeof zipFile>[0] = []) =>
  zipFile([{ name: 'mimetype', data: ODT, stored: true }, { name: 'content.xml', data: xml }, ...more]);
const FAILED = ['failed: decode'];
const ENCRYPTED = ['refused: encrypted'];

function docx(name: string, bytes: Uint8Array, outcomes: readonly string[], kind: string | null = 'docx'): HostileDocument {
  return { name, bytes, mime: DOCX, path: '/a.docx', kind, outcomes };
}

/** The table, made anew at each call: some rows are large. */
export function* hostileDocuments(): Generator<HostileDocument> {
  yield* bombs();
  yield* refused();
  yield* misnamed();
}

function* bombs(): Generator<HostileDocument> {
  yield docx('100 MB of zeros in 100 KB', docxOf(Buffer.alloc(100 * MB)), FAILED);
  yield docx(
    'an entry larger than it says',
    zipFile([
      { name: '[Content_Types].xml', data: '' },
      { name: 'word/document.xml', data: Buffer.alloc(70 * MB), size: 1000 },
    ]),
    FAILED,
  );
  const shared = deflateRawSync(Buffer.alloc(60 * MB));
  const parts = Array.from({ length: 100 }, (_, i) => ({
    name: `word/${i}.xml`,
    data: shared,
    stored: true,
    method: 8,
    size: 60 * MB,
    offset: 0,
  }));
  yield docx('entries that share their bytes', docxOf(word(para('x')), parts), FAILED, null);
  yield docx('60 MB of paragraphs', docxOf(word(para('x').repeat((60 * MB) / para('x').length))), ['document']);
  yield docx('60 MB in one word', docxOf(word(para('x'.repeat(60 * MB)))), ['document']);
  yield docx('60 MB in one tag', docxOf(word(`<w:p ${'a="b" '.repeat(10 * MB)}>`)), ['document', 'refused: no-text']);
  yield docx('a million elements in each other', docxOf(word('<w:tbl>'.repeat(MB))), ['document', 'refused: no-text']);
  yield docx(
    'entities that double 30 times',
    docxOf(
      `<!DOCTYPE x [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`).join('')}]>${word(para('&a30;'))}`,
    ),
    ['document'],
  );
  yield docx('an external entity', docxOf(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${word(para('&e;'))}`), ['document']);
  yield docx('a comment without end', docxOf(`${word(para('x')).slice(0, -30)}<!--${'-'.repeat(20 * MB)}`), ['document']);
  yield docx(
    '100,000 notes to each other',
    docxOf(word('<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'.repeat(100_000)), [
      {
        name: 'word/footnotes.xml',
        data: `<w:footnotes>${Array.from({ length: 100_000 }, (_, i) => `<w:footnote w:id="${i}"><w:p><w:r><w:footnoteReference w:id="${i + 1}"/></w:r></w:p></w:footnote>`).join('')}</w:footnotes>`,
      },
    ]),
    ['document'],
  );
  yield {
    ...docx(
      '100,000 lists in each other',
      odtOf(odt('<text:list><text:list-item>'.repeat(100_000))),
      ['document', 'refused: no-text'],
      'odt',
    ),
    mime: ODT,
    path: '/a.odt',
  };
  yield {
    ...docx('a hundred million spaces', odtOf(odt('<text:p>a<text:s text:c="100000000"/>b</text:p>'.repeat(1000))), ['document'], 'odt'),
    mime: ODT,
    path: '/a.odt',
  };
  yield {
    ...docx(
      'aliases of aliases in YAML',
      Buffer.from(
        `openapi: 3.0.0\ninfo: {title: x}\na: &a [x, x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]\n`).join('')}`,
      ),
      FAILED,
      'openapi',
    ),
    mime: 'application/yaml',
    path: '/a.yaml',
  };
  yield {
    ...docx('8 MB of YAML', Buffer.from(`openapi: 3.0.0\ninfo: {title: x}\nx:\n${'- {a: b}\n'.repeat(MB)}`), ['document'], 'openapi'),
    mime: 'application/yaml',
    path: '/a.yaml',
  };
  yield {
    ...docx(
      '8 MB of brackets in JSON',
      Buffer.from(`{"openapi":"3.0.0","info":{"title":"x"},"x":${'['.repeat(8 * MB)}`),
      FAILED,
      'openapi',
    ),
    mime: 'application/json',
    path: '/a.json',
  };
  yield {
    ...docx(
      'a feed of 500,000 items',
      Buffer.from(`<rss><channel><title>x</title>${'<item><title>a</title></item>'.repeat(500_000)}`),
      ['document'],
      'feed',
    ),
    mime: 'application/rss+xml',
    path: '/a.rss',
  };
}

function* refused(): Generator<HostileDocument> {
  yield docx(
    'encrypted by Word',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000), Buffer.from('EncryptedPackage', 'utf16le')]),
    ENCRYPTED,
  );
  yield docx(
    'encrypted by a ZIP program',
    zipFile([
      { name: '[Content_Types].xml', data: '' },
      { name: 'word/document.xml', data: word(para('x')), flags: 1 },
    ]),
    ENCRYPTED,
  );
  const manifest = '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>';
  yield {
    ...docx('encrypted by LibreOffice', odtOf('x', [{ name: 'META-INF/manifest.xml', data: manifest }]), ENCRYPTED, 'odt'),
    mime: ODT,
  };
  yield docx('no bytes', new Uint8Array(), FAILED, null);
  yield docx('no text', docxOf(word(para(''))), ['refused: no-text']);
  const whole = docxOf(word(para('text '.repeat(1000))));
  for (let part = 1; part < 10; part += 1) yield docx(`the first ${part} tenths`, whole.subarray(0, (whole.length * part) / 10), FAILED);
}

function* misnamed(): Generator<HostileDocument> {
  const file = docxOf(word(para('x')));
  yield { ...docx('Word as PDF', file, ['document']), mime: 'application/pdf', path: '/a.pdf' };
  yield { ...docx('Word as a page', file, ['document']), mime: 'text/html', path: '/' };
  yield docx('OpenDocument as Word', odtOf(odt('<text:p>x</text:p>')), ['document'], 'odt');
  yield docx('a page as Word', Buffer.from('<!doctype html><p>x'), FAILED, null);
  yield docx(
    'a spreadsheet as Word',
    zipFile([
      { name: '[Content_Types].xml', data: '' },
      { name: 'xl/workbook.xml', data: '' },
    ]),
    FAILED,
    null,
  );
  yield docx('an archive as Word', zipFile([{ name: 'readme.txt', data: 'x' }]), FAILED, null);
}
