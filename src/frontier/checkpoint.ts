/** The columns of a closed frontier in one file, so that the next opening need not replay all discoveries and fates. */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Bytes } from '../core/types.ts';

const NAME = 'checkpoint.bin';
/** Raised when a column changes its meaning: a file of another version is not used. */
const VERSION = 2;
/** Length of the header and CRC-32 of everything behind them, each in 4 bytes. */
const FRAME: Bytes = 8;
/** As many bytes as one read or write moves at most: Linux stops at 2 GiB. */
const AT_ONCE: Bytes = 1024 * 1024 * 1024;

/** Facts and columns of a frontier. Its data are all in the store, so a file that is missing, torn or changed costs a replay and nothing else. */
export interface Checkpoint {
  readonly facts: Readonly<Record<string, number>>;
  /** By name. Numbers have the byte order of the machine. */
  readonly columns: Readonly<Record<string, Uint8Array>>;
}

interface Header {
  readonly version: number;
  readonly littleEndian: boolean;
  /** The store names it too, and only as long as nothing was written since. */
  readonly id: string;
  /** The model whose judgements the columns follow; null for the stored ones. */
  readonly judgedBy: string | null;
  readonly facts: Readonly<Record<string, number>>;
  readonly columns: readonly { readonly name: string; readonly bytes: Bytes }[];
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Writes the file, whole or not at all. @returns its id; null if it could not be written, for example on a full disk */
export function writeCheckpoint(dir: string, judgedBy: string | null, { facts, columns }: Checkpoint): string | null {
  const id = randomUUID();
  const sizes = Object.entries(columns).map(([name, { length }]) => ({ name, bytes: length }));
  const header: Header = { version: VERSION, littleEndian: LITTLE_ENDIAN, id, judgedBy, facts, columns: sizes };
  const json = Buffer.from(JSON.stringify(header));
  const parts = [json, ...Object.values(columns)];
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32LE(json.length, 0);
  frame.writeUInt32LE(
    parts.reduce((crc, part) => crc32(part, crc), 0),
    4,
  );
  const path = join(dir, NAME);
  try {
    writeWhole(`${path}.new`, [frame, ...parts]);
    renameSync(`${path}.new`, path);
    return id;
  } catch {
    rmSync(`${path}.new`, { force: true });
    return null;
  }
}

/** The checkpoint with this id; null if the file is another, or is damaged, or follows another model. */
export function readCheckpoint(dir: string, id: string, judgedBy: string | null): Checkpoint | null {
  try {
    return checkpointIn(readWhole(join(dir, NAME)), id, judgedBy);
  } catch {
    // A file that cannot be read costs a replay.
    return null;
  }
}

function checkpointIn(bytes: Uint8Array, id: string, judgedBy: string | null): Checkpoint | null {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, FRAME);
  const content = bytes.subarray(FRAME);
  if (crc32(content) !== frame.readUInt32LE(4)) return null;
  let at: Bytes = frame.readUInt32LE(0);
  const header = JSON.parse(Buffer.from(content.subarray(0, at)).toString('utf8')) as Header;
  const isOurs = header.version === VERSION && header.littleEndian === LITTLE_ENDIAN;
  if (!isOurs || header.id !== id || header.judgedBy !== judgedBy) return null;
  const columns: Record<string, Uint8Array> = {};
  for (const { name, bytes: size } of header.columns) {
    columns[name] = content.subarray(at, at + size);
    at += size;
  }
  return { facts: header.facts, columns };
}

function writeWhole(path: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(path, 'w');
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(fd, part, at, Math.min(AT_ONCE, part.length - at));
  } finally {
    closeSync(fd);
  }
}

function readWhole(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(fstatSync(fd).size);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(fd, bytes, at, Math.min(AT_ONCE, bytes.length - at), at);
      if (read === 0) throw new Error('the file became shorter');
      at += read;
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}
