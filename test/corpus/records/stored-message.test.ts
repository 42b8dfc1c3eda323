/** HTTP responses as archives store them: the head, and a body with and without chunks. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { dechunked, decodeBody, parseResponse } from '../../../src/corpus/records/http-message.ts';

const parsed = (text: string) => parseResponse(Buffer.from(text, 'latin1'));
const bodyOf = (text: string) => Buffer.from(dechunked(Buffer.from(text, 'latin1'))).toString('latin1');

describe('the head', () => {
  test.each([
    ['HTTP/1.1 200 OK\r\nA: 1\r\n\r\nbody', 200, { a: '1' }, 'body'],
    ['HTTP/1.0 404\nA: 1\nB:2 \n\nbody', 404, { a: '1', b: '2' }, 'body'],
    ['http/2 301 \r\nX-Y:  z\r\n\r\n', 301, { 'x-y': 'z' }, ''],
    ['HTTP/1.1 200 OK\r\nno colon\r\n: no name\r\nA:b:c\r\n\r\n\r\nx', 200, { a: 'b:c' }, '\r\nx'],
    ['HTTP/1.1 204 No Content\r\nA: 1', 204, { a: '1' }, ''],
    ['HTTP/1.1 200 OK\nA: 1\n\r\nx', 200, { a: '1' }, 'x'],
    ['HTTP/1.1 200 OK\r\nA: 1\r\n\t 2\r\nB: 3\r\n\r\nx', 200, { a: '1 2', b: '3' }, 'x'],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 203 Changed\r\nA : 1\r\n\r\nx', 203, { a: '1' }, 'x'],
    ['HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n', 302, { location: '/a' }, ''],
  ])('%j', (text, status, headers, body) => {
    const response = parsed(text);
    expect([response?.status, response?.headers]).toEqual([status, headers]);
    expect(Buffer.from(response?.body ?? []).toString()).toBe(body);
  });

  test('after any number of interim ones', () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50_000);
    expect(parsed(`${interim}HTTP/1.1 200 OK\r\n\r\nx`)?.status).toBe(200);
    expect(parsed(`${interim}HTTP/1.1 103 Early Hints\r\n\r\nx`)).toMatchObject({ status: 103 });
  });

  test.each([
    '',
    'GET / HTTP/1.1\r\n\r\n',
    'HTTP/1.1 20 OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    ' HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/x 200 OK\r\n\r\n',
  ])('%j is no response', (text) => {
    expect(parsed(text)).toBeNull();
  });
});

describe('chunks', () => {
  test.each([
    ['3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n', 'abcde'],
    ['3;name=value\r\nabc\r\nA \r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n', 'abc0123456789'],
    ['3\nabc\n2\nde\n0\n\n', 'abcde'],
    ['5\r\nabc', 'abc'],
    ['3\r\nabc\r\nrubbish\r\nxyz', 'abc'],
    ['3\r\nabc\r\n2', 'abc'],
    ['0\r\n\r\n', ''],
    ['<p>not chunked</p>\n', '<p>not chunked</p>\n'],
    ['no line', 'no line'],
    ['', ''],
    [`3;${'x'.repeat(1021)}\r\nabc\r\n0\r\n\r\n`, 'abc'],
    [`3;${'x'.repeat(1022)}\r\nabc\r\n0\r\n\r\n`, `3;${'x'.repeat(1022)}\r\nabc\r\n0\r\n\r\n`],
    ['123456789\r\nabc', '123456789\r\nabc'],
  ])('%j', (text, body) => {
    expect(bodyOf(text)).toBe(body);
  });
});

describe('codings', () => {
  const MOST = 1000;
  const decoded = (body: Uint8Array, headers: Record<string, string>, most = MOST) => {
    const result = decodeBody({ status: 200, headers, body }, most);
    return result.kind === 'decoded' ? Buffer.from(result.body).toString() : result.why;
  };

  test('are undone from the last to the first, whatever their case; chunks before them', () => {
    const twice = deflateSync(gzipSync('peat'));
    expect(decoded(twice, { 'content-encoding': 'GZip, identity ,deflate' })).toBe('peat');
    const packed = gzipSync('peat');
    const chunk = Buffer.concat([Buffer.from(`${packed.length.toString(16)}\r\n`), packed, Buffer.from('\r\n0\r\n\r\n')]);
    expect(decoded(chunk, { 'transfer-encoding': 'gzip, Chunked', 'content-encoding': 'x-gzip' })).toBe('peat');
    expect(decoded(deflateRawSync('peat'), { 'content-encoding': 'deflate' })).toBe('peat');
    expect(decoded(Buffer.from('plain'), { 'content-encoding': 'gzip' })).toBe('plain');
    expect(decoded(Buffer.from('plain'), {})).toBe('plain');
  });

  test('bytes behind gzip, a wrong checksum and names of no coding lose nothing', () => {
    const packed = gzipSync('peat');
    expect(decoded(Buffer.concat([packed, Buffer.from('\r\n<!-- x -->')]), { 'content-encoding': 'gzip' })).toBe('peat');
    expect(decoded(Buffer.concat([packed, gzipSync(' and moss')]), { 'content-encoding': 'gzip' })).toBe('peat and moss');
    expect(decoded(packed.fill(0, packed.length - 8, packed.length - 4), { 'content-encoding': 'gzip' })).toBe('peat');
    expect(decoded(Buffer.from('peat'), { 'content-encoding': 'UTF-8' })).toBe('peat');
    expect(decoded(gzipSync('peat'), { 'content-type': 'text/html' })).toBe('peat');
  });

  test('up to five; what is longer than allowed, or of no known coding, is not decoded', () => {
    const nested = [1, 2, 3, 4, 5].reduce<Uint8Array>((body) => gzipSync(body), Buffer.from('peat'));
    expect(decoded(nested, { 'content-encoding': 'gzip,gzip,gzip,gzip,gzip' })).toBe('peat');
    expect(decoded(gzipSync(nested), { 'content-encoding': 'gzip,gzip,gzip,gzip,gzip,gzip' })).toBe('more than 5 content codings');
    expect(decoded(gzipSync('x'.repeat(MOST)), { 'content-encoding': 'gzip' })).toHaveLength(MOST);
    expect(decoded(gzipSync('x'.repeat(MOST + 1)), { 'content-encoding': 'gzip' })).toMatch(/^gzip: /);
    expect(decoded(Buffer.from('28b52ffd0402', 'hex'), { 'content-encoding': 'zstd' })).toContain('zstd is not known');
  });
});
