/** Opens a database only for reading: of a running crawl, or on a disk that is full or read-only. */
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase, type RootDatabaseOptions, type RootDatabaseOptionsWithPath } from 'lmdb';
import { StoreError } from '../../base/core/errors.ts';
import { refuseFullDisk } from './lmdb-file.ts';
import { isNewestActive } from './lmdb-meta.ts';

/** LMDB's lock table, where readers state which pages they still need. */
const LOCK_TABLE = 'lock.mdb';
/** Errors after which LMDB reads without a lock table (mdb.c of lmdb-js 3.5, `mdb_env_setup_locks`). */
const CANNOT_WRITE: readonly (string | undefined)[] = ['EROFS', 'EACCES', 'EPERM'];

/**
 * Can LMDB open it without writing to the file? No if the file does not exist yet, or if a power cut undid its last transaction: opening it writes to
 * it.
 * @throws StoreError if a full disk has no room for the lock table
 */
export function isReadableDatabase(dir: string): boolean {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file) || statSync(file).size === 0) return false;
  const fd = openSync(file, 'r');
  try {
    if (!isNewestActive(fd)) return false;
  } finally {
    closeSync(fd);
  }
  makeRoomForLocks(dir);
  return true;
}

/** A lock table that already has a block on the disk needs no more room, so nothing is written as a test. */
function makeRoomForLocks(dir: string): void {
  const table = join(dir, LOCK_TABLE);
  if (cannotWrite(dir) || (existsSync(table) && statSync(table).blocks > 0)) return;
  refuseFullDisk(dir);
}

/**
 * Refuses to read while a crawl writes that cannot see this reader in the lock table: only readers that it sees can read its pages safely.
 * @throws StoreError if this process cannot write to the lock table
 */
export function refuseUnseenReading(dir: string): void {
  if (!cannotWrite(dir)) return;
  throw new StoreError(
    'STORE_LOCKED',
    `${dir}: a crawl is writing to it, and this process cannot write to its ${LOCK_TABLE}, which protects readers; wait for the crawl to end, or run this command with write permission`,
  );
}

/** Refuses a directory without a writable lock table: a signal would end the writer. @throws StoreError */
export function refuseUnwritable(dir: string): void {
  if (!existsSync(dir) || !cannotWrite(dir)) return;
  throw new StoreError(
    'STORE_IO',
    `${join(dir, LOCK_TABLE)}: cannot be written to; give this user write permission for ${dir} and its files`,
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
 * Opens a database, or throws an error and has no other effect. If no transaction can begin, lmdb-js (3.5, `renewReadTxn` in read.js) throws and
 * leaves a timer. That timer throws again where nobody can catch it, which ends the process. So this function clears the timers of a failed opening.
 * @throws the error of LMDB
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

/** The databases that this process has open for reading, by folder. A process has only one mode of access to an LMDB file, that of the first opening. */
const readHere = new Map<string, Set<RootDatabase<unknown, string>>>();

/**
 * @param tables the tables that it must have
 * @returns null for a database of an earlier version that lacks one of them: only a writer can add it
 * @throws the error of LMDB
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

/** Closes a database that could not be read. Otherwise lmdb-js soon continues with a transaction that could not begin, and ends the process. */
export function giveUp(root: RootDatabase<unknown, string>): void {
  try {
    root.resetReadTxn();
  } catch {
    // There was no transaction, so lmdb-js no longer waits for one.
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

/** Does a database have a table of that name? @throws the error of LMDB */
export function hasTable(root: RootDatabase<unknown, string>, name: string): boolean {
  return keysIn(root).has(name);
}

/** @throws StoreError if this process reads the folder */
export function refuseReadHere(dir: string): void {
  if (!existsSync(dir) || openIn(realpathSync(dir)).length === 0) return;
  throw new StoreError('STORE_LOCKED', `${dir}: this program reads the crawl; close the result of openCrawl before you write to it`);
}

function openIn(path: string): RootDatabase<unknown, string>[] {
  return [...(readHere.get(path) ?? [])].filter((root) => 'status' in root && root.status === 'open');
}
