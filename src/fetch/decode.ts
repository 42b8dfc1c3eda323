import type { Transform } from 'node:stream';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib';
import type { Bytes } from '../core/types.ts';

export type Coding = 'gzip' | 'deflate' | 'br';

/** A payload after decoding; `truncated` if a cap cut it, or if the encoding was damaged or ended too early. */
export interface Decoded {
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

const CODINGS: Readonly<Record<string, Coding>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate', br: 'br' };
/** Some servers compress twice; more layers than that are an attack. */
const MAX_CODINGS = 2;
/** Up to this many wire bytes are inflated at once on the calling thread: about half a millisecond. */
const SYNC_LIMIT: Bytes = 256 * 1024;
/** Below this, a high ratio is harmless, and ordinary for generated pages. */
const RATIO_FREE: Bytes = 1024 * 1024;
/** Ordinary HTML compresses 4 to 20 times; deflate's limit is 1032, and brotli's far above. */
const MAX_RATIO = 100;
/** Least piece of a damaged payload given to the decoder; the output of the damaged piece is lost. */
const MIN_PIECE: Bytes = 512;

/**
 * The codings of a `Content-Encoding` field, in the order they were applied.
 * @returns null for a coding that was not requested and cannot be undone
 */
export function codingsOf(field: string | undefined): readonly Coding[] | null {
  if (field === undefined) return [];
  const codings: Coding[] = [];
  for (const token of field.split(',')) {
    const name = token.trim().toLowerCase();
    if (name === '' || name === 'identity') continue;
    const coding = CODINGS[name];
    if (coding === undefined || codings.length === MAX_CODINGS) return null;
    codings.push(coding);
  }
  return codings;
}

/** The `deflate` of HTTP is zlib (RFC 9110 §8.4.1.2), but some servers send it raw: the zlib header has its own check sum. */
function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function inflateAtOnce(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Uint8Array {
  if (coding === 'gzip') return gunzipSync(wire, { maxOutputLength });
  if (coding === 'br') return brotliDecompressSync(wire, { maxOutputLength });
  return isZlib(wire) ? inflateSync(wire, { maxOutputLength }) : inflateRawSync(wire, { maxOutputLength });
}

function decoderFor(wire: Uint8Array, coding: Coding): Transform {
  if (coding === 'gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  return isZlib(wire) ? createInflate() : createInflateRaw();
}

/** Decodes piece by piece off the main thread, and keeps everything before the cap or the first damage. */
function inflateInPieces(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Promise<Decoded> {
  const decoder = decoderFor(wire, coding);
  const step = Math.max(MIN_PIECE, wire.byteLength >> 8);
  const parts: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const finish = (truncated: boolean) => {
      decoder.removeAllListeners('data');
      decoder.destroy();
      resolve({ body: joinBytes(parts, Math.min(size, maxOutputLength)), truncated });
    };
    const feed = (from: number) => {
      if (from >= wire.byteLength) decoder.end();
      else decoder.write(wire.subarray(from, from + step), (error) => !error && !decoder.destroyed && feed(from + step));
    };
    decoder.on('data', (chunk: Uint8Array) => {
      parts.push(chunk);
      size += chunk.byteLength;
      if (size > maxOutputLength) finish(true);
    });
    decoder.once('end', () => finish(false));
    decoder.on('error', () => finish(true));
    feed(0);
  });
}

async function undo(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Promise<Decoded> {
  if (wire.byteLength === 0) return { body: wire, truncated: false };
  // Many servers declare gzip and send plain text. Browsers fail then; a crawler need not.
  if (coding === 'gzip' && !isGzip(wire)) return { body: wire, truncated: false };
  if (wire.byteLength > SYNC_LIMIT) return inflateInPieces(wire, coding, maxOutputLength);
  try {
    return { body: ownBytes(inflateAtOnce(wire, coding, maxOutputLength)), truncated: false };
  } catch {
    return inflateInPieces(wire, coding, maxOutputLength);
  }
}

/**
 * Undoes the codings of a payload, the last applied first. Returns at most `maxBodyBytes` and, beyond a megabyte, at most a hundred times the bytes
 * of the wire, for any number of codings.
 * @returns null if a non-empty payload decodes to nothing
 */
export async function decodeContent(wire: Uint8Array, codings: readonly Coding[], maxBodyBytes: Bytes): Promise<Decoded | null> {
  const maxOutputLength = Math.min(maxBodyBytes, Math.max(RATIO_FREE, MAX_RATIO * wire.byteLength));
  let decoded: Decoded = { body: wire, truncated: false };
  for (const coding of codings.toReversed()) {
    const next = await undo(decoded.body, coding, maxOutputLength);
    decoded = { body: next.body, truncated: next.truncated || decoded.truncated };
  }
  return decoded.truncated && decoded.body.byteLength === 0 ? null : decoded;
}

/** The first `size` bytes of `parts` in a buffer of exactly that size, so that it can be posted to a worker without other data. */
export function joinBytes(parts: readonly Uint8Array[], size: Bytes): Uint8Array {
  const joined = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const part of parts) {
    const room = size - at;
    joined.set(part.byteLength > room ? part.subarray(0, room) : part, at);
    at += Math.min(part.byteLength, room);
    if (at === size) break;
  }
  return joined;
}

function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : joinBytes([bytes], bytes.byteLength);
}
