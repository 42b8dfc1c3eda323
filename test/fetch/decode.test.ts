import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Coding, codingsOf, decodeContent, joinBytes } from '../../src/fetch/decode.ts';

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
  ['zstd', null],
  ['gzip, zstd', null],
  ['gzip, gzip, gzip', null],
])('Content-Encoding %j is %j', (field, codings) => expect(codingsOf(field)).toEqual(codings));

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

test('joinBytes cuts at the size and owns its memory', () => {
  const joined = joinBytes([Buffer.from('abc'), Buffer.from('def'), Buffer.from('ghi')], 5);
  expect(Buffer.from(joined).toString()).toBe('abcde');
  expect(joined.buffer.byteLength).toBe(5);
  expect(joinBytes([], 0).byteLength).toBe(0);
});
