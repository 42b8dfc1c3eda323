import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CorpusRecord, FetchedPage } from '../../../src/base/core/types.ts';
import { readWarcResponses } from '../../../src/corpus/records/warc-reader.ts';
import { newRecordId, pageMembers, warcInfoMember } from '../../../src/corpus/records/warc-record.ts';
import { runs } from '../../support/extent.ts';
import { collected, freshDir, INFO, pageOf, recordOf, T0, urlOf } from './samples.ts';
import { readBack } from './warcio-oracle.ts';

const infoId = newRecordId();

async function fileOf(page: FetchedPage, record = recordOf(page)): Promise<string> {
  const path = join(freshDir(), 'one.warc.gz');
  const { response, request, metadata } = pageMembers(record, page, infoId);
  await writeFile(path, Buffer.concat([warcInfoMember(infoId, INFO, 'one.warc.gz', T0), response, request, metadata]));
  return path;
}

test('a page is read back by another implementation, with all digests right', async () => {
  const page = pageOf('http://orchard.example/graft?a=b&c=é', '<html><body>Grafting — scion wood</body></html>');
  const record = recordOf(page);
  const [info, response, request, metadata] = await readBack(await fileOf(page, record));
  expect([info?.type, response?.type, request?.type, metadata?.type]).toEqual(['warcinfo', 'response', 'request', 'metadata']);
  expect(Buffer.from(info?.payload ?? []).toString()).toContain('robots: obey\r\n');
  expect(info?.fields.get('warc-filename')).toBe('one.warc.gz');
  expect(response?.id).toBe(record.id);
  expect(response?.fields.get('warc-target-uri')).toBe(page.url);
  expect(response?.fields.get('warc-date')).toBe('2024-05-06T07:08:09.010Z');
  expect(response?.fields.get('warc-ip-address')).toBe('192.0.2.7');
  expect(response?.fields.get('warc-warcinfo-id')).toBe(`<${infoId}>`);
  expect(response?.fields.has('warc-truncated')).toBe(false);
  expect(response?.httpStatus).toBe('HTTP/1.1 200 OK');
  expect(Buffer.from(response?.payload ?? [])).toEqual(Buffer.from(page.body));
  expect([request?.concurrentTo, metadata?.concurrentTo]).toEqual([record.id, record.id]);
  expect(request?.httpStatus).toBe('GET /graft?a=b&c=%C3%A9 HTTP/1.1');
  const fields = Buffer.from(metadata?.payload ?? []).toString();
  for (const line of [
    'relevance: 0.9',
    'threshold: 0.5',
    'modelId: 0123456789abcdef',
    'depth: 1',
    'anchorText: grafting',
    'fetchTimeMs: 120',
  ]) {
    expect(fields).toContain(`${line}\r\n`);
  }
});

test('what several topics say of a page is in its metadata record, a field each', async () => {
  const page = pageOf('http://orchard.example/', 'x');
  const topics = [
    { name: 'old apples\r\nx', modelId: 'a'.repeat(16), relevance: 0.25, threshold: 0.5, onTopic: false },
    { name: 'pests', modelId: 'b'.repeat(16), relevance: 0.9, threshold: 0.4, onTopic: true },
  ];
  const [, , , metadata] = await readBack(await fileOf(page, recordOf(page, { topics })));
  const lines = Buffer.from(metadata?.payload ?? [])
    .toString()
    .split('\r\n');
  expect(lines.filter((line) => line.startsWith('topic: '))).toEqual([
    `topic: old apples x; modelId=${'a'.repeat(16)}; relevance=0.25; threshold=0.5`,
    `topic: pests; modelId=${'b'.repeat(16)}; relevance=0.9; threshold=0.4`,
  ]);
});

