import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { htmlAnswer } from '../../../datasets/page-source.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { FileCorpusWriter } from '../../../src/corpus/records/corpus-writer.ts';
import { archiveFiles } from '../../../src/crawling/archive/archive-files.ts';
import { ArchiveIndex } from '../../../src/crawling/archive/archive-index.ts';
import { ArchivedResponses } from '../../../src/crawling/archive/archived-response.ts';
import { type ArchiveFile, readSources } from '../../../src/crawling/archive/read-sources.ts';
import { appendRendered, appScript, renderedOf, SHELL } from '../../corpus/records/rendered-samples.ts';
import { INFO } from '../../corpus/records/samples.ts';
import { digestOf, type WrittenRecord, writtenRecord } from '../../support/recorded-web.ts';
import { zipFile } from '../../support/zip-file.ts';

let dir = '';
const warnings: string[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-archive-'));
  warnings.length = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const path = (name: string) => join(dir, name);
const at = (text: string) => canonicalize(text) as CanonicalUrl;
const page = (url: string, date: string, text: string, more: Partial<WrittenRecord> = {}): WrittenRecord => ({
  ...{ url, date, answer: htmlAnswer(`<p>${text}`) },
  ...more,
});

function file(name: string, ...parts: readonly Uint8Array[]): string {
  writeFileSync(path(name), Buffer.concat(parts));
  return path(name);
}

const written = (gzip: boolean, ...records: readonly WrittenRecord[]) => Promise.all(records.map((record) => writtenRecord(record, gzip)));

async function opened(...given: readonly string[]): Promise<{ index: ArchiveIndex; files: readonly ArchiveFile[] }> {
  const index = new ArchiveIndex(path('index'));
  const options = { signal: new AbortController().signal, onProgress: () => undefined, warn: (message: string) => warnings.push(message) };
  try {
    return { index, files: await readSources(index, { ...(await archiveFiles(given)), remote: null }, options) };
  } catch (error) {
    await index.close();
    throw error;
  }
}

/** Bodies that an archive answers with, by URL. @param date null for the newest */
async function answered(given: readonly string[], date: string | null, ...urls: readonly string[]): Promise<(string | null)[]> {
  const { index, files } = await opened(...given);
  const responses = new ArchivedResponses(index, files, date === null ? null : Date.parse(date), () => Promise.reject(new Error('remote')));
  const found: (string | null)[] = [];
  for (const url of urls) {
    const response = await responses.find(at(url));
    found.push(
      response && `${response.status} ${Buffer.from(response.body).toString()} ${new Date(response.at).toISOString().slice(0, 10)}`,
    );
  }
  await index.close();
  return found;
}

const A = 'http://a.example/';
const THREE = [page(A, '1999-01-01T00:00:00Z', 'old'), page(A, '2004-01-01T00:00:00Z', 'middle'), page(A, '2010-01-01T00:00:00Z', 'new')];

test.each([
  [null, '200 <p>new 2010-01-01'],
  ['2004-05-01', '200 <p>middle 2004-01-01'],
  ['2001-07-04', '200 <p>middle 2004-01-01'],
  ['2001-07-01', '200 <p>old 1999-01-01'],
  ['1980', '200 <p>old 1999-01-01'],
  ['2099', '200 <p>new 2010-01-01'],
])('of several captures, the one nearest to %s answers', async (date, expected) => {
  const warc = file('a.warc.gz', ...(await written(true, ...THREE)));
  expect(await answered([warc], date, A, 'http://a.example/other')).toEqual([expected, null]);
});

test('the captures of a URL come nearest first, from all files', async () => {
  const [old, middle, young] = await written(true, ...THREE);
  const files = [file('1.warc.gz', middle ?? Buffer.alloc(0)), file('2.warc.gz', old ?? Buffer.alloc(0), young ?? Buffer.alloc(0))];
  const { index } = await opened(...files);
  const years = (date: string | null) =>
    [...index.find(at(A), date === null ? null : Date.parse(date))].map((one) => new Date(one.at).getUTCFullYear());
  expect([years(null), years('2000'), years('2008')]).toEqual([
    [2010, 2004, 1999],
    [1999, 2004, 2010],
    [2010, 2004, 1999],
  ]);
  await index.close();
});

test('a plain WARC file, one in a WACZ, and a folder of files are read alike', async () => {
  const records = [page(A, '2004-01-01T00:00:00Z', 'a'), page('http://b.example/', '2004-01-01T00:00:00Z', 'b')];
  const plain = file('plain.warc', ...(await written(false, ...records)));
  const wacz = file(
    'web.wacz',
    zipFile([
      { name: 'indexes/index.cdx', data: 'no index' },
      { name: 'archive/data.warc.gz', data: Buffer.concat(await written(true, ...records)), stored: true },
      { name: 'pages/pages.jsonl', data: 'x'.repeat(200_000), stored: true },
    ]),
  );
  for (const given of [plain, wacz]) {
    expect(await answered([given], null, A, 'http://b.example/')).toEqual(['200 <p>a 2004-01-01', '200 <p>b 2004-01-01']);
    rmSync(path('index'), { recursive: true });
  }
  await expect(answered([dir], null, A)).resolves.toEqual(['200 <p>a 2004-01-01']);
});

test('a revisit has the body of its original: by URL and time, by its digest, or of the version before if the server said 304', async () => {
  const { answer } = page(A, '', 'body');
  const empty = { ...answer, body: Buffer.from('') };
  const revisit = (url: string, status: number, fields: Record<string, string>): WrittenRecord => ({
    ...{ url, date: '2005-01-01T00:00:00Z', type: 'revisit', answer: { ...empty, status } },
    fields,
  });
  const same = {
    'WARC-Payload-Digest': digestOf(answer.body),
    'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  };
  const B = 'http://b.example/';
  const C = 'http://c.example/';
  const D = 'http://d.example/';
  const warc = file(
    'a.warc.gz',
    ...(await written(
      true,
      { url: A, date: '2004-01-01T00:00:00Z', answer },
      { url: C, date: '2004-01-01T00:00:00Z', answer },
      revisit(A, 200, same),
      revisit(B, 200, {
        ...same,
        'WARC-Payload-Digest': 'sha1:OTHER',
        'WARC-Refers-To-Target-URI': A,
        'WARC-Refers-To-Date': '2004-01-01T00:00:00Z',
      }),
      revisit(C, 304, {
        'WARC-Payload-Digest': 'sha1:NONE',
        'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/server-not-modified',
      }),
      revisit(D, 200, { ...same, 'WARC-Payload-Digest': 'sha1:LOST' }),
    )),
  );
  const body = '200 <p>body 2005-01-01';
  expect(await answered([warc], null, A, B, C, D)).toEqual([body, body, body, null]);
});

test('a chunked body is read without its frames, and a resource without HTTP is an answer', async () => {
  const chunked = { status: 200, headers: { 'transfer-encoding': 'chunked' }, body: Buffer.from('3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n') };
  const resource = page('http://r.example/', '2004-01-01T00:00:00Z', 'file', { type: 'resource', fields: { 'Content-Type': 'text/html' } });
  const warc = file('a.warc.gz', ...(await written(true, { url: A, date: '2004-01-01T00:00:00Z', answer: chunked }, resource)));
  expect(await answered([warc], null, A, 'http://r.example/')).toEqual(['200 abcde 2004-01-01', '200 <p>file 2004-01-01']);
});

test('damaged members are counted, told and skipped, in compressed and in plain files', async () => {
  const records = Array.from({ length: 40 }, (_, i) =>
    page(`http://a.example/${i}`, '2004-01-01T00:00:00Z', `page ${i} ${'word '.repeat(200)}`),
  );
  for (const gzip of [true, false]) {
    const parts = await written(gzip, ...records);
    const broken = parts.map((part, i) => (i % 8 === 3 ? Buffer.concat([part.subarray(0, part.length / 2), Buffer.from('damage')]) : part));
    const warc = file(gzip ? 'd.warc.gz' : 'd.warc', ...broken);
    const { index } = await opened(warc);
    const found = records.filter(({ url }) => [...index.find(at(url), null)].length > 0).length;
    expect([found >= 34, index.sources[0]?.captures]).toEqual([true, found]);
    expect(index.sources[0]?.damaged).toBeGreaterThan(0);
    expect(warnings.length).toBeGreaterThan(0);
    await index.close();
    rmSync(path('index'), { recursive: true });
  }
});

test('a file that is one gzip member is refused with what to do', async () => {
  const warc = file('whole.warc.gz', gzipSync(Buffer.concat(await written(false, ...THREE))));
  await expect(opened(warc)).rejects.toThrow(/whole\.warc\.gz: is compressed as a whole, .* warcio recompress/);
});

test.each([
  ['nothing.warc.gz', Buffer.from('not a warc'), /has no record of a page/],
  ['empty.wacz', zipFile([{ name: 'a.txt', data: 'x' }]), /has no WARC files in its folder archive/],
  ['packed.wacz', zipFile([{ name: 'archive/a.warc.gz', data: 'x'.repeat(99) }]), /archive\/a\.warc\.gz is compressed in the ZIP/],
  ['cut.wacz', Buffer.from('PK no zip'), /cut\.wacz: cannot be read/],
  ['a.zip', Buffer.from(''), /a\.zip: not an archive by its name/],
])('%s is refused', async (name, bytes, message) => {
  await expect(opened(file(name, bytes))).rejects.toThrow(message);
});

test('an index of another program is read beside its files: CDXJ, CDX of eleven and nine fields; bad lines are told', async () => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = await written(
    true,
    page(A, '2004-01-01T00:00:00Z', 'a'),
    page('http://b.example/', '2004-01-01T00:00:00Z', 'b'),
  );
  file('data.warc.gz', first, second);
  const [length, offset] = [second.length, first.length];
  const cdxj = `{"url": "http://b.example/", "mime": "text/html", "status": "200", "digest": "sha1:X", "length": "${length}", "offset": "${offset}", "filename": "crawl/data.warc.gz"}`;
  const indexes = [
    `!meta\ncom,b)/ 20040101000000 ${cdxj}\nno line\ncom,b)/ 20040101000000 {"url": "x"\n`,
    ` CDX N b a m s k r M S V g\nb 20040101000000 http://b.example/ text/html 200 X - - ${length} ${offset} data.warc.gz\n`,
    `b 20040101000000 http://b.example/ text/html 200 X - ${offset} data.warc.gz\n`,
  ];
  for (const [i, text] of indexes.entries()) {
    const given = file(`${i}.cdxj${i === 1 ? '.gz' : ''}`, i === 1 ? gzipSync(text) : Buffer.from(text));
    expect(await answered([given], null, A, 'http://b.example/')).toEqual([null, '200 <p>b 2004-01-01']);
    rmSync(path('index'), { recursive: true });
  }
  expect(warnings.map((warning) => warning.replace(dir, ''))).toEqual([
    '/0.cdxj: line 3 has no URL, time, file and place of a record; skipped',
    '/0.cdxj: line 4 has no URL, time, file and place of a record; skipped',
  ]);
  await expect(opened(file('lost.cdxj', Buffer.from(`b 20040101000000 ${cdxj.replace('data.warc', 'gone.warc')}\n`)))).rejects.toThrow(
    /names crawl\/gone\.warc\.gz, which is not beside it/,
  );
});

test('a file is read once: later openings use the index; other files are refused, a moved one is not', async () => {
  const warc = file('a.warc.gz', ...(await written(true, ...THREE)));
  await answered([warc], null, A);
  const moved = path('moved');
  const { mkdirSync, renameSync } = await import('node:fs');
  mkdirSync(moved);
  renameSync(warc, join(moved, 'a.warc.gz'));
  expect(await answered([join(moved, 'a.warc.gz')], null, A)).toEqual(['200 <p>new 2010-01-01']);
  await expect(opened(file('b.warc.gz', ...(await written(true, ...THREE))))).rejects.toThrow(/a\.warc\.gz is missing/);
  writeFileSync(join(moved, 'a.warc.gz'), 'short');
  await expect(opened(join(moved, 'a.warc.gz'))).rejects.toThrow(/has 5 bytes, and had \d+/);
  await expect(opened(path('b.warc.gz'), file('../b.warc.gz', Buffer.from('')))).rejects.toThrow(/two files are named b\.warc\.gz/);
  rmSync(path('../b.warc.gz'));
});

test('a corpus with rendered pages answers with the page as it was sent, and with the files that its scripts ask for', async () => {
  const writer = await FileCorpusWriter.open(path('corpus'), null, INFO);
  appendRendered(writer, [renderedOf('apple', 'Apples keep till May.', appScript())]);
  await writer.close();
  const urls = ['apple', 'app.js', 'api/apple'].map((name) => `http://orchard.example/${name}`);
  expect(await answered([path('corpus')], null, ...urls)).toEqual([
    `200 ${SHELL} 2024-05-06`,
    '200 draw() 2024-05-06',
    '200 {"text":"Apples keep till May."} 2024-05-06',
  ]);
});
