/** The files of a lock: how one is written, how it is read, and what they are called. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, openSync, readFileSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storeErrorFrom } from '../core/errors.ts';
import { type LockOwner, ownerIn, type SeenLock, thisProcess } from './lock-owner.ts';
import { isOfOneMachine, type OsLock } from './os-lock.ts';

/** What a process that was killed while it took a lock called `lock` may have left beside it; the first kind is of versions up to 0.1. */
const OWN_LOCK = /^lock\.(?:\d+(?:\.old)?|[0-9a-f]{16}(?:\.heir)?)$/;
/** The owner takes some 400 bytes. */
const MAX_BYTES = 4096;
/** The second line: a number that the owner may raise where the time of a file cannot be set. */
const COUNTER = '\n0000000000\n';

/** A lock file as it was read. */
export interface LockFile extends SeenLock {
  /** The line that names the owner; of a damaged one all there is. The same as long as the lock is. */
  readonly line: string;
  /** Changes with each beat of the owner. */
  readonly beat: string;
}

/** Is this the name of a file that taking a lock called `lock` makes beside it? */
export function isOwnLock(name: string): boolean {
  return OWN_LOCK.test(name);
}

/** Where he who takes over a lock says so: one file for each lock there ever was, and the first to make it is the heir. */
export function heirOf(path: string, line: string): string {
  return `${path}.${createHash('sha256').update(line).digest('hex').slice(0, 16)}.heir`;
}

/** null when there is none. @throws StoreError */
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

/** Removed; or, over NFS, put out of reach by another machine. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESTALE');
}

/** The lock file of this process: whole, with its OS lock, before any other process may see it as the lock. */
export class OwnLockFile {
  readonly fd: number;
  readonly line: string;
  /** Where the second line begins. */
  readonly counterAt: number;
  /** The name it has before it is the lock. */
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

  /** Give it another name too. @returns false when there is a file of that name already @throws StoreError */
  linkTo(path: string): boolean {
    try {
      linkSync(this.#path, path);
      return true;
    } catch (error) {
      // An answer of a file server that was lost is asked for again: the link is there then, and ours.
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return this.isAt(path);
      throw storeErrorFrom(error, 'taking the lock', path);
    }
  }

  /** Put it where another lock is, in one step. @throws StoreError */
  moveTo(path: string): void {
    try {
      renameSync(this.#path, path);
    } catch (error) {
      throw storeErrorFrom(error, 'taking the lock', path);
    }
  }

  /** Is this file the one of that name? A disk that does not answer, or a process without descriptors, is no reason to say no. */
  isAt(path: string): boolean {
    try {
      return readFileSync(path, 'utf8').split('\n', 1)[0] === this.line;
    } catch (error) {
      return !isGone(error) && fstatSync(this.fd).nlink > 0;
    }
  }

  /** It is the lock now, or will not be. */
  forgetName(): void {
    rmSync(this.#path, { force: true });
  }

  close(): void {
    this.forgetName();
    closeSync(this.fd);
  }
}

/** Where files that `isOwnLock` knows stand beside a lock. */
export function besideLock(path: string, names: readonly string[]): string[] {
  return names.filter((name) => name !== basename(path) && isOwnLock(name)).map((name) => join(dirname(path), name));
}
