import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl, ledger, openModel, records } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trainedOnce } from '../../support/trained-once.ts';
import { zipFile } from '../../support/zip-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-services-'));
const API = {
  openapi: '3.0.0',
  info: { title: 'Dykes of the fen', version: '2' },
  servers: [{ url: 'https://fen.example/v2' }],
  paths: { '/dykes': { get: { summary: 'List dykes of the fen' }, post: { summary: 'Dig a dyke' } } },
};
const WSDL =
  '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><portType name="Fen"><operation name="GetPeat"><documentation>Peat of a fen</documentation></operation></portType></definitions>';
const LETTER = zipFile([
  { name: '[Content_Types].xml', data: '' },
  {
    name: 'word/document.xml',
    data: '<w:document><w:body><w:p><w:r><w:t>A letter on the peat of the fen.</w:t></w:r></w:p></w:body></w:document>',
  },
]);
const FILES: Readonly<Record<string, readonly [type: string, body: Uint8Array | string]>> = {
  '/': [
    'text/html',
    '<title>Fen</title><p>The fen and its peat.</p><a href=api>description of the fen</a> <a href="s?wsdl">service of the fen</a> <a href=letter.docx>letter</a> <a href=data>data</a>',
  ],
  '/api': ['application/json', JSON.stringify(API)],
  '/s?wsdl': ['text/xml', WSDL],
  '/letter.docx': ['application/octet-stream', LETTER],
  '/data': ['application/json', '{"fen":"peat","swagger":"2.0 is a word here"}'],
};
let server: Server;
let host = '';

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const [type, body] = FILES[url] ?? ['', ''];
    return response.writeHead(type === '' ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

test('a rule keeps descriptions of services alone, each with its operations', async () => {
  const topic = await trainedOnce({ examples: [], keywords: 'fen', rule: 'type:openapi, type:wsdl AND model', out: join(dir, 'topic') });
  const crawlDir = join(dir, 'crawl');
  await crawl({
    dir: crawlDir,
    topic,
    seeds: [`${host}/`],
    allowPrivate: true,
    delay: 0,
    scope: ['host:127.0.0.1'],
    documents: ['openapi', 'wsdl', 'docx'],
  });
  const ends: Record<string, string> = {};
  for await (const { url, state } of ledger(crawlDir)) ends[url.slice(host.length)] = state;
  expect(ends).toMatchObject({ '/': 'off-topic', '/api': 'kept', '/s?wsdl': 'kept', '/letter.docx': 'off-topic', '/data': 'refused' });
  const apis: Record<string, unknown> = {};
  for await (const record of records(crawlDir)) apis[record.url.slice(host.length)] = record.document?.api;
  expect(apis).toEqual({
    '/api': {
      name: 'Dykes of the fen',
      version: '2',
      operations: [
        { method: 'GET', path: '/dykes', summary: 'List dykes of the fen' },
        { method: 'POST', path: '/dykes', summary: 'Dig a dyke' },
      ],
      endpoints: ['https://fen.example/v2'],
    },
    '/s?wsdl': { name: 'Fen', version: null, operations: [{ method: 'SOAP', path: 'GetPeat', summary: 'Peat of a fen' }], endpoints: [] },
  });
  const model = await openModel(topic);
  const known = { title: 'Dykes', text: 'The fen and its dykes, peat and moss.' };
  expect(model.judge({ ...known, document: { kind: 'openapi' } }).relevance).toBeGreaterThan(0.5);
  expect(model.judge(known).relevance).toBe(0);
}, 60_000);
