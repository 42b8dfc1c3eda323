/** Inputs that are no pages: lists of addresses in all their forms, documents of offices, empty files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readInput } from '../../../src/crawling/input/inputs.ts';
import { readSeeds } from '../../../src/crawling/input/url-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-inputs-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
}

async function read(input: string): Promise<{ readonly pages: number; readonly warnings: string[]; readonly error: string | null }> {
  const warnings: string[] = [];
  let pages = 0;
  try {
    for await (const _ of readInput(input, { warn: (message) => warnings.push(message) })) pages += 1;
    return { pages, warnings, error: null };
  } catch (error) {
    return { pages, warnings, error: error instanceof Error ? error.message : String(error) };
  }
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test.each<readonly [what: string, name: string, content: string | Buffer]>([
  ['hosts and paths', 'a.txt', 'www.gpsbabel.example/htmldoc/filter.html\ngrass.osgeo.org/grass82/manuals/r.watershed.html\n'],
  ['one host', 'b.txt', 'www.example.org'],
  ['comments and blank lines between', 'c.txt', '# my list\n\n  www.river-history.org  # floods\n\nwww.bog.org/moss\n'],
  ['line ends of Windows', 'd.txt', 'www.example.org/a\r\nwww.example.org/b\r\n'],
  ['line ends of old Macs', 'e.txt', 'www.example.org/a\rwww.example.org/b\r'],
  ['a byte order mark', 'f.txt', '\ufeffexample.org/a\nexample.net/b\n'],
  ['UTF-16 with a mark', 'g.txt', utf16('\ufeffexample.org/a\r\nexample.net/b\r\n')],
  ['UTF-16 without one', 'h.txt', utf16('example.org/a\r\nexample.net/b\r\n')],
  ['a CSV with a column of hosts', 'i.csv', 'name,host,city\nGRASS GIS,grass.osgeo.org,Trento\n"River Trust",www.rivers.org.uk,Bath\n'],
  ['a table with one line', 'j.csv', 'title;url\nMoss;moss.example.org\n'],
  ['tab-separated', 'k.tsv', 'example.org\tgood\nexample.net/x\tbad\n'],
  ['a Markdown list', 'l.md', '# Links\n\n- [River history](www.rivers.org/history)\n* [Bogs](bogs.example.de)\n1. <fens.example.com>\n'],
  ['IDN hosts', 'm.txt', 'bücher.example\nxn--bcher-kva.de/moos\nпример.рф/мох\n例え.jp\n'],
  ['ports and addresses', 'n.txt', 'localhost:8080\n192.0.2.7/a\nintranet.local:81/wiki\n'],
  ['no ending at all', 'links', 'cola.gmu.edu/grads\ngeographiclib.sourceforge.io/doc\n'],
  ['schemes written wrong', 'o.txt', 'htp://example.org/a\nhttps//example.net/b\nhttp:/example.com\n//cdn.example.org/c\n'],
  ['some with a scheme, later', 'p.txt', 'www.example.org\nhttp://www.example.net/b\nexample.com\n'],
  ['quoted and with commas', 'q.txt', '"example.org",\n"example.net",\n'],
])('a list of URLs without http:// is refused with what to do: %s', async (_, name, content) => {
  const { pages, error } = await read(file(name, content));
  expect(pages).toBe(0);
  expect(error).toMatch(/looks like URLs without http:\/\/ \(line \d+: .+\); write one URL a line, with its scheme, e\.g\. https:\/\/\S+$/);
});

test('a list that begins with URLs is read as one; its other lines are named, with the remedy', async () => {
  const mixed = file('mixed.txt', 'http://a.example/\nwww.gpsbabel.org/x\n\nhttps://b.example/ # fine\nnonsense here\n');
  const { error } = await read(mixed);
  expect(error).toContain('not http(s) URLs: line 2: www.gpsbabel.org/x; line 5: nonsense here');
  expect(error).toMatch(/some look like URLs without http:\/\/, write the scheme too, e\.g\. https:\/\/www\.gpsbabel\.org\/x$/);
  expect(() => readSeeds([file('tabs.txt', 'http://a.example/\thost\n')])).toThrow('write nothing but the URL on each line');
  expect(() => readSeeds([file('spaces.txt', 'http://a.example/page A nice page\n')])).toThrow('line 1: http://a.example/page A nice page');
});

test('a URL of another scheme is not one without http://', async () => {
  const { error } = await read(file('ftp.txt', 'ftp://a.example.org/\nFTP://b.example.org/x\n'));
  expect(error).toMatch(/not http\(s\) \(line 1: ftp:\/\/a\.example\.org\/\); write one http\(s\) URL a line$/);
  expect(() => readSeeds([file('ftp-seeds.txt', 'http://a.example/\nftp://b.example/\n')])).toThrow(
    /not http\(s\) URLs: line 2: ftp:\/\/b\.example\/; mend or delete these lines$/,
  );
  expect(() => readSeeds([file('both.txt', 'ftp://b.example/\nc.example/x\n')])).toThrow(
    /without http:\/\/.+ e\.g\. https:\/\/c\.example\/x$/,
  );
});

test('seeds: comments behind URLs, byte order marks and UTF-16 are read', () => {
  expect(readSeeds([file('s1.txt', '\ufeffhttp://a.example/#top # comment\r\nhttp://b.example/x\r')])).toEqual([
    'http://a.example/',
    'http://b.example/x',
  ]);
  expect(readSeeds([file('s2.txt', utf16('\ufeffhttp://a.example/\r\n'))])).toEqual(['http://a.example/']);
  expect(readSeeds([file('s3.txt', utf16('http://a.example/\n').swap16())])).toEqual(['http://a.example/']);
});

test.each([
  ['grass.osgeo.org', 'did you mean https://grass.osgeo.org?'],
  ['grass.osgeo.org/grass82/', 'did you mean https://grass.osgeo.org/grass82/?'],
  ['bücher.de', 'did you mean https://bücher.de?'],
  ['localhost:8080/a', 'did you mean https://localhost:8080/a?'],
  ['htp://example.org/a', 'did you mean https://example.org/a?'],
  ['seeds.txt', 'give a URL, or a file with one URL a line'],
  ['reading.md', 'give a URL, or a file with one URL a line'],
  ['moss', 'give a URL, or a file with one URL a line'],
])('a seed that is no URL and no file: %s', async (seed, remedy) => {
  expect(() => readSeeds([seed])).toThrow(`${seed}: is neither an http(s) URL nor a file; ${remedy}`);
  const { error } = await read(seed);
  expect(error).toContain(remedy.startsWith('did') ? remedy : 'give a folder, a file or an http(s) URL');
});

test.each([
  ['with bare links', 'r.md', '- [Rivers](http://a.example/rivers)\n- [Bogs](https://b.example/)\n'],
  ['in a table', 's.csv', 'name,url\nRivers,http://a.example/rivers\n'],
  ['in brackets', 't.txt', '<http://a.example/>\n<http://b.example/>\n'],
])('a list of links %s says what it looks like', async (_, name, content) => {
  const { error } = await read(file(name, content));
  expect(error).toMatch(/looks like a list of links, not a page \(line \d+: https?:\S+\); write one URL a line and nothing else$/);
});

test.each([
  [
    'prose that names hosts',
    'v.txt',
    `${'The manual at www.example.org explains how rivers and their flood plains changed over time.\n'.repeat(5)}See example.org.\n`,
  ],
  ['versions and abbreviations', 'w.txt', 'e.g.\n1.2.3\netc.\nU.S.A.\n'],
  ['verse', 'x.txt', 'Moss.\nStone.\nRain.\n'],
  ['HTML in a file without an ending', 'y', '<a href="http://a.example/">a.example</a>\n<a href="http://b.example/">b.example</a>\n'],
  [
    'a bibliography',
    'z.txt',
    'Darby, H. C. (1940): The Draining of the Fens. Cambridge, at the press. http://a.example/darby\n\nSmith, J. (1999): Wetlands in Europe and their people since the ice age. http://b.example/smith\n',
  ],
])('a page stays a page: %s', async (_, name, content) => {
  expect(await read(file(name, content))).toMatchObject({ pages: 1, error: null });
});

const zip = (name: string, content = '') => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from(name + content)]);
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

test.each<readonly [name: string, content: Buffer | string, says: string]>([
  ['letter.docx', zip('[Content_Types].xml', '....word/document.xml'), 'is a damaged Word file ('],
  ['letter.html', zip('[Content_Types].xml', '....word/document.xml'), 'is a Word file, which is not read'],
  ['old.doc', Buffer.concat([OLE, Buffer.alloc(600)]), 'is a Word file, which is not read'],
  ['text.odt', zip('mimetype', 'application/vnd.oasis.opendocument.text'), 'is a damaged OpenDocument text ('],
  ['book.epub', zip('mimetype', 'application/epub+zip'), 'is a damaged EPUB ('],
  ['no-ending', zip('mimetype', 'application/epub+zip'), 'is a damaged EPUB ('],
  ['cut.pdf', '%PDF-1.7 cut', 'is a damaged PDF ('],
  ['renamed.pdf', 'only text', 'is named like a PDF, and is none; mend or remove it'],
  ['table.xlsx', zip('[Content_Types].xml', '....xl/workbook.xml'), 'is a spreadsheet, which is not read; save the texts'],
  ['talk.pptx', zip('[Content_Types].xml', '....ppt/presentation.xml'), 'is a presentation, which is not read'],
  ['notes.rtf', '{\\rtf1 moss}', 'is an RTF file, which is not read'],
  ['all.zip', zip('page.html'), 'is an archive, which is not read; unpack it and give the folder'],
  ['noise.bin', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]), 'is binary data, not a page; remove it'],
  ['empty.txt', '', 'empty.txt: is empty'],
  ['blank.html', ' \n\t\n', 'blank.html: is empty'],
])('a file that is no page says what it is: %s', async (name, content, says) => {
  expect((await read(file(name, content))).error).toContain(says);
});

test('a folder of documents: each kind is counted, with what to do', async () => {
  const folder = join(dir, 'documents');
  mkdirSync(folder);
  for (const name of ['a.doc', 'b.DOC', 'c.mobi', 'd.odp', 'e.pptx', 'f.jpg']) writeFileSync(join(folder, name), 'x');
  const { error } = await read(folder);
  expect(error).toContain(
    'has no example pages; 2 Word files are not read; save as HTML or text; an e-book is not read; save as HTML or text; 2 presentations are not read',
  );
  writeFileSync(join(folder, 'page.html'), '<p>moss');
  writeFileSync(join(folder, 'links.txt'), 'www.example.org/a\nwww.example.org/b\n');
  writeFileSync(join(folder, 'nothing.txt'), '');
  const { pages, warnings } = await read(folder);
  expect(pages).toBe(1);
  expect(warnings).toEqual([
    `${folder}: 2 Word files are not read; save as HTML or text`,
    `${folder}: an e-book is not read; save as HTML or text`,
    `${folder}: 2 presentations are not read; save as HTML or text`,
    `${folder}: 1 files of other kinds skipped`,
    expect.stringContaining('looks like URLs without http://'),
    `${join(folder, 'nothing.txt')}: is empty; give a page, or remove it; skipped`,
    `${folder}: 1 pages read, 2 unreadable files or lines skipped`,
  ]);
});

test('pipes and devices are no inputs, whatever their names say', async () => {
  for (const name of ['pipe', 'pipe.txt', 'pipe.html', 'pipe.jsonl', 'pipe.warc.gz']) {
    execFileSync('mkfifo', [join(dir, name)]);
    expect((await read(join(dir, name))).error).toMatch(/is a pipe, not a file/);
  }
  expect((await read('/dev/zero')).error).toContain('it is a device, not a file');
  expect(() => readSeeds([join(dir, 'pipe')])).toThrow('it is a pipe, not a file');
  expect(() => readSeeds(['/dev/zero'])).toThrow('it is a device, not a file');
});
