import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Coding, codingsOf } from '../../../src/base/web/content-coding.ts';
import { decodeContent, joinBytes } from '../../../src/crawling/fetch/decode.ts';

const MB = 1024 * 1024;
const ENCODERS: readonly [Coding, (bytes: Uint8Array) => Buffer][] = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
];
const encoder = fc.constantFrom(...ENCODERS);
/** Bytes long enough to matter and not all alike. */
const payload = fc.uint8Array({ minLength: 1, maxLength: 4000 });

test.each([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['GZIP', ['gzip']],
  ['x-gzip', ['gzip']],
  ['gzip, br', ['gzip', 'br']],
  ['identity,, deflate', ['deflate']],
  ['gzip, gzip, gzip', null],
  ['UTF-8', []],
  ['none', []],
  ['iso-8859-1', []],
  ['8bit', []],
  ['text/html', []],
  ['gzip, utf-8', ['gzip']],
  ['Binary, X-GZip', ['gzip']],
  ['"gzip"', ['gzip']],
  ['gzip;q=1.0', ['gzip']],
  ['zstd', []],
])('Content-Encoding %j is %j', (field, codings) => expect(codingsOf(field, 2)).toEqual(codings));

describe('decodeContent', () => {
  test('undoes any one or two codings', async () => {
    await fc.assert(
      fc.asyncProperty(payload, encoder, encoder, async (bytes, [inner, encodeInner], [outer, encodeOuter]) => {
        const once = encodeInner(bytes);
        expect(await decodeContent(once, [inner], MB)).toEqual({ body: Buffer.from(bytes), truncated: false });
        expect(await decodeContent(encodeOuter(once), [inner, outer], MB)).toEqual({ body: Buffer.from(bytes), truncated: false });
      }),
    );
  });

  test('of a cut payload gives a beginning of the whole, marked', async () => {
    await fc.assert(
      fc.asyncProperty(payload, encoder, fc.double({ min: 0, max: 0.99, noNaN: true }), async (bytes, [coding, encode], share) => {
        const wire = encode(bytes);
        // Fewer bytes than a header say nothing of the coding; a gzip without its magic is taken for plain text.
        const cut = wire.subarray(0, Math.max(2, Math.floor(wire.byteLength * share)));
        const decoded = await decodeContent(cut, [coding], MB);
        if (decoded === null || !decoded.truncated) return;
        expect(Buffer.from(bytes.subarray(0, decoded.body.byteLength)).equals(decoded.body)).toBe(true);
      }),
    );
  });

  test('never throws and never gives more than its cap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), encoder, payload, async (garbage, [coding, encode], bytes) => {
        const damaged = Buffer.concat([encode(bytes).subarray(0, 20), garbage]);
        const decoded = await decodeContent(damaged, [coding], 1000);
        expect(decoded === null || decoded.body.byteLength <= 1000).toBe(true);
      }),
    );
  });

  test.each(ENCODERS)('%s: cap and ratio hold, small and large', async (coding, encode) => {
    const capped = await decodeContent(encode(Buffer.alloc(3 * MB, 'ab')), [coding], 2 * MB);
    expect(capped?.truncated).toBe(true);
    expect(capped?.body.byteLength).toBeLessThanOrEqual(2 * MB);
    // 400 kB of noise and 3 MB of nothing: over the limit for decoding at once.
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 24));
    const large = encode(Buffer.concat([noise, Buffer.alloc(3 * MB)]));
    const decoded = await decodeContent(large, [coding], MB);
    expect(decoded).toMatchObject({ truncated: true });
    expect(decoded?.body.byteLength).toBe(MB);
    expect(Buffer.from(noise.subarray(0, 1000)).equals(decoded?.body.subarray(0, 1000) ?? Buffer.alloc(0))).toBe(true);
  });

  test('the ratio is that of all codings together to the wire', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(64 * MB)));
    const decoded = await decodeContent(bomb, ['gzip', 'gzip'], 32 * MB);
    expect(decoded?.truncated).toBe(true);
    expect(decoded?.body.byteLength).toBeLessThanOrEqual(Math.max(MB, 100 * bomb.byteLength));
  });

  test('plain text under the name of gzip is taken as it is', async () => {
    const plain = Buffer.from('<p>plain</p>');
    expect(await decodeContent(plain, ['gzip'], MB)).toEqual({ body: plain, truncated: false });
  });

  test('gives null when nothing can be decoded', async () => {
    expect(await decodeContent(Buffer.alloc(50, 0xff), ['br'], MB)).toBeNull();
  });
});

