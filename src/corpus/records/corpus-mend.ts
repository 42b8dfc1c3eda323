/** Removes damaged parts from corpus files. The old file is moved to another folder, never deleted. */
import { link, mkdir, open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOf } from '../../base/core/checksum.ts';
import { DataError, type OnDamaged } from '../../base/core/errors.ts';
import { flush, isThere } from '../../base/core/on-disk.ts';
import type { Bytes, CorpusRecord } from '../../base/core/types.ts';
import { writeAll } from './corpus-file.ts';
import { VISITS_FILE } from './corpus-writer.ts';
import { damaged, FileBytes } from './file-bytes.ts';
import { frozenHeader } from './frozen-page.ts';
import { pieces } from './gzip-members.ts';
import { byteLines, isRecordLine, placedRecords, RECORDS_FILE } from './records.ts';
import { nextMember, walkWarcBehindDamage } from './warc-recovery.ts';

/** Bytes of a file, from `start` to before `end`. */
interface Extent {
  readonly start: Bytes;
  readonly end: Bytes;
}

export interface MendedFile {
  readonly name: string;
  /** The removed parts, one line each. */
  readonly damage: readonly string[];
  /** Size of the old file; equal if nothing was removed. */
  readonly before: Bytes;
  readonly after: Bytes;
}

const COPIED_AT_ONCE: Bytes = 1024 * 1024;
const NOTHING = new Uint8Array(0);
/** Software named by a recording whose own first line is lost. */
const SOFTWARE = 'repair';

/** Options for mending files. */
export interface MendOptions {
  /** Folder that receives the old files. */
  readonly aside: string;
  /** Called immediately before a file is replaced: it throws if the folder no longer belongs to this process. */
  readonly mayWrite: () => void;
  /** Ends the work with the reason of the signal; the file stays as it was. */
  readonly signal?: AbortSignal;
}

/**
 * Removes damage from a corpus file: lines with a wrong checksum, and WARC records and recorded visits that cannot be read. An undamaged file stays
 * as it is. A damaged file is moved to `aside`, under its name, before the new one takes its place. O(file).
 */
export async function mendFile(dir: string, name: string, options: MendOptions): Promise<MendedFile> {
  const path = join(dir, name);
  const { size } = await stat(path);
  const damage: string[] = [];
  const good = await joined(
    goodExtents(path, name, size, (message) => damage.push(message)),
    options,
  );
  const after = good.reduce((sum, { start, end }) => sum + end - start, 0);
  if (after === size) return { name, damage: [], before: size, after };
  if (damage.length === 0) damage.push(`${path}: ends in the middle of a record`);
  await replace(dir, name, good, options);
  return { name, damage, before: size, after };
}

/** Removes undamaged records from `records.jsonl`, in the same way. @returns their number */
export async function leaveOutRecords(dir: string, isWanted: (record: CorpusRecord) => boolean, options: MendOptions): Promise<number> {
  let unwanted = 0;
  async function* wanted(): AsyncGenerator<Extent> {
    for await (const { record, place } of placedRecords(dir, undefined, () => undefined))
      if (isWanted(record)) yield { start: place.start, end: place.start + place.length + 1 };
      else unwanted += 1;
  }
  const good = await joined(wanted(), options);
  if (unwanted > 0) await replace(dir, RECORDS_FILE, good, options);
  return unwanted;
}

async function replace(dir: string, name: string, good: readonly Extent[], { aside, mayWrite }: MendOptions): Promise<void> {
  const path = join(dir, name);
  const mended = `${path}.mended`;
  // A recording starts with a header line.
  const head = name === VISITS_FILE && good[0]?.start !== 0 ? frozenHeader({ software: `forager/${SOFTWARE}`, extractor: null }) : NOTHING;
  await copyExtents(path, head, good, mended);
  await mkdir(aside, { recursive: true });
  mayWrite();
  await link(path, join(aside, freeName(aside, name)));
  await flush(aside);
  await rename(mended, path);
  await flush(dir);
}

