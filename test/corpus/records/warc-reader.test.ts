import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WARCRecord, WARCSerializer } from 'warcio';
import { DataError } from '../../../src/base/core/errors.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import { dechunked } from '../../../src/corpus/records/http-message.ts';
import { readWarcResponses } from '../../../src/corpus/records/warc-reader.ts';
import { newRecordId, pageMembers } from '../../../src/corpus/records/warc-record.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { collected, drained, freshDir, pageOf, recordOf } from './samples.ts';

interface Sample {
  readonly head?: string;
  readonly body: Uint8Array | string;
  readonly type?: string;
}

/** One uncompressed record, as other tools write them. */
function recordBytes(url: string, { head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html', body, type = 'response' }: Sample): Buffer {
  const block = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]);
  const fields = `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(fields), block, Buffer.from('\r\n\r\n')]);
}

async function fileWith(...parts: Uint8Array[]): Promise<string> {
  const path = join(freshDir(), 'input.warc.gz');
  await writeFile(path, Buffer.concat(parts));
  return path;
}

async function bodiesOf(path: string): Promise<string[]> {
  return (await collected(readWarcResponses(path))).map(({ body }) => Buffer.from(body).toString());
}

const three = ['one', 'two', 'three'].map((body, i) => recordBytes(`http://h.example/${i}`, { body: body.repeat(500) }));
const texts = ['one', 'two', 'three'].map((body) => body.repeat(500));

test('plain, a member for each record, one member for all: the same pages', async () => {
  expect(await bodiesOf(await fileWith(...three))).toEqual(texts);
  expect(await bodiesOf(await fileWith(...three.map((bytes) => gzipSync(bytes))))).toEqual(texts);
  expect(await bodiesOf(await fileWith(gzipSync(Buffer.concat(three))))).toEqual(texts);
  expect(await bodiesOf(await fileWith())).toEqual([]);
});

test('a gzip header with a name, a comment, extra and a checksum is stepped over', async () => {
  const gz = gzipSync(three[0] ?? '');
  const head = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]),
    Buffer.from('name\0comment\0'),
    Buffer.from([9, 9]),
  ]);
  expect(await bodiesOf(await fileWith(head, gz.subarray(10), gz))).toEqual([texts[0], texts[0]]);
});

test('members of all sizes, longer than a read or than is inflated at once, come back to the byte', async () => {
  const rng = seededRng(7);
  const bodies = [10, 60_000, 70_000, 300_000, 3_000_000].flatMap((size) => [
    Buffer.from(Uint8Array.from({ length: size }, () => Math.floor(rng() * 256))),
    Buffer.alloc(size, 'rootstock '),
  ]);
  const path = await fileWith(...bodies.map((body, i) => gzipSync(recordBytes(`http://h.example/${i}`, { body }))));
  const pages = await collected(readWarcResponses(path));
  expect(pages.map(({ body }, i) => Buffer.from(body).equals(bodies[i] ?? Buffer.alloc(0)))).toEqual(new Array(bodies.length).fill(true));
});

test('what another implementation writes is read', async () => {
  const record = WARCRecord.create(
    {
      url: 'http://h.example/w',
      date: '2024-05-06T00:00:00Z',
      type: 'response',
      warcVersion: 'WARC/1.1',
      warcHeaders: {},
      httpHeaders: { 'Content-Type': 'text/html' },
      statusline: 'HTTP/1.1 200 OK',
    },
    (async function* () {
      yield Buffer.from('from warcio');
    })(),
  );
  const path = await fileWith(await WARCSerializer.serialize(record, { gzip: true }));
  const pages = await collected(readWarcResponses(path));
  expect(pages.map(({ url, status, body }) => [url, status, Buffer.from(body).toString()])).toEqual([
    ['http://h.example/w', 200, 'from warcio'],
  ]);
});