test('what a page reserves is in its metadata record', async () => {
  const page = pageOf('http://orchard.example/', 'x');
  const reservationOf = async (reservation: NonNullable<CorpusRecord['reservation']> | null) => {
    const [, , , metadata] = await readBack(await fileOf(page, recordOf(page, reservation ? { reservation } : {})));
    const fields = Buffer.from(metadata?.payload ?? []).toString();
    return fields.split('\r\n').filter((line) => line.startsWith('reservation: '));
  };
  const policy = urlOf('http://orchard.example/policy');
  expect(await reservationOf({ reserved: true, by: 'header', policy })).toEqual([
    'reservation: tdm-reservation=1; by=header; tdm-policy=http://orchard.example/policy',
  ]);
  expect(await reservationOf({ reserved: false, by: 'meta', policy: null })).toEqual(['reservation: tdm-reservation=0; by=meta']);
  expect(await reservationOf(null)).toEqual([]);
});

test('each record is a gzip member of its own', () => {
  const page = pageOf('http://orchard.example/', 'x');
  const { response } = pageMembers(recordOf(page), page, infoId);
  expect(gunzipSync(response).toString('latin1')).toMatch(/^WARC\/1\.1\r\nWARC-Type: response\r\n[\s\S]*\r\n\r\nx\r\n\r\n$/);
});

test('a long record is compressed; a short one is not, which takes longer than it gains', () => {
  const text = '<p>All moss and no bog.</p>'.repeat(200);
  const page = pageOf('http://orchard.example/', text);
  const { response, request, metadata } = pageMembers(recordOf(page), page, infoId);
  const overhead = (member: Uint8Array) => member.length - gunzipSync(member).length;
  expect(overhead(response)).toBeLessThan(-text.length / 2);
  // Header and trailer (RFC 1952 §2.3), and the head of one block (RFC 1951 §3.2.4).
  expect([request, metadata].map(overhead)).toEqual([23, 23]);
});

test('a compressed body is stored as it came, without a second compression, and read back by another implementation', async () => {
  const html = Buffer.from('<p>Whip and tongue grafting joins scion and rootstock.</p>'.repeat(5000));
  const coded = { rawHeaders: [['Content-Encoding', 'gzip']] as const, headers: { 'content-encoding': 'gzip' } };
  const page = { ...pageOf('http://orchard.example/', '', coded), body: html, wireBody: gzipSync(html, { level: 0 }).subarray(0) };
  const small = { ...page, wireBody: gzipSync(html) };
  const { response } = pageMembers(recordOf(small), small, infoId);
  expect(Buffer.from(response).indexOf(small.wireBody)).toBeGreaterThan(0);
  const [, stored] = await readBack(await fileOf(small));
  expect(Buffer.from(stored?.payload ?? []).equals(html) || Buffer.from(stored?.payload ?? []).equals(small.wireBody)).toBe(true);
  // A coding that makes the body longer compresses nothing.
  expect(pageMembers(recordOf(page), page, infoId).response.length).toBeLessThan(page.wireBody.length / 10);
});

test('chunked framing that is gone from the body is kept under another name, with the right length', async () => {
  const page = pageOf('http://orchard.example/', 'hello', {
    rawHeaders: [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Type', 'text/html'],
    ],
  });
  const [, response] = await readBack(await fileOf(page));
  expect(response?.httpHeaders.get('x-archive-orig-transfer-encoding')).toBe('chunked');
  expect(response?.httpHeaders.has('transfer-encoding')).toBe(false);
  expect(response?.httpHeaders.get('content-length')).toBe('5');
  expect(Buffer.from(response?.payload ?? []).toString()).toBe('hello');
});

