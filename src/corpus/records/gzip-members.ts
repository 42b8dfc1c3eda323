import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import { messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { inflatedRaw } from '../../base/web/content-coding.ts';
import { damaged, type FileBytes } from './file-bytes.ts';

/** A run of content and its place in the file. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Offset in the file: of its gzip member, or of its first byte in an uncompressed file. */
  readonly at: Bytes;
  /** `end-of-member` has no bytes and follows a member whose checksum was right; `at` is then the byte after it. */
  readonly kind: 'plain' | 'in-member' | 'end-of-member';
}

/** Number of bytes given to zlib at once. At DEFLATE's largest ratio (1032:1) they inflate to 17 MB. */
const SLICE_BYTES: Bytes = 16 * 1024;
const AT_ONCE_BYTES: Bytes = 1024 * 1024;
const NOTHING = new Uint8Array(0);
const FHCRC = 2;
const FEXTRA = 4;
const FNAME = 8;
const FCOMMENT = 16;

/** The content of a file, decompressed member by member if it is gzip, otherwise unchanged. @throws DataError if damaged */
export async function* pieces(input: FileBytes): AsyncGenerator<Piece> {
  const [first, second] = await input.peek(2);
  if (first === 0x1f && second === 0x8b) yield* gzipPieces(input);
  else yield* plainPieces(input);
}

async function* plainPieces(input: FileBytes): AsyncGenerator<Piece> {
  for (let bytes = await input.peek(); bytes.length > 0; bytes = await input.peek()) {
    const at = input.position;
    input.take(bytes.length);
    yield { bytes, at, kind: 'plain' };
  }
}

async function* gzipPieces(input: FileBytes): AsyncGenerator<Piece> {
  while ((await input.peek()).length > 0) {
    const at = input.position;
    await takeHeader(input, at);
    let crc = 0;
    let size = 0;
    for await (const bytes of inflated(input, at)) {
      crc = crc32(bytes, crc);
      size = (size + bytes.length) % 2 ** 32;
      yield { bytes, at, kind: 'in-member' };
    }
    await takeTrailer(input, at, crc, size);
    yield { bytes: NOTHING, at: input.position, kind: 'end-of-member' };
  }
}

/** RFC 1952 §2.3. */
async function takeHeader(input: FileBytes, at: Bytes): Promise<void> {
  const [id1, id2, method, flags = 0, , , , , , last] = await input.peek(10);
  if (id1 !== 0x1f || id2 !== 0x8b || method !== 8 || last === undefined) throw damaged(input.path, at, 'no gzip member starts here');
  input.take(10);
  if (flags & FEXTRA) await takeExtra(input, at);
  if (flags & FNAME) await takeString(input, at);
  if (flags & FCOMMENT) await takeString(input, at);
  if (flags & FHCRC) await takeExactly(input, at, 2);
}

async function takeExtra(input: FileBytes, at: Bytes): Promise<void> {
  const [low = 0, high = 0] = await input.peek(2);
  await takeExactly(input, at, 2 + low + high * 256);
}

async function takeString(input: FileBytes, at: Bytes): Promise<void> {
  for (;;) {
    const bytes = await input.peek();
    if (bytes.length === 0) throw damaged(input.path, at, 'the file ends in a gzip header');
    const end = bytes.indexOf(0);
    input.take(end < 0 ? bytes.length : end + 1);
    if (end >= 0) return;
  }
}

async function takeExactly(input: FileBytes, at: Bytes, count: Bytes): Promise<Uint8Array> {
  const bytes = await input.peek(count);
  if (bytes.length < count) throw damaged(input.path, at, 'the file ends inside a gzip member');
  input.take(count);
  return bytes.subarray(0, count);
}

async function takeTrailer(input: FileBytes, at: Bytes, crc: number, size: number): Promise<void> {
  const trailer = Buffer.from(await takeExactly(input, at, 8));
  if (trailer.readUInt32LE(0) !== crc || trailer.readUInt32LE(4) !== size)
    throw damaged(input.path, at, 'checksum of a gzip member is wrong');
}

/** One DEFLATE stream; the input stays at the byte after it. */
async function* inflated(input: FileBytes, at: Bytes): AsyncGenerator<Uint8Array> {
  const whole = inflatedAtOnce(await input.peek());
  if (whole === null) yield* inflatedBySlices(input, at);
  else {
    input.take(whole.used);
    yield whole.body;
  }
}

/**
 * Content of a small member that is completely in memory, the common case: a third of the time of a stream. null otherwise, or if it is
 * damaged.
 */
function inflatedAtOnce(bytes: Uint8Array): ReturnType<typeof inflatedRaw> | null {
  try {
    return inflatedRaw(bytes, { maxOutputLength: AT_ONCE_BYTES });
  } catch {
    return null;
  }
}

/** The inflated bytes of a slice are held until they are requested. */
async function* inflatedBySlices(input: FileBytes, at: Bytes): AsyncGenerator<Uint8Array> {
  const engine = createInflateRaw();
  const out: Uint8Array[] = [];
  engine.on('data', (bytes: Uint8Array) => out.push(bytes));
  engine.on('error', () => undefined);
  try {
    for (let more = true; more; ) {
      more = await feed(engine, input, at);
      yield* out.splice(0);
    }
  } finally {
    engine.destroy();
  }
}

/** @returns false once the stream has ended: zlib then leaves unread input, at least the trailer. */
async function feed(engine: InflateRaw, input: FileBytes, at: Bytes): Promise<boolean> {
  const slice = (await input.peek()).subarray(0, SLICE_BYTES);
  if (slice.length === 0) throw damaged(input.path, at, 'the file ends inside a gzip member');
  const before = engine.bytesWritten;
  await new Promise<void>((resolve, reject) => {
    const failed = (error: Error) => reject(damaged(input.path, at, messageOf(error)));
    engine.once('error', failed);
    engine.write(slice, () => {
      engine.off('error', failed);
      resolve();
    });
  });
  const used = engine.bytesWritten - before;
  input.take(used);
  return used === slice.length;
}
