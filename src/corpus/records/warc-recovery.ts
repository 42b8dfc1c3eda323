/** Reads WARC files beyond damage. */
import { type FileHandle, open } from 'node:fs/promises';
import { constants, inflateRawSync } from 'node:zlib';
import { DataError, damageIn, type OnDamaged } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { DamagedWarc, damaged } from './file-bytes.ts';
import { type Wants, type WarcEntry, walkWarc } from './warc-stream.ts';

/** The start of a gzip member: magic number and DEFLATE (RFC 1952 §2.3). */
const MEMBER = Buffer.from([0x1f, 0x8b, 8]);
const HEADER: Bytes = 10;
/** The flag of an extra field, which some programs write; others of our own members and of theirs are 0. */
const FEXTRA = 4;
/** The start of a record in a file without compression. */
const RECORD = Buffer.from('WARC/1.');
/** Enough to inflate the first bytes, whichever codes precede them (RFC 1951 §3.2.7); at DEFLATE's largest ratio (1032:1), a megabyte. */
const LOOKED_AT: Bytes = 1024;
const READ_AT_ONCE: Bytes = 1024 * 1024;

/**
 * Walks files of one gzip member a record, as `walkWarc` does. Damage is reported and skipped, up to the next member that starts a record.
 * @param onDamaged undefined: damage is an error
 */
export async function* walkWarcBehindDamage(
  path: string,
  wants: Wants,
  end: Bytes,
  onDamaged: OnDamaged | undefined,
): AsyncGenerator<WarcEntry> {
  let from: Bytes | null = 0;
  while (from !== null) {
    let good: Bytes = from;
    try {
      for await (const entry of walkWarc(path, wants, end, from)) {
        // A damaged member may inflate to more than was written; its checksum is not checked at that point.
        if (entry.end === entry.start) throw damaged(path, entry.start, 'a gzip member continues after its record');
        yield entry;
        good = entry.end;
      }
      return;
    } catch (error) {
      if (!onDamaged) throw damageIn(error);
      if (!(error instanceof DataError)) throw error;
      onDamaged(error instanceof DamagedWarc ? error.where : error.message);
      from = await nextMember(path, good + 1, end, 'WARC/');
    }
  }
}

/** The position of the next record behind damage; null if there is none. O(skipped bytes). @param isGzip is each record a gzip member? */
export function nextRecord(path: string, from: Bytes, end: Bytes, isGzip: boolean): Promise<Bytes | null> {
  return isGzip ? nextMember(path, from, end, 'WARC/') : nextPlace(path, from, end, RECORD, async () => true);
}

/** The position of the next gzip member whose content starts with `beginning`; null if there is none. O(skipped bytes). */
export function nextMember(path: string, from: Bytes, end: Bytes, beginning: string): Promise<Bytes | null> {
  return nextPlace(path, from, end, MEMBER, (handle, at) => begins(handle, at, end, beginning));
}

async function nextPlace(
  path: string,
  from: Bytes,
  end: Bytes,
  start: Buffer,
  isRight: (handle: FileHandle, at: Bytes) => Promise<boolean>,
): Promise<Bytes | null> {
  const handle = await open(path, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    for (let at = from; at < end; ) {
      const bytes = await read(handle, at, Math.min(READ_AT_ONCE, end - at));
      if (bytes.length < start.length) return null;
      for (let found = bytes.indexOf(start); found >= 0; found = bytes.indexOf(start, found + 1))
        if (await isRight(handle, at + found)) return at + found;
      at += bytes.length - start.length + 1;
    }
    return null;
  } finally {
    await handle.close();
  }
}

async function begins(handle: FileHandle, at: Bytes, end: Bytes, beginning: string): Promise<boolean> {
  const head = await read(handle, at, HEADER + 2);
  const flags = head[3] ?? 0xff;
  if ((flags & ~FEXTRA) !== 0 || head.length < HEADER + 2) return false;
  const content = HEADER + (flags === FEXTRA ? 2 + head.readUInt16LE(HEADER) : 0);
  const bytes = await read(handle, at + content, Math.min(LOOKED_AT, Math.max(0, end - at - content)));
  try {
    // As many bytes as are available: the member may be longer.
    const text = inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
    return text.toString('latin1', 0, beginning.length) === beginning;
  } catch {
    return false;
  }
}

async function read(handle: FileHandle, at: Bytes, size: Bytes): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, at);
  return buffer.subarray(0, bytesRead);
}
