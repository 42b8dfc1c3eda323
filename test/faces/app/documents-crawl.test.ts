import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type CorpusRecord, crawl, extract, extractPages, harvest, ledger, records, search, status, verify } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openZip } from '../../../src/reading/documents/zip-reader.ts';
import { pdfLines, writePdf } from '../../support/pdf-writer.ts';
import { trainedOnce } from '../../support/trained-once.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-documents-'));
const paper = writePdf(
  [
    {
      texts: [
        { x: 50, y: 780, text: 'Dykes of the fen', size: 20 },
        ...pdfLines(['The dyke drains the fen, and the peat sinks behind it.']),
      ],
    },
    { texts: pdfLines(['A windmill lifts the water of the dyke.']), links: [{ at: [50, 690, 300, 712], uri: 'behind.html' }] },
  ],
  { info: { Title: 'Microsoft Word - dykes.doc', Author: 'Ada Fenn' } },
);
const PDF = 'application/pdf';
const FILES: Readonly<Record<string, readonly [type: string, body: Buffer | string]>> = {
  '/': [
    'text/html',
    '<title>Fens</title><p>The fen and its peat, drained by a dyke.</p><a href=paper.pdf>paper on the dyke</a> <a href="get?n=1">the same</a> <a href=scan.pdf>scan</a> <a href=locked.pdf>locked</a> <a href=broken.pdf>broken</a> <a href=letter.docx>letter</a> <a href=big.pdf>big</a> <a href=login.pdf>login</a> <a href="notes?n=2">notes</a> <a href=report>a report on peat</a> <a href=service>the service of the dyke</a>',
  ],
  '/paper.pdf': [PDF, paper],
  '/get?n=1': ['application/octet-stream', writePdf([{ texts: pdfLines(['Peat and dyke, by another name.']) }])],
  '/scan.pdf': [PDF, writePdf([{ texts: [] }, { texts: [] }])],
  '/locked.pdf': [PDF, writePdf([{ texts: pdfLines(['fen']) }], { encrypted: true })],
  '/broken.pdf': [PDF, '%PDF-1.5 and no more'],
  '/big.pdf': [PDF, ''],
  '/login.pdf': [PDF, '<title>Fen login</title><p>The fen archive, its peat and its dyke.'],
  '/notes?n=2': ['application/octet-stream', 'Notes on the fen, its peat and its dyke.'],
  '/report': [PDF, writePdf([{ texts: pdfLines(['A report on the fen, at an address without an ending.']) }])],
  '/service': ['application/json', JSON.stringify({ openapi: '3.0.0', info: { title: 'Dyke levels', version: '2' }, paths: {} })],
  '/behind.html': ['text/html', '<title>Behind</title><p>A page on peat that only the paper links to.'],
};
const asked = new Map<string, string>();
let server: Server;
let host = '';
let topic = '';