test('a body cut by a cap says so, and its declared length moves aside', async () => {
  const page = pageOf('http://orchard.example/', 'hel', { truncated: true, rawHeaders: [['content-length', '5000']] });
  const [, response] = await readBack(await fileOf(page));
  expect(response?.fields.get('warc-truncated')).toBe('unspecified');
  expect(response?.httpHeaders.get('x-archive-orig-content-length')).toBe('5000');
  expect(response?.httpHeaders.get('content-length')).toBe('3');
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('a %s body is stored as it came and read decoded', async (coding, encode) => {
  const html = '<p>rootstock</p>'.repeat(200);
  const wireBody = encode(html);
  const rawHeaders = [
    ['Content-Type', 'text/html'],
    ['Content-Encoding', coding],
    ['Content-Length', String(wireBody.length)],
  ] as const;
  const path = await fileOf(pageOf('http://orchard.example/', html, { wireBody, rawHeaders }));
  const [, response] = await readBack(path);
  expect(Buffer.from(response?.payload ?? [])).toEqual(wireBody);
  const [page] = await collected(readWarcResponses(path));
  expect(Buffer.from(page?.body ?? []).toString()).toBe(html);
});

test('header lines cannot be broken out of', async () => {
  const page = pageOf('http://orchard.example/', 'x', {
    statusText: 'OK\r\nX-Evil: 1',
    rawHeaders: [['X-A\r\nX-Evil', 'one\r\nX-Evil: 2\r\n\r\nbody\0']],
    requestHeaders: [['Accept', '*/*\r\nX-Evil: 3']],
  });
  const record = recordOf(page, { title: 'a\r\nWARC-Evil: 4\r\n\r\n', anchorText: 'b\nevil: 5' });
  const records = await readBack(await fileOf(page, record));
  expect(records).toHaveLength(4);
  for (const { httpHeaders, fields } of records) expect(httpHeaders.has('x-evil') || fields.has('warc-evil')).toBe(false);
  expect(Buffer.from(records[3]?.payload ?? []).toString()).not.toMatch(/^evil|^WARC-Evil/m);
});

type Headers = readonly (readonly [string, string])[];

test.each<[string, Headers, Headers | null]>([
  ['no length at all', [['X-A', '1']], null],
  [
    'its right length',
    [
      ['X-A', '1'],
      ['Content-Length', '5'],
      ['X-B', '2'],
    ],
    null,
  ],
  ['its right length, written in another way', [['CONTENT-LENGTH', ' 5 ']], null],
  [
    'another length',
    [
      ['Content-Length', '6'],
      ['X-B', '2'],
    ],
    [
      ['X-Archive-Orig-Content-Length', '6'],
      ['X-B', '2'],
      ['Content-Length', '5'],
    ],
  ],
  [
    'chunks',
    [['Transfer-Encoding', 'chunked']],
    [
      ['X-Archive-Orig-Transfer-Encoding', 'chunked'],
      ['Content-Length', '5'],
    ],
  ],
  [
    'an encoding that looks like a length',
    [['Transfer-Encoding', '5']],
    [
      ['X-Archive-Orig-Transfer-Encoding', '5'],
      ['Content-Length', '5'],
    ],
  ],
  [
    'two lengths',
    [
      ['content-length', '5'],
      ['Content-Length', '5'],
    ],
    [
      ['X-Archive-Orig-content-length', '5'],
      ['X-Archive-Orig-Content-Length', '5'],
      ['Content-Length', '5'],
    ],
  ],
])('the header of a response with %s is stored with the length of what is stored, and else as it came', (_, came, stored) => {
  const page = pageOf('http://orchard.example/', 'apple', { rawHeaders: came });
  const block = gunzipSync(pageMembers(recordOf(page), page, newRecordId()).response)
    .toString('latin1')
    .split('\r\n\r\n')[1];
  const lines = (stored ?? came).map(([name, value]) => `${name}: ${value}`);
  expect(block).toBe(['HTTP/1.1 200 OK', ...lines].join('\r\n'));
});

test('what is not known of a page has no field in its metadata record', async () => {
  const page = pageOf('http://orchard.example/', 'x');
  const members = pageMembers(recordOf(page, { lang: null, referrer: null, anchorText: '', title: '' }), page, newRecordId());
  const text = gunzipSync(members.metadata).toString('utf8');
  expect([...text.matchAll(/^(\w+): /gm)].map(([, name]) => name)).toEqual([
    'relevance',
    'threshold',
    'modelId',
    'depth',
    'payloadSha256',
    'fetchTimeMs',
  ]);
});

test('bytes of header fields are stored as they came; what cannot have come as bytes is UTF-8', () => {
  const stored = (value: string) => {
    const page = pageOf('http://orchard.example/', 'x', { rawHeaders: [['X-Name', value]] });
    return gunzipSync(pageMembers(recordOf(page), page, newRecordId()).response);
  };
  expect(stored('caf\xe9').includes(Buffer.from('X-Name: caf\xe9\r\n', 'latin1'))).toBe(true);
  expect(stored('苹果').includes(Buffer.from('X-Name: 苹果\r\n'))).toBe(true);
});

test('credentials the crawl sent are struck out', () => {
  const page = pageOf('http://orchard.example/', 'x', {
    requestHeaders: [
      ['Authorization', 'Basic c2VjcmV0'],
      ['cookie', 'sid=secret'],
      ['Accept', 'text/html'],
    ],
  });
  const request = gunzipSync(pageMembers(recordOf(page), page, infoId).request).toString();
  expect(request).not.toMatch(/c2VjcmV0|sid=secret/);
  expect(request).toContain('Host: orchard.example\r\nAuthorization: [redacted]\r\ncookie: [redacted]\r\nAccept: text/html\r\n');
});

test('a page that came over HTTP/2 is stored as a message of HTTP/1.1 and says so; one with a doubtful certificate says that', async () => {
  const html = '<p>over two';
  const page = pageOf('https://orchard.example/', html, {
    protocol: 'h2',
    certificate: 'CERT_HAS_EXPIRED',
    statusText: '',
    rawHeaders: [['content-type', 'text/html']],
  });
  const path = await fileOf(page, { ...recordOf(page), certificate: 'CERT_HAS_EXPIRED' });
  const [, response, request, metadata] = await readBack(path);
  expect([response, request, metadata].map((record) => record?.fields.get('warc-protocol'))).toEqual(['h2', 'h2', 'h2']);
  expect(Buffer.from(metadata?.payload ?? []).toString()).toContain('certificate: not to be trusted: CERT_HAS_EXPIRED\r\n');
  const [read] = await collected(readWarcResponses(path));
  expect({ status: read?.status, body: Buffer.from(read?.body ?? []).toString() }).toEqual({ status: 200, body: html });
  const usual = pageOf('https://orchard.example/', html);
  expect((await readBack(await fileOf(usual))).some(({ fields }) => fields.has('warc-protocol'))).toBe(false);
});

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,15}$/).filter((name) => !/^(content-|transfer-|x-archive)/i.test(name));
const latin1 = fc
  .array(fc.integer({ min: 0x20, max: 0xff }).filter((code) => code < 0x7f || code > 0xa0))
  .map((codes) => String.fromCharCode(...codes));

