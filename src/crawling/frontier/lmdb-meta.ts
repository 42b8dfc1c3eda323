/** The beginning of an LMDB file, and the state that LMDB chooses. Layout: mdb.c of lmdb-js 3.5, `MDB_page`, `MDB_meta`, `MDB_db`. */
import { readFileSync, readSync } from 'node:fs';
import type { Bytes } from '../../base/core/types.ts';

/** MDB_MAGIC, in the byte order of the machine. */
const MAGIC = 0xbeefc0de;
/** Byte offsets of the fields of a meta page: page header, meta, and in the meta the two trees from which all others hang. */
const AT = { magic: 24, free: 48, main: 96, lastPage: 144, transaction: 152, boot: 160, end: 168 } as const;
/** Offsets in the record of a tree. */
const TREE = { pageSize: 0, flags: 4, depth: 6, entries: 32, root: 40 } as const;
export const TREE_SIZE: Bytes = 48;
/** MDB_OVERLAPPINGSYNC: set in a meta page that was written before its pages were flushed to disk. */
const NOT_FLUSHED = 0x1000;
/** MDB_INTEGERKEY. */
const NUMBER_KEYS = 0x08;
/** MDB_REVERSEKEY, MDB_DUPSORT and related flags: none of our trees has them. */
const OTHER_KEYS = 0x76;
/** P_INVALID: the root of an empty tree. */
const NO_PAGE = 0xffffffffffffffffn;

/** The root of a B+tree. */
export interface Tree {
  /** null for an empty tree. */
  readonly root: number | null;
  readonly depth: number;
  readonly entries: number;
  /** The order of its keys; null for an order that our walk does not know. */
  readonly keys: KeyOrder | null;
}

/** Order of keys by their bytes, or as a number in the byte order of the machine. */
export type KeyOrder = 'bytes' | 'number';

export interface Meta {
  readonly pageSize: Bytes;
  readonly lastPage: number;
  readonly transaction: number;
  /** Were all its pages on disk when it was written? */
  readonly isFlushed: boolean;
  /** Identifies the boot of the machine during which it was written. */
  readonly boot: bigint;
  /** The pages that may be reused. */
  readonly free: Tree;
  readonly main: Tree;
}

/** @returns null if there is no meta page */
function metaAt(fd: number, offset: number): Meta | null {
  const bytes = bytesAt(fd, offset);
  return bytes !== null && bytes.readUInt32LE(AT.magic) === MAGIC ? metaIn(bytes) : null;
}

function bytesAt(fd: number, offset: number): Buffer | null {
  const bytes = Buffer.alloc(AT.end);
  return readSync(fd, bytes, 0, AT.end, offset) < AT.end ? null : bytes;
}

/** null for an impossible page size. */
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
 * The state in which LMDB opens the file, by the rules of `mdb_pick_meta` and `mdb_env_pick_meta`. Normally this is the newest state. After a crash
 * of the machine it is the newest whose pages were flushed, since pages of later states may never have reached the disk.
 * @returns null if the file does not begin like an LMDB file
 */
export function activeMeta(fd: number, boot = bootId()): Meta | null {
  const first = metaAt(fd, 0);
  const second = first && metaAt(fd, first.pageSize);
  if (!first || !second) return null;
  // It is in the middle of the first page, and its magic number is never written.
  const bytes = bytesAt(fd, first.pageSize / 2);
  const flushed = bytes && metaIn(bytes);
  const latest = picked(first, second, boot);
  return flushed === null ? latest : picked(latest, flushed, boot);
}

/** Does LMDB open the file in its newest state? If not, the first process that opens it for writing removes the newer state. */
export function isNewestActive(fd: number, boot = bootId()): boolean {
  const active = activeMeta(fd, boot);
  const second = active && metaAt(fd, active.pageSize);
  return active !== null && active.transaction >= Math.max(metaAt(fd, 0)?.transaction ?? 0, second?.transaction ?? 0);
}

function picked(a: Meta, b: Meta, boot: bigint): Meta {
  if (b.transaction === 0) return a;
  const [later, earlier] = a.transaction >= b.transaction ? [a, b] : [b, a];
  const isOfThisBoot = later.boot !== 0n && later.boot === boot;
  return isOfThisBoot || later.isFlushed ? later : earlier;
}

/** Read as LMDB reads it: the first eight digits. 0 if the system does not provide it. */
function bootId(): bigint {
  try {
    const [digits] = /^[0-9a-f]+/.exec(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? [];
    return digits === undefined ? 0n : BigInt(`0x${digits}`);
  } catch {
    return 0n; // not Linux
  }
}