beforeAll(async () => {
  server = createServer(({ url = '', headers }, response) => {
    asked.set(url, headers.accept ?? '');
    const file = FILES[url];
    if (file === undefined) return response.writeHead(404).end();
    const length = url === '/big.pdf' ? { 'content-length': 33 * 2 ** 20 } : {};
    return response.writeHead(200, { 'content-type': file[0], ...length }).end(file[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  topic = await trainedOnce({ examples: [], keywords: 'fen OR peat OR dyke', out: join(dir, 'topic') });
}, 60_000);
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

const options = (name: string) => ({
  dir: join(dir, name),
  topic,
  seeds: [`${host}/`],
  allowPrivate: true,
  delay: 0,
  scope: ['host:127.0.0.1'],
});

async function ends(name: string): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for await (const { url, state, reason } of ledger(join(dir, name))) found.push([url.slice(host.length), `${state} ${reason}`.trim()]);
  return Object.fromEntries(found.filter(([path]) => Object.hasOwn(FILES, path)));
}

test('a crawl reads documents if it is asked to: each has an outcome, its links are followed, and its record has its statements', async () => {
  await crawl({ ...options('with'), documents: ['pdf'] });
  expect(await ends('with')).toEqual({
    '/': 'kept',
    '/paper.pdf': 'kept',
    '/get?n=1': 'kept',
    '/scan.pdf': 'refused no-text:2',
    '/locked.pdf': 'refused encrypted',
    '/broken.pdf': 'failed decode',
    '/big.pdf': 'refused too-large',
    '/login.pdf': 'kept',
    '/notes?n=2': 'refused content-type',
    '/report': 'kept',
    '/service': 'refused content-type',
    '/behind.html': 'kept',
  });
  expect(asked.get('/paper.pdf')).toContain('application/pdf');
  const kept: CorpusRecord[] = [];
  for await (const record of records(join(dir, 'with'))) kept.push(record);
  const record = kept.find(({ url }) => url.endsWith('/paper.pdf'));
  expect(record).toMatchObject({
    title: 'Dykes of the fen',
    metadata: { authors: ['Ada Fenn'] },
    payloadSha256: createHash('sha256').update(paper).digest('hex'),
    document: { kind: 'pdf', pages: 2, declaredTitle: 'Microsoft Word - dykes.doc', cut: false },
  });
  expect(record?.text.slice(record.document?.pageOffsets[1])).toBe('A windmill lifts the water of the dyke.');
  expect((await extract(paper, { type: 'pdf', url: `${host}/paper.pdf` })).text).toBe(record?.text);
}, 60_000);

test('a document at a URL is extracted as one on the disk', async () => {
  const found = [];
  for await (const page of extractPages(`${host}/paper.pdf`, { fetch: { allowPrivate: true, delay: 0 } })) found.push(page);
  expect(found).toMatchObject([{ extraction: { title: 'Dykes of the fen', document: { kind: 'pdf', pages: 2 } } }]);
});

test('without the option they are refused and counted, until a later run asks for them', async () => {
  await crawl(options('without'));
  expect(await ends('without')).toMatchObject({
    '/paper.pdf': 'refused content-type',
    '/get?n=1': 'refused content-type',
    '/report': 'refused content-type:pdf',
    '/service': 'refused content-type',
  });
  expect((await status(join(dir, 'without'))).documents).toEqual({
    kinds: [
      { kind: 'pdf', files: 7 },
      { kind: 'docx', files: 1 },
    ],
    noText: { documents: 0, pages: 0 },
  });
  await crawl({ dir: join(dir, 'without'), documents: ['pdf'] });
  expect(await ends('without')).toMatchObject({
    '/paper.pdf': 'kept',
    '/get?n=1': 'kept',
    '/scan.pdf': 'refused no-text:2',
    '/report': 'kept',
    '/service': 'refused content-type',
    '/behind.html': 'kept',
  });
  asked.clear();
  await crawl({ dir: join(dir, 'without'), documents: 'all' });
  expect(await ends('without')).toMatchObject({ '/report': 'kept', '/service': 'kept' });
  expect(asked.has('/report')).toBe(false);
  expect((await verify({ dir: join(dir, 'without') })).faults).toBe(0);
  asked.clear();
  await crawl({ dir: join(dir, 'without') });
  expect([...asked.keys()].filter((path) => path !== '/robots.txt')).toEqual([]);
  expect((await status(join(dir, 'without'))).documents.noText).toEqual({ documents: 1, pages: 2 });
}, 60_000);

test('a harvest has the pages of documents in chunks, tables and TEI, and the bytes as received', async () => {
  const out = join(dir, 'harvest');
  await harvest({ dir: join(dir, 'with'), out, formats: ['jsonl', 'chunks', 'tei', 'csv', 'sqlite', 'warc', 'wacz'], chunk: 20 });
  const chunks = readFileSync(join(out, 'chunks.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ url }) => String(url).endsWith('paper.pdf'));
  expect(chunks.map(({ pageNumber }) => pageNumber)).toEqual([1, 2]);
  const tei = readFileSync(join(out, 'corpus.tei.xml'), 'utf8');
  expect(tei).toMatch(/<pb n="1"\/>\s*<div>\s*<head>Dykes of the fen<\/head>/);
  expect(tei).toMatch(/<pb n="2"\/>\s*<p><ref[^>]*>A windmill/);
  const { hits } = await search({ corpus: out, query: 'windmill' });
  expect(hits.map(({ pageNumber }) => pageNumber)).toEqual([2]);
}, 60_000);

test('the index of the WACZ leads to the bytes of each document as they were received', async () => {
  const zip = openZip(readFileSync(join(dir, 'harvest', 'corpus.wacz')));
  const part = (name: string) => {
    const content = zip.kind === 'open' ? zip.archive.read(name) : zip;
    if (content.kind !== 'read') throw new Error(`${name}: ${content.kind}`);
    return Buffer.from(content.bytes);
  };
  const lines = part('indexes/index.cdx').toString().split('\n');
  const found = lines.flatMap((line) => {
    const [, json] = /^\S+ \d+ (\{.*\})$/.exec(line) ?? [];
    return json === undefined ? [] : [JSON.parse(json) as { url: string; filename: string; offset: string; length: string }];
  });
  for (const path of ['/paper.pdf', '/get?n=1', '/report']) {
    const entry = found.find(({ url }) => url === host + path);
    const record = gunzipSync(
      part(`archive/${entry?.filename}`).subarray(Number(entry?.offset), Number(entry?.offset) + Number(entry?.length)),
    );
    expect([path, record.includes(FILES[path]?.[1] ?? '')]).toEqual([path, true]);
  }
});