test('any headers and body go through our writer and our reader', async () => {
  const dir = freshDir();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(token, latin1), { selector: ([name]) => name.toLowerCase(), maxLength: 8 }),
      fc.uint8Array({ maxLength: 5000 }),
      fc.constantFrom('identity', 'gzip', 'br'),
      fc.boolean(),
      async (extra, body, coding, chunked) => {
        const wireBody = coding === 'gzip' ? gzipSync(body) : coding === 'br' ? brotliCompressSync(body) : body;
        const length = ['Content-Length', String(wireBody.length)] as const;
        const framing = chunked ? (['Transfer-Encoding', 'chunked'] as const) : length;
        const rawHeaders = [...extra, ['Content-Type', 'text/html'] as const, ['Content-Encoding', coding] as const, framing];
        const page = pageOf('http://orchard.example/p', body, { wireBody, rawHeaders });
        const path = join(dir, 'any.warc.gz');
        const members = pageMembers(recordOf(page), page, infoId);
        await writeFile(path, Buffer.concat([members.response, members.request, members.metadata]));
        const pages = await collected(readWarcResponses(path));
        expect(pages).toHaveLength(1);
        expect(pages[0]?.url).toBe(page.url);
        expect(Buffer.from(pages[0]?.body ?? []).equals(Buffer.from(body))).toBe(true);
        for (const [name, value] of extra) expect(pages[0]?.headers[name.toLowerCase()]).toBe(value.trim());
        expect(pages[0]?.headers['content-length']).toBe(String(wireBody.length));
      },
    ),
    { numRuns: runs(150) },
  );
});