/** A file may be mended twice. */
function freeName(aside: string, name: string): string {
  for (let number = 0; ; number++) {
    const free = number === 0 ? name : `${name}.${number}`;
    if (!isThere(join(aside, free))) return free;
  }
}

function goodExtents(path: string, name: string, size: Bytes, onDamaged: OnDamaged): AsyncGenerator<Extent> {
  if (name === VISITS_FILE) return goodMembers(path, size, onDamaged);
  return name.endsWith('.warc.gz') ? goodWarcRecords(path, size, onDamaged) : goodLines(path, name === RECORDS_FILE, size, onDamaged);
}

async function* goodWarcRecords(path: string, size: Bytes, onDamaged: OnDamaged): AsyncGenerator<Extent> {
  for await (const { start, end } of walkWarcBehindDamage(path, () => false, size, onDamaged)) yield { start, end };
}

/** @param ofRecords the lines are corpus records */
async function* goodLines(path: string, ofRecords: boolean, size: Bytes, onDamaged: OnDamaged): AsyncGenerator<Extent> {
  let start = 0;
  let number = 0;
  let haveChecksums = false;
  for await (const line of byteLines(path, size, onDamaged)) {
    const end = start + line.length + 1;
    number += 1;
    const check = checkOf(line);
    haveChecksums ||= check === 'right';
    // Lines of Forager 0.1 have no checksum, and come before all others.
    const isWhole = check === 'right' || (check === 'none' && !haveChecksums);
    const isGood = end <= size && isWhole && (ofRecords ? isRecordLine(line) : isJson(line));
    if (isGood) yield { start, end };
    else onDamaged(`${path}:${number}: has changed since it was written`);
    start = end;
  }
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** Each member of a recording is one line; it is undamaged if its gzip checksum is right. */
async function* goodMembers(path: string, size: Bytes, onDamaged: OnDamaged): AsyncGenerator<Extent> {
  for (let from: Bytes | null = 0; from !== null; ) {
    let start: Bytes = from;
    const input = await FileBytes.open(path, size, from);
    try {
      for await (const piece of pieces(input)) {
        // If its first bytes are lost, the reader takes the file for an uncompressed one.
        if (piece.kind === 'plain') throw damaged(path, piece.at, 'no gzip member starts here');
        if (piece.kind !== 'end-of-member') continue;
        yield { start, end: piece.at };
        start = piece.at;
      }
      return;
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      onDamaged(error.message);
    } finally {
      await input.close();
    }
    from = await nextMember(path, start + 1, size, '{');
  }
}

/** Joins neighbours into one. */
async function joined(extents: AsyncIterable<Extent>, { signal }: MendOptions): Promise<Extent[]> {
  const runs: Extent[] = [];
  for await (const { start, end } of extents) {
    signal?.throwIfAborted();
    const last = runs.at(-1);
    if (last?.end === start) runs[runs.length - 1] = { start: last.start, end };
    else runs.push({ start, end });
  }
  return runs;
}

async function copyExtents(from: string, head: Uint8Array, extents: readonly Extent[], to: string): Promise<void> {
  const [source, target] = [await open(from, 'r'), await open(to, 'w')];
  try {
    await writeAll(target, head, 0);
    let at = head.length;
    for (const { start, end } of extents) {
      for (let done = start; done < end; ) {
        const { buffer, bytesRead } = await source.read(Buffer.alloc(Math.min(COPIED_AT_ONCE, end - done)), 0, null, done);
        if (bytesRead === 0) throw new DataError(`${from}: became shorter while it was read; run the same command again`);
        await writeAll(target, buffer.subarray(0, bytesRead), at);
        at += bytesRead;
        done += bytesRead;
      }
    }
    await target.sync();
  } finally {
    await source.close();
    await target.close();
  }
}