const PAGE = Buffer.from(Array.from({ length: 90 }, (_, i) => `<p>Paragraph ${i} tells of lock ${(i * 7919) % 1009}.</p>`).join('\n'));
/** Over the limit for decoding at once. */
const LARGE = Buffer.from(Array.from({ length: 400_000 }, (_, i) => 33 + (Math.imul(i + 1, 2654435761) >>> 26)));

describe.each([
  ['small', PAGE],
  ['large', LARGE],
])('a %s gzip payload', (_, bytes) => {
  const packed = gzipSync(bytes);
  const half = bytes.byteLength >> 1;

  test.each([
    ['a comment', '<!-- served by cache 3 -->'],
    ['a line break', '\r\n'],
    ['zeros', '\0'.repeat(40)],
    ['one byte', 'x'],
    ['the beginning of a member', '\x1f'],
  ])('with %s behind it is whole', async (_name, tail) => {
    const decoded = await decodeContent(Buffer.concat([packed, Buffer.from(tail, 'latin1')]), ['gzip'], MB);
    expect(decoded?.truncated).toBe(false);
    expect(bytes.equals(decoded?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test('of two members, the first with a name in its header, is both', async () => {
    const first = gzipSync(bytes.subarray(0, half));
    const named = Buffer.concat([
      first.subarray(0, 3),
      Buffer.of(8),
      first.subarray(4, 10),
      Buffer.from('page.html\0'),
      first.subarray(10),
    ]);
    const decoded = await decodeContent(Buffer.concat([named, gzipSync(bytes.subarray(half)), Buffer.from(' tail')]), ['gzip'], MB);
    expect(decoded?.truncated).toBe(false);
    expect(bytes.equals(decoded?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    ['a wrong checksum', (wire: Buffer) => wire.writeUInt32LE(7, wire.byteLength - 8)],
    ['a wrong length', (wire: Buffer) => wire.writeUInt32LE(7, wire.byteLength - 4)],
  ])('with %s has all its text, marked', async (_name, damage) => {
    const wire = Buffer.from(packed);
    damage(wire);
    const decoded = await decodeContent(wire, ['gzip'], MB);
    expect(decoded?.truncated).toBe(true);
    expect(bytes.equals(decoded?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test('without its trailer has all its text, marked', async () => {
    const decoded = await decodeContent(packed.subarray(0, -6), ['gzip'], MB);
    expect(decoded?.truncated).toBe(true);
    expect(bytes.equals(decoded?.body ?? Buffer.alloc(0))).toBe(true);
  });
});

test('a small payload keeps its text up to the damaged byte', async () => {
  const wire = gzipSync(PAGE);
  wire.fill(0xff, wire.byteLength - 60);
  const { body, truncated } = (await decodeContent(wire, ['gzip'], MB)) ?? { body: Buffer.alloc(0), truncated: false };
  expect(truncated).toBe(true);
  expect(body.byteLength).toBeGreaterThan(0.8 * PAGE.byteLength);
});

test.each([
  ['br', PAGE],
  ['deflate', PAGE],
  ['br', LARGE],
  ['deflate', Buffer.from('<p>kurz</p>')],
  ['br', Buffer.from('Żaluzje i młyny')],
] as const)('plain text under the name of %s is taken as it is', async (coding, plain) => {
  const decoded = await decodeContent(plain, [coding], MB);
  expect(decoded?.truncated).toBe(false);
  expect(plain.equals(decoded?.body ?? Buffer.alloc(0))).toBe(true);
});

test('zlib with a wrong checksum has all its text, marked', async () => {
  const wire = deflateSync(PAGE);
  wire.writeUInt32BE(7, wire.byteLength - 4);
  const decoded = await decodeContent(wire, ['deflate'], MB);
  expect(decoded?.truncated).toBe(true);
  expect(PAGE.equals(decoded?.body ?? Buffer.alloc(0))).toBe(true);
});

test('joinBytes cuts at the size and owns its memory', () => {
  const joined = joinBytes([Buffer.from('abc'), Buffer.from('def'), Buffer.from('ghi')], 5);
  expect(Buffer.from(joined).toString()).toBe('abcde');
  expect(joined.buffer.byteLength).toBe(5);
  expect(joinBytes([], 0).byteLength).toBe(0);
});
