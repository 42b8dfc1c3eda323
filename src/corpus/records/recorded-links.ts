/** The links of a recorded crawl's pages, read once from the start and synchronously: opening a crawl waits for them. */
import { closeSync, openSync, readSync } from 'node:fs';
import { crc32, type InflateRaw, inflateRawSync } from 'node:zlib';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { FrozenVisit } from '../../base/core/frozen-visit.ts';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import { frozenVisitOf } from './frozen-page.ts';

/** Number of bytes read at once; some hundred members. */
const CHUNK_BYTES: Bytes = 4 * 1024 * 1024;
/** Longest line, as of a frozen web. */
const MAX_LINE_BYTES: Bytes = 64 * 1024 * 1024;
/** Header of a gzip member that we write: RFC 1952 without optional fields. */
const HEADER_BYTES: Bytes = 10;
const TRAILER_BYTES: Bytes = 8;

/**
 * The links of a page by its URL, or the target of a redirect. URLs must be requested in the order they were recorded, each once; skipped ones are
 * ignored. A fifth of a millisecond for a page of 80 links.
 * @param length number of valid bytes in the file: the committed offset of a crawl's recording
 * @returns throws DataError if the file is damaged, or does not contain the URL
 */
export function recordedLinks(path: string, length: Bytes): (url: CanonicalUrl) => readonly CanonicalUrl[] {
  const visits = visitsOf(path, length);
  return (url) => {
    for (let next = visits.next(); !next.done; next = visits.next()) {
      const links = next.value.url === url ? linksOf(next.value) : null;
      if (links !== null) return links;
    }
    throw new DamageError(`${path}: lacks the links of ${url}, which the crawl has read; restore the crawl directory from a copy`);
  };
}

/** null for a URL that gave neither page nor redirect. */
function linksOf(visit: FrozenVisit): readonly CanonicalUrl[] | null {
  if (visit.kind === 'redirect') return [visit.to];
  return visit.kind === 'page' ? visit.content.links.map(({ url }) => url) : null;
}

function* visitsOf(path: string, length: Bytes): Generator<FrozenVisit> {
  let held: Uint8Array = new Uint8Array(0);
  let at = 0;
  let isHeader = true;
  while (at < length) {
    const member = memberAt(held);
    if (member === null) {
      const from = at + held.length;
      const more = chunkOf(path, from, Math.min(Math.max(CHUNK_BYTES, held.length), length - from));
      if (more.length === 0) throw new DamageError(`${path}: damaged at byte ${at}; restore the crawl directory from a copy`);
      held = Buffer.concat([held, more]);
      continue;
    }
    if (!isHeader) yield frozenVisitOf(member.line, path, at);
    isHeader = false;
    at += member.size;
    held = held.subarray(member.size);
  }
}

/** The gzip member at the start of the bytes; null if it does not end in them, or if there is none. */
function memberAt(bytes: Uint8Array): { readonly line: string; readonly size: Bytes } | null {
  try {
    const inflated: unknown = inflateRawSync(bytes.subarray(HEADER_BYTES), { info: true, maxOutputLength: MAX_LINE_BYTES });
    if (!isInflated(inflated)) return null;
    const size = HEADER_BYTES + inflated.engine.bytesWritten + TRAILER_BYTES;
    if (size > bytes.length) return null;
    const trailer = Buffer.from(bytes.subarray(size - TRAILER_BYTES, size));
    return trailer.readUInt32LE(0) === crc32(inflated.buffer) ? { line: inflated.buffer.toString('utf8'), size } : null;
  } catch {
    return null;
  }
}

/** Whether zlib returned its engine too, as it does with `info`. The engine knows how many bytes it read; the types do not declare it. */
function isInflated(result: unknown): result is { readonly buffer: Buffer; readonly engine: InflateRaw } {
  return typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result;
}

/** @throws DataError */
function chunkOf(path: string, at: Bytes, size: Bytes): Buffer {
  const bytes = Buffer.alloc(size);
  try {
    const file = openSync(path, 'r');
    try {
      return bytes.subarray(0, readSync(file, bytes, 0, size, at));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new DamageError(`${path}: cannot be read at byte ${at} (${messageOf(error)}); restore the crawl directory from a copy`, {
      cause: error,
    });
  }
}