test('the pages that a crawl would keep are given; the number and kind of other records is told', async () => {
  const html = (status: string) => `HTTP/1.1 ${status}\r\nContent-Type: text/html`;
  const path = await fileWith(
    recordBytes('http://h.example/a', { body: 'no', head: html('404 Not Found') }),
    recordBytes('http://h.example/b', { body: 'no', head: 'HTTP/1.1 200 OK\r\nContent-Type: image/png' }),
    recordBytes('http://h.example/c', { body: 'no', type: 'request' }),
    recordBytes('http://h.example/d', { body: 'no', head: 'not http' }),
    recordBytes('<http://h.example/e>', { body: 'yes', head: 'HTTP/1.0 200\ncontent-type:  text/plain; charset=x\nX-A: 1\nx-a: 2' }),
    recordBytes('http://h.example/f', { body: '<p>yes', head: 'HTTP/1.1 200 OK\r\nServer: old' }),
    recordBytes('http://h.example/g', { body: '%!PS-Adobe-3.0', head: 'HTTP/1.1 200 OK\r\nServer: old' }),
    recordBytes('http://h.example/h', { body: 'yes', head: html('203 Changed on the way') }),
    recordBytes('http://h.example/i', { body: 'yes', head: html('202 Accepted') }),
    recordBytes('http://h.example/j', { body: 'yes', head: html('299 Own') }),
    recordBytes('http://h.example/k', { body: 'no', head: html('204 No Content') }),
    recordBytes('http://h.example/l', { body: 'no', head: html('404 Not Found') }),
    recordBytes('http://h.example/m', { body: 'no', type: 'revisit' }),
    recordBytes('http://h.example/n', { body: 'yes', head: 'HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html;\r\n\tcharset=utf-8' }),
  );
  const warnings: string[] = [];
  const pages = await collected(readWarcResponses(path, { warn: (message) => warnings.push(message) }));
  expect(pages.map(({ url, status }) => [url.slice(-1), status])).toEqual([
    ['e', 200],
    ['f', 200],
    ['h', 203],
    ['i', 202],
    ['j', 299],
    ['n', 200],
  ]);
  expect(pages[0]?.headers['x-a']).toBe('1, 2');
  expect(warnings).toEqual([
    expect.stringMatching(/at byte \d+ skipped \(not an HTTP response\)/),
    `${path}: records skipped because they are not pages: 2 with status 404, 1 of the type image/png, 1 of binary data without a type, 1 with status 204, 1 of the kind revisit`,
  ]);
});

