/** The files of a lock: their format and their names. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readFileSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storeErrorFrom } from '../core/errors.ts';
import { type LockOwner, ownerIn, type SeenLock, thisProcess } from './lock-owner.ts';
import { isOfOneMachine, type OsLock } from './os-lock.ts';

/** Files that a process may leave next to a lock called `lock` if it is killed while it takes the lock. The first kind is from versions up to 0.1. */
const OWN_LOCK = /^lock\.(?:\d+(?:\.old)?|[0-9a-f]{16}(?:\.heir)?)$/;
/** The owner takes about 400 bytes. */
const MAX_BYTES = 4096;
/** The second line: a number that the owner raises if it cannot set the time of the file. */
const COUNTER = '\n0000000000\n';

/** The content of a lock file. */
export interface LockFile extends SeenLock {
  /** The line that names the owner; of a damaged file, all of its first line. Stays the same during the life of the lock. */
  readonly line: string;
  /** Changes with each beat of the owner. */
  readonly beat: string;
}

/** Is this the name of a file that taking a lock called `lock` makes next to it? */
export function isOwnLock(name: string): boolean {
  return OWN_LOCK.test(name);
}

/** The file of the process that takes over a lock. Each lock has one such file, and the first process to make it is the heir. */
export function heirOf(path: string, line: string): string {
  return `${path}.${createHash('sha256').update(line).digest('hex').slice(0, 16)}.heir`;
}

/** null if there is none. @throws StoreError */
export function readLock(path: string, os: OsLock | null): LockFile | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (isGone(error)) return null;
    throw storeErrorFrom(error, 'reading the lock', path);
  }
  try {
    const text = textOf(fd);
    const line = text.split('\n', 1)[0] ?? '';
    const { dev, ino, mtimeNs } = fstatSync(fd, { bigint: true });
    const known = { owner: ownerIn(line), file: `${dev}:${ino}`, isOfOneMachine: isOfOneMachine(path), isFree: os?.isFree(fd) ?? null };
    return { ...known, line, beat: `${text} ${mtimeNs}` };
  } catch (error) {
    if (isGone(error)) return null;
    throw storeErrorFrom(error, 'reading the lock', path);
  } finally {
    closeSync(fd);
  }
}

function textOf(fd: number): string {
  const bytes = Buffer.alloc(MAX_BYTES);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_BYTES, 0));
}

/** The file was removed; or, over NFS, another machine made it unreachable. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESTALE');
}

/** The lock file of this process. It is complete and has its OS lock before any other process can see it as the lock. */
export class OwnLockFile {
  readonly fd: number;
  readonly line: string;
  /** Offset of the second line. */
  readonly counterAt: number;
  /** Path of the file before it becomes the lock. */
  readonly #path: string;

  /** @throws StoreError */
  constructor(lock: string, os: OsLock | null) {
    const token = randomUUID().replaceAll('-', '');
    this.#path = `${lock}.${token.slice(0, 16)}`;
    try {
      this.fd = openSync(this.#path, 'wx+');
    } catch (error) {
      throw storeErrorFrom(error, 'taking the lock', lock);
    }
    try {
      this.line = JSON.stringify(this.#owner(token, os));
      this.counterAt = Buffer.byteLength(this.line) + 1;
      writeSync(this.fd, this.line + COUNTER);
    } catch (error) {
      this.close();
      throw storeErrorFrom(error, 'taking the lock', lock);
    }
  }

  #owner(token: string, os: OsLock | null): LockOwner {
    const { dev, ino } = fstatSync(this.fd, { bigint: true });
    const held = os?.hold(this.fd) !== true ? 'no' : isOfOneMachine(this.#path) ? 'one machine' : 'shared';
    return { ...thisProcess(), token, held, file: `${dev}:${ino}` };
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
      return readFileSync(path, 'utf8').split('\n', 1)[0] === this.line;
    } catch (error) {
      return !isGone(error) && fstatSync(this.fd).nlink > 0;
    }
  }

  /** Remove its first name: it is the lock now, or it never will be. */
  forgetName(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    this.forgetName();
    closeSync(this.fd);
  }
}

/** Paths of the files next to a lock that `isOwnLock` knows. */
export function besideLock(path: string, names: readonly string[]): string[] {
  return names.filter((name) => name !== basename(path) && isOwnLock(name)).map((name) => join(dirname(path), name));
}
