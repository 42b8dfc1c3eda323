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
import { messageOf, StoreError, storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { activeMeta, isNewestActive, type Meta } from './lmdb-meta.ts';

/** LMDB does not write pages that a commit took and at once returned: the file may end this many pages before the last page taken. */
const UNWRITTEN = 16;

/** Room that LMDB needs to open: the lock table, two meta pages, and the first pages of seven databases, with a margin. */
const ROOM_TO_OPEN: Bytes = 64 * 1024;
/** Most room that LMDB may need for a commit. After LMDB has written as much as fits, a full disk has no megabyte left. */
const ROOM_TO_COMMIT: Bytes = 1024 * 1024;
const READ_AT_ONCE: Bytes = 1024 * 1024;
const WRITTEN_AT_ONCE: Bytes = 256 * 1024;
/** Room in a file for the additions of one commit: this size, and a share of a larger file, because the scores of all waiting links may change at once. */
const LEAST_ROOM: Bytes = 256 * 1024;
const ROOM_SHARE = 1 / 8;

/**
 * Checks for free space on the disk. LMDB creates its lock table as a hole and writes to it as memory: without a free block, that ends the process by
 * SIGBUS. Creates the folder.
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
 * Makes the file longer than its pages before LMDB writes to it. If a write to its file fails, LMDB writes beyond one of its own buffers (mdb.c of
 * lmdb-js 3.5.6, `mdb_page_flush`, `last_error`). SIGABRT may then end the process without a message. Here a full disk becomes an error instead.
 * Writes nothing while there is room.
 * @param least room that is needed. Default: that of a commit
 * @throws StoreError
 */
export function makeRoom(dir: string, least: Bytes = 0): void {
  withFile(dir, (fd, { lastPage, pageSize }) => {
    const used = (lastPage + 1) * pageSize;
    const room = Math.max(LEAST_ROOM + least, Math.ceil(used * ROOM_SHARE));
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

/** Returns the unused room from `makeRoom`. Nobody else may write to the file meanwhile. */
export function giveRoomBack(dir: string): void {
  withFile(dir, (fd, { lastPage, pageSize }) => {
    if (isNewestActive(fd) && fstatSync(fd).size > (lastPage + 1) * pageSize) ftruncateSync(fd, (lastPage + 1) * pageSize);
  });
}

function withFile(dir: string, use: (fd: number, meta: Meta) => void): void {
  const fd = openSync(join(dir, 'data.mdb'), 'r+');
  try {
    const meta = activeMeta(fd);
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
 * Reads a database into the system's memory, if all of it fits: in order, at the speed of the disk. LMDB itself reads page by page, with reading
 * ahead turned off. Beyond the size of memory, reading ahead is mostly useless and displaces needed pages. Ten million URLs in 1.5 GB (`npm run bench
 * -- frontier --queued 10000000` in a control group) had 52 settlements a second with reading ahead, and have 1,500 without.
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

/** Memory that may also hold pages of files. The pages that count towards the limit of a control group are released when something else needs memory. */
function memoryLeft(): Bytes {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit - process.memoryUsage.rss() : process.availableMemory();
}

/**
 * The error behind a failed commit. If a write stopped in its middle, LMDB reports an I/O error (mdb.c, mdb_page_flush), whether the disk is full or
 * broken. Writing at the same offset in a file of our own distinguishes the two.
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

/** Writes `size` bytes at `offset` of a file, and removes the file. @throws the error of the file system */
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
 * Checks the head of the file. LMDB maps its file and trusts it: if the file is garbage or cut short, a signal ends the process instead of an error.
 * A missing or empty file is new.
 * @throws StoreError STORE_CORRUPT
 */
export function refuseDamagedLmdb(path: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).size === 0) return;
  const meta = metaOf(path);
  if (meta === null) throw damagedDatabase(path, 'it is not an LMDB file');
  // Read the size after the meta page: a running crawl makes the file longer first.
  const { size } = statSync(path);
  const { lastPage, pageSize } = meta;
  if (size < (lastPage + 1 - UNWRITTEN) * pageSize)
    throw damagedDatabase(path, `it has ${size} bytes of about ${(lastPage + 1) * pageSize}`);
}

function metaOf(path: string): Meta | null {
  try {
    const fd = openSync(path, 'r');
    try {
      return activeMeta(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw storeErrorFrom(error, 'opening the frontier', path);
  }
}

/**
 * The error behind a failed opening. LMDB identifies readers only by process id. If a process in another container has the same id (often 1) and has
 * the database open, no transaction can begin. lmdb-js then continues without one.
 */
export function openErrorFrom(error: unknown, dir: string): StoreError {
  if (!/reading 'address'|No transaction to renew/.test(messageOf(error))) return storeErrorFrom(error, 'opening the frontier', dir);
  return new StoreError(
    'STORE_LOCKED',
    `${dir}: a process in another container has it open, and has the same process id as this one, ${process.pid}; run the command in that container, or with another process id: sh -c 'forager <command>; exit $?'`,
    { cause: error },
  );
}

export function damagedDatabase(path: string, why: string, options?: ErrorOptions): StoreError {
  const dir = dirname(dirname(path));
  const message = `${path}: damaged (${why}); restore it from a copy, or rebuild it from the corpus: ${commandOn('repair', dir)}`;
  return new StoreError('STORE_CORRUPT', message, options);
}

/** The error for a stored value that was changed or cannot be read. @param dir folder of the database */
export function undecodable(dir: string, error: unknown): StoreError {
  return error instanceof StoreError ? error : damagedDatabase(join(dir, 'data.mdb'), messageOf(error), { cause: error });
}
