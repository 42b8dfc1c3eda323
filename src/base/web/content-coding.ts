/** The content codings of HTTP (RFC 9110 §8.4.1): their names, and how to undo them, also where a payload is damaged or misnamed. */
import { isAscii, isUtf8 } from 'node:buffer';
import { brotliDecompressSync, constants, crc32, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Bytes } from '../core/types.ts';
import { controlShare, looksBinary, looksUtf16, parseContentType } from './content-type.ts';

export type Coding = 'gzip' | 'deflate' | 'br';

/** A payload without its coding; `truncated` if a part of it is missing or does not match its checksum. */
export interface Decoded {
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

const CODINGS: Readonly<Record<string, Coding>> = { gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate', 'x-deflate': 'deflate', br: 'br' };
/** Checksum and length at the end of a gzip member. */
export const GZIP_TRAILER: Bytes = 8;
const NOTHING = new Uint8Array(0);
/** Number of bytes that tell text from compressed data. A tenth of random bytes are control characters, and text in any charset has none. */
const LOOKED_AT: Bytes = 2048;
/** Share of control characters that no text has, not even one with a few stray ones. */
const CONTROLS = 0.02;

/** The names in a `Content-Encoding` field, in lower case, without `identity`, parameters and quotes. */
function namesIn(field: string | undefined): string[] {
  const names = (field ?? '').toLowerCase().split(',');
  return names.map((name) => (name.split(';', 1)[0] ?? '').replace(/["'\s]/g, '')).filter((name) => name !== '' && name !== 'identity');
}

/**
 * The codings of a `Content-Encoding` field, in the order they were applied. Names of no known coding (`UTF-8`, `none`, `binary`) are skipped, as
 * browsers do: a body that has such a coding after all shows it by its bytes, see `strangeCodingOf`.
 * @param most number of codings that are undone
 * @returns null for more codings than `most`
 */
export function codingsOf(field: string | undefined, most: number): readonly Coding[] | null {
  if (field === undefined) return [];
  const codings = namesIn(field).flatMap((name) => CODINGS[name] ?? []);
  return codings.length > most ? null : codings;
}

/** HTML, by its declared type: servers send files that were packed beforehand, and do not say so. Other types may be archives. */
const PACKED: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** The codings of a body by its header as `codingsOf`, or by its first bytes if the header names none. @param headers lower-case names */
export function codingsIn(headers: Readonly<Record<string, string>>, body: Uint8Array, most: number): readonly Coding[] | null {
  const named = codingsOf(headers['content-encoding'], most);
  const isPacked = named?.length === 0 && isGzip(body) && PACKED.has(parseContentType(headers['content-type']).mime);
  return isPacked ? ['gzip'] : named;
}

/** The name of a coding that a body still has: one that is not known, if the bytes are no text. null otherwise. */
export function strangeCodingOf(field: string | undefined, body: Uint8Array): string | null {
  const strange = namesIn(field).find((name) => CODINGS[name] === undefined);
  return strange !== undefined && !isText(body) ? strange : null;
}

function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, LOOKED_AT);
  return !looksBinary(start) && (controlShare(start) <= CONTROLS || looksUtf16(start) !== null);
}

/** Do bytes start like a gzip member? */
export function isGzip(bytes: Uint8Array, at = 0): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b;
}

/** The `deflate` of HTTP is zlib (RFC 9110 §8.4.1.2), but some servers send it raw: the zlib header has its own check sum. */
export function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** Is a body plain although a coding is named? Many servers name gzip and send plain text. Browsers fail then; a crawler need not. */
export function isPlain(wire: Uint8Array, coding: Coding): boolean {
  return wire.byteLength === 0 || (coding === 'gzip' && !isGzip(wire));
}

/**
 * Undoes one coding on the calling thread, about half a millisecond for 256 KB. Bytes after the last gzip member are no part of it (gzip(1) ignores
 * them). Of a damaged payload it returns the part before the damage. A payload that the coding cannot undo and that is text is returned unchanged.
 * @throws RangeError if the result is longer than `maxOutputLength`
 */
export function undoAtOnce(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Decoded {
  if (isPlain(wire, coding)) return { body: wire, truncated: false };
  try {
    return { body: strictly(wire, coding, maxOutputLength), truncated: false };
  } catch (error) {
    if (isTooLong(error)) throw error;
  }
  const decoded = leniently(wire, coding, maxOutputLength);
  return decoded.truncated && isMisnamed(wire, coding, decoded.body) ? { body: wire, truncated: false } : decoded;
}

/** Is a payload that could not be undone plain text? Of text, a decoder makes a few bytes at most before it fails. Pages begin in ASCII. */
export function isMisnamed(wire: Uint8Array, coding: Coding, decoded: Uint8Array): boolean {
  return coding !== 'gzip' && decoded.byteLength < wire.byteLength && isText(wire) && (isAscii(wire.subarray(0, 32)) || isUtf8(wire));
}

function strictly(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Uint8Array {
  if (coding === 'gzip') return gunzipSync(wire, { maxOutputLength });
  if (coding === 'br') return brotliDecompressSync(wire, { maxOutputLength });
  return isZlib(wire) ? inflateSync(wire, { maxOutputLength }) : inflateRawSync(wire, { maxOutputLength });
}

function leniently(wire: Uint8Array, coding: Coding, maxOutputLength: Bytes): Decoded {
  if (coding === 'gzip') return gunzipMembers(wire, maxOutputLength);
  const start = coding === 'deflate' && isZlib(wire) ? 2 : 0;
  const flushed = coding === 'br' ? flushedBrotli : flushedDeflate;
  return { body: longest(wire.subarray(start), (bytes) => flushed(bytes, maxOutputLength).body), truncated: true };
}

/** All members of a gzip payload (RFC 1952 §2.2), up to the first bytes that are none. */
function gunzipMembers(wire: Uint8Array, maxOutputLength: Bytes): Decoded {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; isGzip(wire, at); ) {
    const start = memberStart(wire, at);
    const member = inflatedMember(wire.subarray(start), maxOutputLength - size);
    parts.push(member.body);
    size += member.body.byteLength;
    at = start + member.used + GZIP_TRAILER;
    if (!isSound(member.body, wire.subarray(at - GZIP_TRAILER, at))) return { body: Buffer.concat(parts), truncated: true };
  }
  return { body: Buffer.concat(parts), truncated: false };
}

/** A DEFLATE stream up to its end or its damage, and the number of its bytes. */
function inflatedMember(bytes: Uint8Array, maxOutputLength: Bytes): { readonly body: Uint8Array; readonly used: Bytes } {
  try {
    return flushedDeflate(bytes, maxOutputLength);
  } catch (error) {
    if (isTooLong(error)) throw error;
    return { body: longest(bytes, (start) => flushedDeflate(start, maxOutputLength).body), used: bytes.byteLength };
  }
}

/** Does a member match its trailer: checksum and length (RFC 1952 §2.3.1)? */
export function isSound(body: Uint8Array, trailer: Uint8Array): boolean {
  if (trailer.byteLength < GZIP_TRAILER) return false;
  const view = new DataView(trailer.buffer, trailer.byteOffset, GZIP_TRAILER);
  return view.getUint32(0, true) === crc32(body) && view.getUint32(4, true) === body.byteLength % 2 ** 32;
}

const FHCRC = 2;
const FEXTRA = 4;
const FNAME = 8;
const FCOMMENT = 16;

/** Start of the DEFLATE stream of a gzip member at `at` (RFC 1952 §2.3); the end of the bytes if they end before. */
export function memberStart(wire: Uint8Array, at: Bytes): Bytes {
  const flags = wire[at + 3] ?? 0;
  let start = at + 10;
  if (flags & FEXTRA) start += 2 + (wire[start] ?? 0) + 256 * (wire[start + 1] ?? 0);
  for (const flag of [FNAME, FCOMMENT]) if (flags & flag) start = afterZero(wire, start);
  return Math.min(flags & FHCRC ? start + 2 : start, wire.byteLength);
}

function afterZero(wire: Uint8Array, from: Bytes): Bytes {
  const zero = wire.indexOf(0, from);
  return zero < 0 ? wire.byteLength : zero + 1;
}

/** The longest result of a beginning of the bytes: all of it if nothing is damaged. Some twenty tries. */
function longest(bytes: Uint8Array, undo: (start: Uint8Array) => Uint8Array): Uint8Array {
  let best: Uint8Array = NOTHING;
  for (let good = 0, bad = bytes.byteLength + 1; bad - good > 1; ) {
    const middle = (good + bad) >> 1;
    try {
      best = undo(bytes.subarray(0, middle));
      good = middle;
    } catch (error) {
      if (isTooLong(error)) throw error;
      bad = middle;
    }
  }
  return best;
}

/** A stream that ends too early returns its content so far. @throws for damage */
function flushedDeflate(bytes: Uint8Array, maxOutputLength: Bytes) {
  return inflatedRaw(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
}

function flushedBrotli(bytes: Uint8Array, maxOutputLength: Bytes) {
  return { body: brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength }) };
}

/** The first DEFLATE stream of some bytes, and how many bytes it takes. @throws Error for damage, RangeError for a result over `maxOutputLength` */
export function inflatedRaw(
  bytes: Uint8Array,
  options: { readonly maxOutputLength: Bytes; readonly finishFlush?: number },
): { readonly body: Uint8Array; readonly used: Bytes } {
  const result: unknown = inflateRawSync(bytes, { ...options, info: true });
  if (!isInflated(result)) throw new Error('this zlib does not tell how many bytes it read');
  return { body: result.buffer, used: result.engine.bytesWritten };
}

/** Whether zlib returned its engine too, as it does with `info`. The engine knows how many bytes it read; the types do not declare it. */
function isInflated(result: unknown): result is { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: Bytes } } {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result;
}

function isTooLong(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

/** A small file without the gzip that nobody named: servers send `robots.txt` as it lies on their disk. Other bytes are returned unchanged. */
export function unpacked(file: Uint8Array, maxBytes: Bytes): Uint8Array {
  if (!isGzip(file)) return file;
  try {
    return undoAtOnce(file, 'gzip', maxBytes).body;
  } catch {
    return file;
  }
}
