import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf, StoreError, storeErrorFrom } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { isNewestInForce, type Meta, metaInForce } from './lmdb-meta.ts';

/** Pages a commit took and gave back at once are not written: the file may end some pages before the last one taken. */
const UNWRITTEN = 16;

/** What LMDB takes at open: the lock table, two meta pages, and the first pages of seven databases. With room to spare. */
const ROOM_TO_OPEN: Bytes = 64 * 1024;
/** A full disk has no megabyte left after LMDB has written as much as went in. */
const ROOM_TO_COMMIT: Bytes = 1024 * 1024;
const READ_AT_ONCE: Bytes = 1024 * 1024;
const WRITTEN_AT_ONCE: Bytes = 256 * 1024;
/** A file has room for what one commit adds: this, and of a larger file a share, for scores of all waiting links may change at once. */
const LEAST_ROOM: Bytes = 256 * 1024;
const ROOM_SHARE = 1 / 8;

/**
 * LMDB makes its lock table as a hole and writes to it as memory: without a block to put there, that ends the process by SIGBUS.
 * So room is looked for first. Makes the folder.
 * @throws StoreError
 */
export function refuseFullDisk(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
    writeProbe(join(dir, 'room'), 0, ROOM_TO_OPEN);
  } catch (error) {
    throw storeErrorFrom(error, 'opening the frontier', dir);
  }
}

/**
 * Make the file longer than its pages before LMDB writes to it. Where a write to its file fails, LMDB goes on to write beyond a buffer of its own
 * (mdb.c of lmdb-js 3.5.6, `mdb_page_flush`, `last_error`), and the process may be ended by SIGABRT before it has said anything. A full disk is met here
 * first, as an error. Nothing is written while room is left.
 * @throws StoreError
 */
export function makeRoom(dir: string): void {
  withFile(dir, (fd, { lastPage, pageSize }) => {
    const used = (lastPage + 1) * pageSize;
    const room = Math.max(LEAST_ROOM, Math.ceil(used * ROOM_SHARE));
    const { size } = fstatSync(fd);
    if (size >= used + room) return;
    try {
      writeZeros(fd, size, used + 2 * room);
    } catch (error) {
      ftruncateSync(fd, size);
      throw storeErrorFrom(error, 'committing the frontier', dir);
    }
  });
}

/** Give back what `makeRoom` took and no page came to need. Of a file that nobody else writes to meanwhile. */
export function giveRoomBack(dir: string): void {
  withFile(dir, (fd, { lastPage, pageSize }) => {
    if (isNewestInForce(fd) && fstatSync(fd).size > (lastPage + 1) * pageSize) ftruncateSync(fd, (lastPage + 1) * pageSize);
  });
}

function withFile(dir: string, use: (fd: number, meta: Meta) => void): void {
  const fd = openSync(join(dir, 'data.mdb'), 'r+');
  try {
    const meta = metaInForce(fd);
    if (meta) use(fd, meta);
  } finally {
    closeSync(fd);
  }
}

function writeZeros(fd: number, from: Bytes, to: Bytes): void {
  const zeros = Buffer.alloc(Math.min(to - from, WRITTEN_AT_ONCE));
  for (let at = from; at < to; ) at += writeSync(fd, zeros, 0, Math.min(zeros.length, to - at), at);
}

/**
 * Bring a database into the system's memory, where all of it has room: in order, at the speed of the disk. LMDB then reads page by page, and has
 * the system fetch nothing around a page: beyond memory that is mostly in vain, and drives out what is needed. Ten million URLs in 1.5 GB
 * (npm run bench -- frontier --queued 10000000 in a control group) had 52 settlements a second with reading ahead, and have 1,500 without.
 * @throws StoreError
 */
export function readThrough(path: string): void {
  if (!existsSync(path)) return;
  try {
    if (statSync(path).size > memoryLeft()) return;
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(READ_AT_ONCE);
      while (readSync(fd, bytes) > 0);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw storeErrorFrom(error, 'opening the frontier', path);
  }
}

/** For the pages of files, too: those that a limit of a control group counts are given back when something else is wanted. */
function memoryLeft(): Bytes {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit - process.memoryUsage.rss() : process.availableMemory();
}

/**
 * What a failed commit meant. LMDB calls a write that stopped in its middle an I/O error (mdb.c, mdb_page_flush), which a full disk
 * makes of it as well as a broken one: writing as far out in a file of our own tells them apart.
 */
export async function commitErrorFrom(error: unknown, dir: string): Promise<StoreError> {
  const cause: unknown = error instanceof Error && 'commitError' in error ? await reasonOf(error.commitError) : error;
  try {
    writeProbe(join(dir, 'room'), statSync(join(dir, 'data.mdb')).size, ROOM_TO_COMMIT);
  } catch (probed) {
    const failure = storeErrorFrom(probed, 'committing the frontier', dir);
    if (failure.code === 'STORE_FULL') return failure;
  }
  return storeErrorFrom(cause, 'committing the frontier', dir);
}

async function reasonOf(rejection: unknown): Promise<unknown> {
  return Promise.resolve(rejection).catch((reason: unknown) => reason);
}

/** Write `size` bytes at `offset` of a file, and remove it. @throws what the file system says. */
function writeProbe(path: string, offset: Bytes, size: Bytes): void {
  const fd = openSync(path, 'w');
  try {
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; ) at += writeSync(fd, bytes, at, size - at, offset + at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
    rmSync(path, { force: true });
  }
}

/**
 * LMDB maps its file and trusts it: garbage or a file cut short ends the process by a signal instead of an error.
 * So the head of the file is looked at first. A missing or empty file is a new one.
 * @throws StoreError STORE_CORRUPT
 */
export function refuseDamagedLmdb(path: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).size === 0) return;
  const meta = metaOf(path);
  if (meta === null) throw damaged(path, 'it is no LMDB file');
  // After what it says of itself: a crawl that goes on makes it longer first.
  const { size } = statSync(path);
  const { lastPage, pageSize } = meta;
  if (size < (lastPage + 1 - UNWRITTEN) * pageSize) throw damaged(path, `it has ${size} bytes of about ${(lastPage + 1) * pageSize}`);
}

function metaOf(path: string): Meta | null {
  try {
    const fd = openSync(path, 'r');
    try {
      return metaInForce(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw storeErrorFrom(error, 'opening the frontier', path);
  }
}

/**
 * What went wrong as a database was opened. LMDB knows who reads by process ids alone: where a process of another container has it open that has
 * the same one (often 1), no transaction can begin, and lmdb-js goes on without.
 */
export function openErrorFrom(error: unknown, dir: string): StoreError {
  if (!/reading 'address'|No transaction to renew/.test(messageOf(error))) return storeErrorFrom(error, 'opening the frontier', dir);
  return new StoreError(
    'STORE_LOCKED',
    `${dir}: a process of another container has it open, and has the same process id as this one, ${process.pid}; run the command in that container, or by another process id: sh -c 'forager <command>; exit $?'`,
    { cause: error },
  );
}

export function damaged(path: string, why: string, options?: ErrorOptions): StoreError {
  const dir = dirname(dirname(path));
  const message = `${path}: damaged (${why}); restore it from a copy, or make it again from the corpus: forager repair ${dir}`;
  return new StoreError('STORE_CORRUPT', message, options);
}

/** A stored value is not what was written. @param dir of the database */
export function undecodable(dir: string, error: unknown): StoreError {
  return error instanceof StoreError ? error : damaged(join(dir, 'data.mdb'), messageOf(error), { cause: error });
}
