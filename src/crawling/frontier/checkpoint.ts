/** The columns of a closed frontier in one file, so that the next opening need not replay all discoveries and fates. */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Bytes } from '../../base/core/types.ts';

const NAME = 'checkpoint.bin';
/** Raised when a column changes its meaning, or the file its form: a file of another version is not used. */
const VERSION = 5;
/** Length of the header and its CRC-32, each in 4 bytes. */
const FRAME: Bytes = 8;
/** Most bytes that one read or write moves: Linux stops at 2 GiB. */
const AT_ONCE: Bytes = 1024 * 1024 * 1024;

/** Columns by name, each in parts. Those that were read have a memory of their own for each part. Numbers have the byte order of the machine. */
export type Columns = Readonly<Record<string, readonly Uint8Array[]>>;

/** A part of the frontier whose state a checkpoint holds. */
export interface Checkpointed {
  /** The current state. It may share memory with the columns. */
  columns(): Columns;
  /** Takes the state of another one in place of its first state, and may keep the memory of the columns. @returns false if they do not have it */
  restore(columns: Columns): boolean;
}

/** Facts and columns of a frontier. Its data are all in the store, so a file that is missing, torn or changed costs a replay and nothing else. */
export interface Checkpoint {
  readonly facts: Readonly<Record<string, number>>;
  readonly columns: Columns;
}

interface Header {
  readonly version: number;
  readonly littleEndian: boolean;
  /** The store names it too, and only as long as nothing was written since. */
  readonly id: string;
  /** The model whose judgements the columns follow; null for the stored ones. */
  readonly judgedBy: string | null;
  readonly facts: Readonly<Record<string, number>>;
  readonly columns: readonly { readonly name: string; readonly parts: readonly StoredPart[] }[];
}

interface StoredPart {
  readonly bytes: Bytes;
  readonly crc32: number;
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Writes the file, whole or not at all, and copies no column. @returns its id; null if it could not be written, for example on a full disk */
export function writeCheckpoint(dir: string, judgedBy: string | null, { facts, columns }: Checkpoint): string | null {
  const id = randomUUID();
  const stored = Object.entries(columns).map(([name, parts]) => ({
    name,
    parts: parts.map((part) => ({ bytes: part.length, crc32: crc32(part) })),
  }));
  const header: Header = { version: VERSION, littleEndian: LITTLE_ENDIAN, id, judgedBy, facts, columns: stored };
  const json = Buffer.from(JSON.stringify(header));
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32LE(json.length, 0);
  frame.writeUInt32LE(crc32(json), 4);
  const path = join(dir, NAME);
  try {
    writeWhole(`${path}.new`, [frame, json, ...Object.values(columns).flat()]);
    renameSync(`${path}.new`, path);
    return id;
  } catch {
    rmSync(`${path}.new`, { force: true });
    return null;
  }
}

/**
 * The checkpoint with this id; null if the file is another, or is damaged, or follows another model. Only the columns take memory.
 * @param wanted `judgedBy`: the models of which the columns may follow one, null for the stored judgements. Default: any. `only`: the names of the columns
 * that are read. Default: all
 */
export function readCheckpoint(
  dir: string,
  id: string,
  wanted: { readonly judgedBy?: readonly (string | null)[]; readonly only?: ReadonlySet<string> },
): Checkpoint | null {
  try {
    const fd = openSync(join(dir, NAME), 'r');
    try {
      return checkpointIn(fd, id, wanted);
    } finally {
      closeSync(fd);
    }
  } catch {
    // A file that cannot be read costs a replay.
    return null;
  }
}

/** @throws Error for a file that is damaged */
function checkpointIn(fd: number, id: string, { judgedBy, only }: Parameters<typeof readCheckpoint>[2]): Checkpoint | null {
  const frame = Buffer.from(bytesIn(fd, 0, FRAME).buffer);
  const length = frame.readUInt32LE(0);
  const json = checkedIn(fd, FRAME, { bytes: length, crc32: frame.readUInt32LE(4) });
  const header = JSON.parse(Buffer.from(json.buffer).toString('utf8')) as Header;
  const isOurs = header.version === VERSION && header.littleEndian === LITTLE_ENDIAN;
  if (!isOurs || header.id !== id || judgedBy?.includes(header.judgedBy) === false) return null;
  const columns: Record<string, Uint8Array[]> = {};
  let at: Bytes = FRAME + length;
  for (const { name, parts } of header.columns) {
    const places = parts.map((part) => {
      at += part.bytes;
      return [at - part.bytes, part] as const;
    });
    if (only?.has(name) !== false) columns[name] = places.map(([from, part]) => checkedIn(fd, from, part));
  }
  return { facts: header.facts, columns };
}

function checkedIn(fd: number, at: Bytes, part: StoredPart): Uint8Array {
  const bytes = bytesIn(fd, at, part.bytes);
  if (crc32(bytes) !== part.crc32) throw new Error('the file has changed since it was written');
  return bytes;
}

/** Some bytes of a file, in a memory of their own. */
function bytesIn(fd: number, from: Bytes, length: Bytes): Uint8Array {
  // Before any memory is taken: a damaged length may be of gigabytes.
  if (fstatSync(fd).size < from + length) throw new Error('the file is too short');
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const read = readSync(fd, bytes, at, Math.min(AT_ONCE, length - at), from + at);
    if (read === 0) throw new Error('the file became shorter');
    at += read;
  }
  return bytes;
}

function writeWhole(path: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(path, 'w');
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(fd, part, at, Math.min(AT_ONCE, part.length - at));
  } finally {
    closeSync(fd);
  }
}
