/** The files of a lock: their format, their names, and the state that they show. */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readFileSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storeErrorFrom } from '../core/errors.ts';
import { isOfThisBoot, isRunning, type LockOwner, ownerIn, thisProcess } from './lock-owner.ts';
import { isOfOneMachine, type OsLock } from './os-lock.ts';

/** Files that a process may leave next to a lock called `lock` if it is killed while it takes the lock. Those with an ending are of versions up to 0.2. */
const OWN_LOCK = /^lock\.(?:\d+(?:\.old)?|[0-9a-f]{16}(?:\.heir)?)$/;
/** The owner takes about 400 bytes. */
const MAX_BYTES = 4096;

/** `unclear`: the system cannot tell. The owner is of another machine or container, or from before a restart, and its OS locks are not known here. */
export type LockState = 'held' | 'free' | 'unclear';

/** The content of a lock file. */
export interface LockFile {
  /** null if the file names no owner. */
  readonly owner: LockOwner | null;
  /** Device and inode. */
  readonly file: string;
  readonly isOfOneMachine: boolean;
  /** Is its OS lock free, according to this system? null if the system cannot tell. */
  readonly isFree: boolean | null;
}

/** Is this the name of a file that taking a lock called `lock` makes next to it? */
export function isOwnLock(name: string): boolean {
  return OWN_LOCK.test(name);
}

/** Paths of the files next to a lock that `isOwnLock` knows. */
export function besideLock(path: string, names: readonly string[]): string[] {
  return names.filter((name) => name !== basename(path) && isOwnLock(name)).map((name) => join(dirname(path), name));
}

/**
 * A held OS lock proves that the owner is alive. A free one proves that it is gone, if the owner held it and one system knows all its locks: on a disk of
 * one machine, or for the same file within one boot. Otherwise only processes of our PID namespace can be looked up.
 */
export function stateOf({ owner, file, isOfOneMachine, isFree }: LockFile): LockState {
  if (isFree === false) return 'held';
  // Each lock has its owner before its name: a file without one is the rest of a power cut.
  if (owner === null) return isFree && isOfOneMachine ? 'free' : 'unclear';
  if (isFree && owner.held === 'one machine' && isOfOneMachine) return 'free';
  // If a directory was copied while a crawl ran, the lock of the copy names a process that works on the original.
  if (owner.file !== '' && owner.file !== file) return 'unclear';
  if (isFree && owner.held !== 'no' && isOfThisBoot(owner)) return 'free';
  const runs = isRunning(owner);
  return runs === null ? 'unclear' : runs ? 'held' : 'free';
}

/** null if there is none. @throws StoreError */
export function readLock(path: string, os: OsLock | null): LockFile | null {
  return atFile(path, 'r', (fd) => ({ ...contentOf(fd, path), isFree: os?.isFree(fd) ?? null }));
}

/**
 * Calls `work` while this process holds the OS lock of the file at `path`, unless another one does (then `isFree` is false) or there are none (null).
 * @returns null if the file is no longer at this path
 * @throws StoreError
 */
export function holdingLock<T>(path: string, os: OsLock | null, work: (seen: LockFile) => T): T | null {
  try {
    return atFile(path, 'r+', (fd) => {
      const isFree = os?.hold(fd) ?? null;
      const seen = contentOf(fd, path);
      return readLock(path, null)?.file === seen.file ? work({ ...seen, isFree }) : null;
    });
  } catch (error) {
    // A lock of another user cannot be opened to write, but it shows whether it is held.
    const seen = readLock(path, os);
    if (seen === null || stateOf(seen) !== 'held') throw error;
    return work(seen);
  }
}

/** @returns null if the file is gone @throws StoreError */
function atFile<T>(path: string, flags: 'r' | 'r+', use: (fd: number) => T): T | null {
  let fd: number | null = null;
  try {
    fd = openSync(path, flags);
    return use(fd);
  } catch (error) {
    if (isGone(error)) return null;
    throw storeErrorFrom(error, 'reading the lock', path);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function contentOf(fd: number, path: string): Omit<LockFile, 'isFree'> {
  const bytes = Buffer.alloc(MAX_BYTES);
  const [line = ''] = bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_BYTES, 0)).split('\n', 1);
  return { owner: ownerIn(line), file: inodeOf(fd), isOfOneMachine: isOfOneMachine(path) };
}

function inodeOf(fd: number): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
}

/** The file was removed; or, over NFS, another machine made it unreachable. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESTALE');
}

/** The lock file of this process. It is complete and has its OS lock before any other process can see it as the lock. */
export class OwnLockFile {
  /** Does the system keep an OS lock on it? */
  readonly hasOsLock: boolean;
  readonly #fd: number;
  readonly #line: string;
  /** Path of the file before it becomes the lock. */
  readonly #path: string;

  /** @throws StoreError */
  constructor(lock: string, os: OsLock | null) {
    const token = randomUUID().replaceAll('-', '');
    this.#path = `${lock}.${token.slice(0, 16)}`;
    try {
      this.#fd = openSync(this.#path, 'wx+');
    } catch (error) {
      throw storeErrorFrom(error, 'taking the lock', lock);
    }
    try {
      const held = os?.hold(this.#fd) !== true ? 'no' : isOfOneMachine(this.#path) ? 'one machine' : 'shared';
      this.hasOsLock = held !== 'no';
      this.#line = JSON.stringify({ ...thisProcess(), token, held, file: inodeOf(this.#fd) } satisfies LockOwner);
      writeSync(this.#fd, `${this.#line}\n`);
    } catch (error) {
      this.close();
      throw storeErrorFrom(error, 'taking the lock', lock);
    }
  }

  /** Give it a second name. @returns false if a file of that name exists @throws StoreError */
  linkTo(path: string): boolean {
    try {
      linkSync(this.#path, path);
      return true;
    } catch (error) {
      // A lost answer of a file server makes the client repeat the request: then the link exists already, and is ours.
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return this.isAt(path);
      throw storeErrorFrom(error, 'taking the lock', path);
    }
  }

  /** Replace another lock with it in one step. @throws StoreError */
  moveTo(path: string): void {
    try {
      renameSync(this.#path, path);
    } catch (error) {
      throw storeErrorFrom(error, 'taking the lock', path);
    }
  }

  /** Is this file the one with that name? If the disk does not answer, or the process has no descriptors left, it still counts as the one. */
  isAt(path: string): boolean {
    try {
      return readFileSync(path, 'utf8').split('\n', 1)[0] === this.#line;
    } catch (error) {
      return !isGone(error) && fstatSync(this.#fd).nlink > 0;
    }
  }

  /** Remove its first name: it is the lock now, or it never will be. */
  forgetName(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    this.forgetName();
    closeSync(this.#fd);
  }
}
