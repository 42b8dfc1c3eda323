/** The central directory of a ZIP file: names, places and sizes of its entries. */
import type { Bytes } from '../../base/core/types.ts';
import { ZIP_MAX_16, ZIP_MAX_32, ZIP_SIGNATURE, ZIP_SIZE, ZIP64_EXTRA } from '../../base/disk/zip-format.ts';

/** Number of entries that a file without Zip64 may have; no document has a tenth of it. */
const MAX_ENTRIES = ZIP_MAX_16;
/** A name may have 255 bytes, and a path a few folders (EPUB 3.3, OCF §4.2.3). Longer ones are no part of a document. */
const MAX_NAME: Bytes = 1024;

export interface ZipEntryFacts {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: Bytes;
  readonly size: Bytes;
  /** Place of its local header. */
  readonly offset: Bytes;
}

export type ZipDirectory =
  | { readonly kind: 'entries'; readonly entries: readonly ZipEntryFacts[] }
  | { readonly kind: 'failed'; readonly detail: string };

/**
 * Entries by the directory at the end of the file. Bytes before the first entry or behind the directory are ignored.
 * @param bytes the file, or its end with all of the directory
 * @param before number of bytes of the file in front of `bytes`
 */
export function zipDirectory(bytes: Uint8Array, before: Bytes = 0): ZipDirectory {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const place = placeOf(file, before);
  if (typeof place === 'string') return { kind: 'failed', detail: place };
  const entries = entriesOf(file, place);
  const detail = typeof entries === 'string' ? entries : faultOf(entries, before + place.start);
  return typeof entries === 'string' || detail !== null ? { kind: 'failed', detail: detail ?? '' } : { kind: 'entries', entries };
}

interface Place {
  readonly start: Bytes;
  readonly end: Bytes;
  readonly count: number;
  /** Bytes in front of the archive, which its offsets do not count. */
  readonly shift: Bytes;
}

function placeOf(file: Buffer, before: Bytes): Place | string {
  const end = endRecord(file);
  if (end < 0) return 'the ZIP file has no directory at its end: it is truncated';
  const shown = {
    count: file.readUInt16LE(end + 10),
    size: file.readUInt32LE(end + 12),
    start: file.readUInt32LE(end + 16),
  };
  const isBig = shown.count === ZIP_MAX_16 || shown.size === ZIP_MAX_32 || shown.start === ZIP_MAX_32;
  const big = isBig ? bigPlace(file, end, before) : null;
  const { count, size, start, limit } = big ?? { ...shown, limit: end };
  const shift = before + limit - size - start;
  if (![count, size, start].every(Number.isSafeInteger) || shift < 0 || limit < size)
    return 'the directory of the ZIP file is not where its end says';
  if (count > MAX_ENTRIES) return `the ZIP file has ${count} entries; ${MAX_ENTRIES} are the most`;
  return { start: limit - size, end: limit, count, shift };
}

/** The last record whose comment is not longer than the rest of the file; -1 for none. */
function endRecord(file: Buffer): number {
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(ZIP_SIGNATURE.end);
  const first = Math.max(0, file.length - ZIP_SIZE.end - ZIP_MAX_16);
  for (let at = file.lastIndexOf(signature); at >= first; at = at === 0 ? -1 : file.lastIndexOf(signature, at - 1))
    if (at + ZIP_SIZE.end <= file.length && at + ZIP_SIZE.end + file.readUInt16LE(at + 20) <= file.length) return at;
  return -1;
}

/** The Zip64 record; null without one. */
function bigPlace(file: Buffer, end: Bytes, before: Bytes): { count: number; size: Bytes; start: Bytes; limit: Bytes } | null {
  const locator = end - ZIP_SIZE.end64Locator;
  if (locator < 0 || file.readUInt32LE(locator) !== ZIP_SIGNATURE.end64Locator) return null;
  const declared = Number(file.readBigUInt64LE(locator + 8)) - before;
  // Bytes in front of the archive shift the record, which is right before its locator unless it has data of its own.
  const at = [declared, locator - ZIP_SIZE.end64].find(
    (place) => place >= 0 && place + ZIP_SIZE.end64 <= locator && file.readUInt32LE(place) === ZIP_SIGNATURE.end64,
  );
  if (at === undefined) return null;
  const [count, size, start] = [at + 32, at + 40, at + 48].map((field) => Number(file.readBigUInt64LE(field)));
  return { count: count ?? 0, size: size ?? 0, start: start ?? 0, limit: at };
}

function entriesOf(file: Buffer, { start, end, count, shift }: Place): ZipEntryFacts[] | string {
  const entries: ZipEntryFacts[] = [];
  let at = start;
  for (let i = 0; i < count; i += 1) {
    if (at + ZIP_SIZE.centralHeader > end || file.readUInt32LE(at) !== ZIP_SIGNATURE.centralHeader) return damaged(i, count);
    const [nameSize, extraSize, commentSize] = [at + 28, at + 30, at + 32].map((field) => file.readUInt16LE(field));
    const next = at + ZIP_SIZE.centralHeader + (nameSize ?? 0) + (extraSize ?? 0) + (commentSize ?? 0);
    if (next > end) return damaged(i, count);
    const entry = entryAt(file.subarray(at, next), nameSize ?? 0, extraSize ?? 0, shift);
    if (entry === null) return damaged(i, count);
    if ((nameSize ?? 0) <= MAX_NAME) entries.push(entry);
    at = next;
  }
  return entries;
}

function damaged(read: number, count: number): string {
  return `the directory of the ZIP file is damaged behind ${read} of ${count} entries`;
}

/** null if a size of 64 bits is missing or absurd. */
function entryAt(header: Buffer, nameSize: Bytes, extraSize: Bytes, shift: Bytes): ZipEntryFacts | null {
  const extra = ZIP_SIZE.centralHeader + nameSize;
  const wide = wideFields(header.subarray(extra, extra + extraSize));
  const field = (at: number): Bytes => {
    const value = header.readUInt32LE(at);
    return value === ZIP_MAX_32 ? (wide.shift() ?? Number.NaN) : value;
  };
  // The extra field has those that are missing, in this order (§4.5.3).
  const size = field(24);
  const packedSize = field(20);
  const offset = field(42) + shift;
  if (![size, packedSize, offset].every(Number.isSafeInteger)) return null;
  const name = nameOf(header.subarray(ZIP_SIZE.centralHeader, extra));
  return { name, flags: header.readUInt16LE(8), method: header.readUInt16LE(10), crc: header.readUInt32LE(16), packedSize, size, offset };
}

function wideFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const size = extra.readUInt16LE(at + 2);
    const data = extra.subarray(at + 4, at + 4 + size);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA)
      return Array.from({ length: Math.floor(data.length / 8) }, (_, i) => Number(data.readBigUInt64LE(i * 8)));
    at += 4 + size;
  }
  return [];
}

/** Names are UTF-8 in documents; some writers use `\`, or begin with `/`. */
function nameOf(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '');
}

/** Entries that share bytes are a bomb: each inflates the same ones. */
function faultOf(entries: readonly ZipEntryFacts[], start: Bytes): string | null {
  const byPlace = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [i, { offset, packedSize, name }] of byPlace.entries()) {
    const end = byPlace[i + 1]?.offset ?? start;
    if (offset + ZIP_SIZE.localHeader + packedSize > end)
      return `the entry ${name.slice(0, 100)} of the ZIP file overlaps the bytes behind it`;
  }
  return null;
}