test('documents are told by their bytes where their type tells nothing, other data is not given', async () => {
  const typed = (name: string, type: string, body: string) =>
    recordBytes(`http://h.example/${name}`, { body, head: `HTTP/1.1 200 OK${type === '' ? '' : `\r\nContent-Type: ${type}`}` });
  const path = await fileWith(
    typed('paper', 'application/octet-stream', '%PDF-1.7'),
    typed('untyped', '', '%PDF-1.4'),
    typed('service', 'application/json; charset=utf-8', '{"openapi":"3.1.0","info":{}}'),
    typed('news', 'text/xml', '<rss version="2.0"><channel/></rss>'),
    typed('calls', 'application/xml', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>'),
    typed('items', 'application/json', '{"version":"https://jsonfeed.org/version/1.1","items":[]}'),
    typed('data', 'application/json', '{"openapi":3}'),
    typed('map', 'application/xml', '<urlset/>'),
    typed('program', 'application/octet-stream', 'MZ\x90\0'),
  );
  const warnings: string[] = [];
  const pages = await collected(readWarcResponses(path, { warn: (message) => warnings.push(message) }));
  expect(pages.map(({ url }) => url.split('/').at(-1))).toEqual(['paper', 'untyped', 'service', 'news', 'calls', 'items']);
  expect(warnings).toEqual([
    `${path}: records skipped because they are not pages: 1 of the type application/json, 1 of the type application/xml, 1 of the type application/octet-stream`,
  ]);
});

test('names of types have no case', async () => {
  const bytes = recordBytes('http://h.example/a', { body: 'yes' }).toString('latin1');
  const changed = bytes.replace('application/http', 'Application/HTTP').replace('WARC-Type: response', 'WARC-Type: Response');
  const pages = await collected(readWarcResponses(await fileWith(Buffer.from(changed, 'latin1'))));
  expect(pages.map(({ url }) => url)).toEqual(['http://h.example/a']);
});

test('content codings are undone: nested, raw deflate, cut, misnamed; unknown ones are warned of', async () => {
  const text = 'scion '.repeat(4000);
  const coded = (coding: string, body: Uint8Array | string) =>
    recordBytes(`http://h.example/${coding}`, { body, head: `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: ${coding}` });
  const cut = gzipSync(text).subarray(0, -20);
  const path = await fileWith(
    coded('gzip', gzipSync(text)),
    coded('br', brotliCompressSync(text)),
    coded('deflate', deflateSync(text)),
    coded('deflate', deflateRawSync(text)),
    coded('gzip, br', brotliCompressSync(gzipSync(text))),
    coded('gzip', text),
    coded('identity', text),
    coded('UTF-8', text),
    coded('br', text),
    coded('gzip', cut),
    coded('zstd', Buffer.from('28b52ffd04020000', 'hex')),
    coded('gzip, gzip, gzip, gzip, gzip, gzip', text),
  );
  const warnings: string[] = [];
  const pages = await collected(readWarcResponses(path, { warn: (message) => warnings.push(message) }));
  expect(pages.slice(0, 9).map(({ body }) => Buffer.from(body).toString() === text)).toEqual(new Array(9).fill(true));
  expect(pages).toHaveLength(10);
  expect(text.startsWith(Buffer.from(pages[9]?.body ?? []).toString())).toBe(true);
  expect(warnings.map((warning) => /\((content coding zstd|more than 5)/.exec(warning)?.[1])).toEqual([
    'content coding zstd',
    'more than 5',
  ]);
});

test('records and bodies over the cap are passed over with a warning', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip';
  const path = await fileWith(
    recordBytes('http://h.example/long', { body: 'x'.repeat(20_000) }),
    recordBytes('http://h.example/bomb', { body: gzipSync(Buffer.alloc(5_000_000)), head }),
    recordBytes('http://h.example/short', { body: 'fine' }),
  );
  const warnings: string[] = [];
  const pages = await collected(readWarcResponses(path, { maxRecordBytes: 10_000, warn: (message) => warnings.push(message) }));
  expect(pages.map(({ url }) => url)).toEqual(['http://h.example/short']);
  expect(warnings).toEqual([expect.stringContaining('over the cap of 10000'), expect.stringContaining('gzip: ')]);
});

wholeTest('a record of 64 MB that inflates from 64 KB goes by in bounded memory', async () => {
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const fields = Buffer.from(
    `WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: ${64 * 1024 * 1024}\r\n\r\n`,
  );
  const path = await fileWith(gzipSync(fields), zeros, gzipSync('\r\n\r\n'), gzipSync(three[0] ?? ''));
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const pages: string[] = [];
  for await (const page of readWarcResponses(path, { warn: () => (peak = Math.max(peak, process.memoryUsage().arrayBuffers)) }))
    pages.push(page.url);
  expect(pages).toEqual(['http://h.example/0']);
  expect(peak - before).toBeLessThan(48 * 1024 * 1024);
});

test.each([
  ['chunked', '5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n', 'hello world'],
  ['cut in a chunk', '5\r\nhello\r\nff\r\n wor', 'hello wor'],
  ['de-chunked by the archive', '<html>hello</html>', '<html>hello</html>'],
  ['bare line feeds', '5\nhello\n0\n\n', 'hello'],
  ['empty', '', ''],
])('chunked framing: %s', (_, wire, text) => {
  expect(Buffer.from(dechunked(Buffer.from(wire))).toString()).toBe(text);
});

test('any chunking gives the body back', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })), (chunks) => {
      const wire = Buffer.concat([
        ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
        Buffer.from('0\r\n\r\n'),
      ]);
      expect(Buffer.from(dechunked(wire)).equals(Buffer.concat(chunks))).toBe(true);
    }),
  );
});

