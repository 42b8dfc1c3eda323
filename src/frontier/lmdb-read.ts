/** Opening a database for reading alone: of a crawl that may be running, or on a disk that is full or cannot be written to. */
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase, type RootDatabaseOptions, type RootDatabaseOptionsWithPath } from 'lmdb';
import { StoreError } from '../core/errors.ts';
import { refuseFullDisk } from './lmdb-file.ts';
import { isNewestInForce } from './lmdb-meta.ts';

/** LMDB's lock table, where readers say which pages they still need. */
const LOCK_TABLE = 'lock.mdb';
/** Here LMDB reads without a lock table (mdb.c of lmdb-js 3.5, `mdb_env_setup_locks`). */
const CANNOT_WRITE: readonly (string | undefined)[] = ['EROFS', 'EACCES', 'EPERM'];

/**
 * Can LMDB open it without writing to the file? Not one that is to be made, nor one whose last transaction a power cut took back: that is written to when
 * it is opened.
 * @throws StoreError where the lock table has no room on a full disk
 */
export function isReadable(dir: string): boolean {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file) || statSync(file).size === 0) return false;
  const fd = openSync(file, 'r');
  try {
    if (!isNewestInForce(fd)) return false;
  } finally {
    closeSync(fd);
  }
  makeRoomForLocks(dir);
  return true;
}

/** A lock table that has a block on the disk already needs no other: nothing is written to find room for it. */
function makeRoomForLocks(dir: string): void {
  const table = join(dir, LOCK_TABLE);
  if (cannotWrite(dir) || (existsSync(table) && statSync(table).blocks > 0)) return;
  refuseFullDisk(dir);
}

/**
 * While a crawl writes, its pages are read safely only by those that it sees in the lock table.
 * @throws StoreError where that cannot be written to
 */
export function refuseUnseenReading(dir: string): void {
  if (!cannotWrite(dir)) return;
  throw new StoreError(
    'STORE_LOCKED',
    `${dir}: a crawl writes to it, and ${LOCK_TABLE} in it, which keeps readers and crawl apart, cannot be written to from here; wait for the crawl to end, or run this where it can`,
  );
}

/** A writer without a lock table of its own would be ended by a signal. @throws StoreError */
export function refuseUnwritable(dir: string): void {
  if (!existsSync(dir) || !cannotWrite(dir)) return;
  throw new StoreError(
    'STORE_IO',
    `${join(dir, LOCK_TABLE)}: cannot be written to; give this user the right to write to ${dir} and what is in it`,
  );
}

function cannotWrite(dir: string): boolean {
  const table = join(dir, LOCK_TABLE);
  try {
    accessSync(existsSync(table) ? table : dir, constants.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && CANNOT_WRITE.includes(String(error.code));
  }
}

/**
 * A database opened, or an error and nothing else. Where no transaction can begin, lmdb-js (3.5, `renewReadTxn` in read.js) throws, and leaves a timer that
 * throws again where nobody can catch it: it ends the process. The timers of an opening that failed are cleared.
 * @throws what LMDB says
 */
export function openRoot(options: RootDatabaseOptionsWithPath): RootDatabase<unknown, string> {
  const { setTimeout: own } = globalThis;
  const timers: NodeJS.Timeout[] = [];
  globalThis.setTimeout = new Proxy(own, {
    apply: (target, self, args) => {
      const timer: NodeJS.Timeout = Reflect.apply(target, self, args);
      timers.push(timer);
      return timer;
    },
  });
  try {
    return open<unknown, string>(options);
  } catch (error) {
    for (const timer of timers) clearTimeout(timer);
    throw error;
  } finally {
    globalThis.setTimeout = own;
  }
}

/** What this process has open for reading, by folder. LMDB has one way of access to a file in a process, that of who came first. */
const readHere = new Map<string, Set<RootDatabase<unknown, string>>>();

/**
 * @param tables those it must have
 * @returns null for a database of an earlier version that lacks one, which only a writer can add
 * @throws what LMDB says
 */
export function openToRead(dir: string, options: RootDatabaseOptions, tables: readonly string[]): RootDatabase<unknown, string> | null {
  const root = openRoot({ path: dir, ...options, readOnly: true });
  const there = keysIn(root);
  if (!tables.every((table) => there.has(table))) {
    void root.close();
    return null;
  }
  const path = realpathSync(dir);
  readHere.set(path, new Set([...openIn(path), root]));
  return root;
}

/** A database that could not be read. Else lmdb-js, a moment later, goes on with a transaction that could not begin, and ends the process. */
export function giveUp(root: RootDatabase<unknown, string>): void {
  try {
    root.resetReadTxn();
  } catch {
    // There was none; it no longer waits for it.
  }
  root.close().catch(() => undefined);
}

function keysIn(root: RootDatabase<unknown, string>): ReadonlySet<string> {
  try {
    return new Set(root.getKeys());
  } catch (error) {
    giveUp(root);
    throw error;
  }
}

/** Has a database a table of that name? @throws what LMDB says */
export function hasTable(root: RootDatabase<unknown, string>, name: string): boolean {
  return keysIn(root).has(name);
}

/** @throws StoreError where this process reads the folder */
export function refuseReadHere(dir: string): void {
  if (!existsSync(dir) || openIn(realpathSync(dir)).length === 0) return;
  throw new StoreError('STORE_LOCKED', `${dir}: this program reads the crawl; close what openCrawl gave before you write to it`);
}

function openIn(path: string): RootDatabase<unknown, string>[] {
  return [...(readHere.get(path) ?? [])].filter((root) => 'status' in root && root.status === 'open');
}
