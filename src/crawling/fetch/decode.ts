import type { Transform } from 'node:stream';
import { createBrotliDecompress, createInflateRaw } from 'node:zlib';
import type { Bytes } from '../../base/core/types.ts';
import {
  type Coding,
  type Decoded,
  GZIP_TRAILER,
  isGzip,
  isMisnamed,
  isPlain,
  isSound,
  isZlib,
  memberStart,
  undoAtOnce,
} from '../../base/web/content-coding.ts';

/** Some servers compress twice; more layers than that are an attack. */
export const MAX_CODINGS = 2;
/** Up to this many wire bytes are inflated at once on the calling thread: about half a millisecond. */
const SYNC_LIMIT: Bytes = 256 * 1024;
/** Size below which a high ratio is harmless, and ordinary for generated pages. */
const RATIO_FREE: Bytes = 1024 * 1024;
/** Ordinary HTML compresses 4 to 20 times; deflate's limit is 1032, and brotli's far above. */
const MAX_RATIO = 100;
/** Least piece of a damaged payload given to the decoder; the output of the damaged piece is lost. */
const MIN_PIECE: Bytes = 512;

/** One stream, decoded up to its end, its damage or the cap. */
interface Stream {
  readonly body: Uint8Array;
  /** Number of bytes that the decoder read. */
  readonly used: Bytes;
  /** `cut`: by the cap. */
  readonly end: 'reached' | 'damaged' | 'cut';
}

/** Decodes piece by piece off the main thread, and keeps everything before the cap or the first damage. */
function decodedStream(wire: Uint8Array, decoder: Transform & { readonly bytesWritten: Bytes }, maxOutputLength: Bytes): Promise<Stream> {
  const step = Math.max(MIN_PIECE, wire.byteLength >> 8);
  const parts: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const finish = (end: Stream['end']) => {
      const used = decoder.bytesWritten;
      decoder.removeAllListeners('data');
      decoder.destroy();
      resolve({ body: joinBytes(parts, Math.min(size, maxOutputLength)), used, end });
    };
    const feed = (from: number) => {
      if (from >= wire.byteLength) decoder.end();
      else decoder.write(wire.subarray(from, from + step), (error) => !error && !decoder.destroyed && feed(from + step));
    };
    decoder.on('data', (chunk: Uint8Array) => {
      parts.push(chunk);
      size += chunk.byteLength;
      if (size > maxOutputLength) finish('cut');
    });
    decoder.once('end', () => finish('reached'));
    decoder.on('error', () => finish('damaged'));
    feed(0);
  });
}

/** Does the work of `undoAtOnce` off the main thread, and up to the cap. The checksum of zlib is not compared. */
async function undoInPieces(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Promise<Decoded> {
  if (coding === 'gzip') return gunzipInPieces(wire, maxOutputLength);
  const start = coding === 'deflate' && isZlib(wire) ? 2 : 0;
  const decoder = coding === 'br' ? createBrotliDecompress() : createInflateRaw();
  const { body, end } = await decodedStream(wire.subarray(start), decoder, maxOutputLength);
  if (end === 'damaged' && isMisnamed(wire, coding, body)) return { body: wire.subarray(0, maxOutputLength), truncated: false };
  return { body, truncated: end !== 'reached' };
}

async function gunzipInPieces(wire: Uint8Array, maxOutputLength: Bytes): Promise<Decoded> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let truncated = false;
  for (let at = 0; isGzip(wire, at) && !truncated; ) {
    const start = memberStart(wire, at);
    const { body, used, end } = await decodedStream(wire.subarray(start), createInflateRaw(), maxOutputLength - size);
    parts.push(body);
    size += body.byteLength;
    at = start + used + GZIP_TRAILER;
    truncated = end !== 'reached' || !isSound(body, wire.subarray(start + used, at));
  }
  const [first] = parts;
  return { body: parts.length === 1 && first ? first : joinBytes(parts, size), truncated };
}

async function undo(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Promise<Decoded> {
  if (isPlain(wire, coding)) return { body: wire, truncated: false };
  if (wire.byteLength > SYNC_LIMIT) return undoInPieces(wire, coding, maxOutputLength);
  try {
    const { body, truncated } = undoAtOnce(wire, coding, maxOutputLength);
    return { body: ownBytes(body), truncated };
  } catch {
    // Longer than the cap: the pieces stop there.
    return undoInPieces(wire, coding, maxOutputLength);
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