test('a file cut anywhere gives whole records and then a DataError with file and offset', async () => {
  const members = three.map((bytes) => gzipSync(bytes));
  const whole = Buffer.concat(members);
  const starts = [0, members[0]?.length ?? 0, (members[0]?.length ?? 0) + (members[1]?.length ?? 0), whole.length];
  for (let cut = 1; cut < whole.length; cut += 7) {
    const path = await fileWith(whole.subarray(0, cut));
    const { items, error } = await drained(readWarcResponses(path));
    const complete = starts.filter((start) => start > 0 && start <= cut).length;
    expect(items).toHaveLength(complete);
    if (starts.includes(cut)) expect(error).toBeNull();
    else {
      expect(error).toBeInstanceOf(DataError);
      expect(error).toMatchObject({ message: expect.stringContaining(`${path}: damaged at byte ${starts[complete]} `) });
    }
  }
});

test.each([
  ['a flipped byte in the checksum', (bytes: Buffer, at: number) => bytes.writeUInt8((bytes[at - 8] ?? 0) ^ 1, at - 8)],
  ['a flipped byte in the data', (bytes: Buffer, at: number) => bytes.writeUInt8((bytes[at - 20] ?? 0) ^ 0x55, at - 20)],
])('%s: the record is not given, the ones before are', async (_, damage) => {
  const members = three.map((bytes) => gzipSync(bytes));
  const second = (members[0]?.length ?? 0) + (members[1]?.length ?? 0);
  const bytes = Buffer.concat(members);
  damage(bytes, second);
  const { items, error } = await drained(readWarcResponses(await fileWith(bytes)));
  expect(items.map(({ url }) => url)).toEqual(['http://h.example/0']);
  expect(error).toMatchObject({ code: 'DATA', message: expect.stringContaining(`at byte ${members[0]?.length} `) });
});

test.each([
  ['rubbish after the last member', Buffer.concat([gzipSync(three[0] ?? ''), Buffer.from('rubbish')]), 1],
  ['no WARC at all', Buffer.from('<html>\n</html>\n'), 0],
  ['no Content-Length', Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\n'), 0],
  ['an endless header', Buffer.concat([Buffer.from('WARC/1.0\r\n'), Buffer.alloc(600_000, 'x')]), 0],
])('%s is a DataError', async (_, bytes, good) => {
  const { items, error } = await drained(readWarcResponses(await fileWith(bytes)));
  expect(items).toHaveLength(good);
  expect(error).toBeInstanceOf(DataError);
});

test('any rubbish ends, with pages or a DataError', async () => {
  const dir = freshDir();
  const path = join(dir, 'rubbish.warc');
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom('', '\x1f\x8b\x08\0\0\0\0\0\0\x03', 'WARC/1.0\r\nContent-Length: 5\r\n\r\n'),
      async (bytes, start) => {
        await writeFile(path, Buffer.concat([Buffer.from(start, 'latin1'), bytes]));
        const { error } = await drained(readWarcResponses(path));
        expect(error === null || error instanceof DataError).toBe(true);
      },
    ),
  );
});

test('a missing file is a DataError that names it', async () => {
  const { error } = await drained(readWarcResponses('/nowhere/at/all.warc.gz'));
  expect(error).toMatchObject({ code: 'DATA', message: expect.stringContaining('/nowhere/at/all.warc.gz') });
});

test('extents are the gzip members of the records', async () => {
  const page = pageOf('http://h.example/', 'x'.repeat(9000));
  const { response, request, metadata } = pageMembers(recordOf(page), page, newRecordId());
  const path = await fileWith(response, request, metadata);
  const entries = await collected(walkWarc(path, () => false));
  const bytes = await readFile(path);
  expect(entries.map(({ start, end }) => bytes.subarray(start, end))).toEqual(
    [response, request, metadata].map((member) => Buffer.from(member)),
  );
  expect((await collected(walkWarc(path, () => false, response.length))).length).toBe(1);
});
