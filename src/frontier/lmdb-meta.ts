/** Where LMDB's file begins, and which of its states LMDB will take. Layout: mdb.c of lmdb-js 3.5, `MDB_page`, `MDB_meta`, `MDB_db`. */
import { readFileSync, readSync } from 'node:fs';
import type { Bytes } from '../core/types.ts';

/** MDB_MAGIC, in the byte order of the machine. */
const MAGIC = 0xbeefc0de;
/** Where the fields of a meta page stand, in bytes: page header, meta, and in that the two trees all others hang from. */
const AT = { magic: 24, free: 48, main: 96, lastPage: 144, transaction: 152, boot: 160, end: 168 } as const;
/** In a tree's record. */
const TREE = { pageSize: 0, flags: 4, depth: 6, entries: 32, root: 40 } as const;
export const TREE_SIZE: Bytes = 48;
/** MDB_OVERLAPPINGSYNC: set in a meta page that was written before its pages were flushed to disk. */
const NOT_FLUSHED = 0x1000;
/** MDB_INTEGERKEY. */
const NUMBER_KEYS = 0x08;
/** MDB_REVERSEKEY, MDB_DUPSORT and what goes with it: no tree of ours has them. */
const OTHER_KEYS = 0x76;
/** P_INVALID: the root of an empty tree. */
const NO_PAGE = 0xffffffffffffffffn;

/** The root of a B+tree. */
export interface Tree {
  /** null of an empty one. */
  readonly root: number | null;
  readonly depth: number;
  readonly entries: number;
  /** How its keys are ordered; null where no walk of ours knows it. */
  readonly keys: KeyOrder | null;
}

/** By their bytes, or as one number in the byte order of the machine. */
export type KeyOrder = 'bytes' | 'number';

export interface Meta {
  readonly pageSize: Bytes;
  readonly lastPage: number;
  readonly transaction: number;
  /** Were all its pages on disk when it was written? */
  readonly isFlushed: boolean;
  /** Of the time the machine ran when it was written. */
  readonly boot: bigint;
  /** The pages that may be used again. */
  readonly free: Tree;
  readonly main: Tree;
}

/** @returns null where no meta page stands */
function metaAt(fd: number, offset: number): Meta | null {
  const bytes = bytesAt(fd, offset);
  return bytes !== null && bytes.readUInt32LE(AT.magic) === MAGIC ? metaIn(bytes) : null;
}

function bytesAt(fd: number, offset: number): Buffer | null {
  const bytes = Buffer.alloc(AT.end);
  return readSync(fd, bytes, 0, AT.end, offset) < AT.end ? null : bytes;
}

/** null for an impossible one. */
function metaIn(bytes: Buffer): Meta | null {
  const pageSize = bytes.readUInt32LE(AT.free + TREE.pageSize);
  if (pageSize < 256 || pageSize > 65_536) return null;
  return {
    pageSize,
    lastPage: Number(bytes.readBigUInt64LE(AT.lastPage)),
    transaction: Number(bytes.readBigUInt64LE(AT.transaction)),
    isFlushed: (bytes.readUInt16LE(AT.free + TREE.flags) & NOT_FLUSHED) === 0,
    boot: bytes.readBigInt64LE(AT.boot),
    free: treeAt(bytes, AT.free),
    main: treeAt(bytes, AT.main),
  };
}

export function treeAt(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + TREE.root);
  return {
    root: root === NO_PAGE ? null : Number(root),
    depth: bytes.readUInt16LE(at + TREE.depth),
    entries: Number(bytes.readBigUInt64LE(at + TREE.entries)),
    keys: keyOrderOf(bytes.readUInt16LE(at + TREE.flags)),
  };
}

function keyOrderOf(flags: number): KeyOrder | null {
  if ((flags & OTHER_KEYS) !== 0) return null;
  return (flags & NUMBER_KEYS) === 0 ? 'bytes' : 'number';
}

/**
 * The state LMDB opens the file in, by the choice of `mdb_pick_meta` and `mdb_env_pick_meta`: the newest; but after the machine went down, the
 * newest whose pages were flushed, since those of later ones may never have reached the disk.
 * @returns null where the file does not begin as one of LMDB's
 */
export function metaInForce(fd: number, boot = bootId()): Meta | null {
  const first = metaAt(fd, 0);
  const second = first && metaAt(fd, first.pageSize);
  if (!first || !second) return null;
  // In the middle of the first page; its magic number is never written.
  const bytes = bytesAt(fd, first.pageSize / 2);
  const flushed = bytes && metaIn(bytes);
  const latest = picked(first, second, boot);
  return flushed === null ? latest : picked(latest, flushed, boot);
}

/** Is the state LMDB opens the file in the newest? Where it is not, the first to open the file for writing takes the newer one back. */
export function isNewestInForce(fd: number, boot = bootId()): boolean {
  const inForce = metaInForce(fd, boot);
  const second = inForce && metaAt(fd, inForce.pageSize);
  return inForce !== null && inForce.transaction >= Math.max(metaAt(fd, 0)?.transaction ?? 0, second?.transaction ?? 0);
}

function picked(a: Meta, b: Meta, boot: bigint): Meta {
  if (b.transaction === 0) return a;
  const [later, earlier] = a.transaction >= b.transaction ? [a, b] : [b, a];
  const isOfThisBoot = later.boot !== 0n && later.boot === boot;
  return isOfThisBoot || later.isFlushed ? later : earlier;
}

/** As LMDB reads it: the first eight digits. 0 where the system does not say. */
function bootId(): bigint {
  try {
    const [digits] = /^[0-9a-f]+/.exec(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? [];
    return digits === undefined ? 0n : BigInt(`0x${digits}`);
  } catch {
    return 0n; // not Linux
  }
}
