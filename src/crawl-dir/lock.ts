/** One process a crawl directory: over PID namespaces, restarts of the machine, and machines that share a disk. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import { StoreError } from '../core/errors.ts';
import { BEAT_EVERY, givesSignOfLife, SILENT_FOR, startBeating } from './lock-beat.ts';
import { besideLock, heirOf, isOwnLock, type LockFile, OwnLockFile, readLock } from './lock-file.ts';
import { isNear, type LockOwner, verdictOn } from './lock-owner.ts';
import { type OsLock, osLock } from './os-lock.ts';

export { isOwnLock };

export interface LockOptions {
  /** Told that a lock is watched for a sign of life, and how that went. Default: nobody. */
  readonly told?: (message: string) => void;
  /** Ends such a wait. */
  readonly signal?: AbortSignal;
  readonly clock?: Pick<Clock, 'now' | 'sleep'>;
  /** The locks of the system; null where it has none. Default: those it has. */
  readonly os?: () => OsLock | null;
}

/** A lock that is held. Another process takes it over only when this one gave no sign of life for long: it was stopped, or its machine slept. */
export interface HeldLock {
  /** Aborts, with a StoreError, when it was found that another process has it. Looked at every two seconds. */
  readonly lost: AbortSignal;
  /** Looks at the file, in some 20 µs. False once it was lost. */
  isHeld(): boolean;
  /** To be called right before something is written. @throws StoreError STORE_LOCKED when it was lost */
  check(): void;
  /** Let go. */
  release(): Promise<void>;
}

/** Locks change hands while this process looks; not so often. */
const ATTEMPTS = 10;

/**
 * Hold `path` as an exclusive lock of this process. One whose owner is gone is taken over: at once where the system says that it is gone,
 * else after `SILENT_FOR` without a sign of life. Of many that try to, one does.
 * @throws StoreError STORE_LOCKED when another living process holds it; what `signal` was aborted with
 */
export async function takeLock(path: string, what: string, options: LockOptions = {}): Promise<HeldLock> {
  const os = (options.os ?? osLock)();
  const own = new OwnLockFile(path, os);
  try {
    await new Taking(path, what, own, os, options).take();
  } catch (error) {
    own.close();
    throw error;
  }
  own.forgetName();
  clearBeside(path, os);
  return new Held(path, what, own);
}

/** What is known of a lock without waiting. `unclear`: its owner is of another container or machine, or was there before a restart. */
export function lockState(path: string, os = osLock()): 'held' | 'free' | 'unclear' {
  const seen = readLock(path, os);
  if (seen === null) return 'free';
  return ({ alive: 'held', dead: 'free', unclear: 'unclear' } as const)[verdictOn(seen)];
}

/** Does a living process hold the lock, as far as can be told at once? */
export function isLocked(path: string): boolean {
  return lockState(path) === 'held';
}

/** One attempt of this process to get a lock. */
class Taking {
  readonly #path: string;
  readonly #what: string;
  readonly #own: OwnLockFile;
  readonly #os: OsLock | null;
  readonly #options: LockOptions;

  constructor(path: string, what: string, own: OwnLockFile, os: OsLock | null, options: LockOptions) {
    this.#path = path;
    this.#what = what;
    this.#own = own;
    this.#os = os;
    this.#options = options;
  }

  /** @throws StoreError */
  async take(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) if (this.#own.linkTo(this.#path) || (await this.#takeOver())) return;
    throw this.#refusal('another process took the lock at this moment; run the command again');
  }

  /**
   * Become the heir of the lock, or of its heir if that one is gone too: the one who makes the file of that name is, and no other ever. Then put the own
   * file in the place of the lock, unless the lock is another one by now: the heir before was perhaps done, and has cleared up behind it.
   * @returns false where the lock changed hands meanwhile
   */
  async #takeOver(): Promise<boolean> {
    const dead: string[] = [];
    const heirs: string[] = [];
    for (let place = this.#path; ; ) {
      const seen = await this.#gone(place);
      if (seen === null) return false;
      dead.push(seen.line);
      place = heirOf(this.#path, seen.line);
      heirs.push(place);
      if (this.#own.linkTo(place)) break;
    }
    const now = readLock(this.#path, this.#os);
    if (now === null || !dead.includes(now.line)) {
      remove(heirs.at(-1));
      return false;
    }
    this.#own.moveTo(this.#path);
    for (const heir of heirs) remove(heir);
    return true;
  }

  /** A lock or heir whose owner is surely gone; null when it changed meanwhile. @throws StoreError when its owner is alive */
  async #gone(place: string): Promise<LockFile | null> {
    const seen = readLock(place, this.#os);
    if (seen === null) return null;
    const verdict = verdictOn(seen);
    if (verdict === 'alive') throw this.#heldBy(seen.owner);
    if (verdict === 'dead') return seen;
    return (await this.#isSilent(place, seen)) ? seen : null;
  }

  /** @returns false when it changed hands @throws StoreError when its owner gave a sign of life; what `signal` was aborted with */
  async #isSilent(place: string, seen: LockFile): Promise<boolean> {
    const { clock = systemClock, signal = new AbortController().signal, told = () => undefined } = this.#options;
    const who = nameOf(seen.owner);
    const look = () => readLock(place, this.#os)?.beat ?? null;
    const signs = await givesSignOfLife(look, clock, signal, (watched) =>
      told(`${this.#what}: ${who} had the lock last: watched for a sign of life, ${Math.floor(watched / 1000)} of ${SILENT_FOR / 1000} s`),
    );
    signal.throwIfAborted();
    const now = readLock(place, this.#os);
    if (now?.line !== seen.line) return false;
    if (signs || verdictOn(now) === 'alive') throw this.#heldBy(seen.owner);
    told(`${this.#what}: no sign of life of ${who} for ${SILENT_FOR / 1000} s: its lock is taken over`);
    return true;
  }

  #heldBy(owner: LockOwner | null): StoreError {
    const stop = owner && isNear(owner) ? `stop it (kill -INT ${owner.pid})` : 'stop it there';
    return this.#refusal(`${nameOf(owner)} is working on it; wait for it to end, or ${stop}`);
  }

  #refusal(why: string): StoreError {
    return new StoreError('STORE_LOCKED', `${this.#what}: ${why}`);
  }
}

/** Who it is, to people. */
function nameOf(owner: LockOwner | null): string {
  if (owner === null) return 'a process that left no name';
  if (isNear(owner)) return `process ${owner.pid}`;
  return `process ${owner.pid} of host ${owner.host || '(unknown)'} (another container, another machine, or before a restart)`;
}

class Held implements HeldLock {
  readonly #path: string;
  readonly #what: string;
  readonly #own: OwnLockFile;
  readonly #lost = new AbortController();
  readonly #stopBeating: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #released = false;

  constructor(path: string, what: string, own: OwnLockFile) {
    this.#path = path;
    this.#what = what;
    this.#own = own;
    this.#stopBeating = startBeating(own);
    this.#timer = setInterval(() => this.isHeld(), BEAT_EVERY).unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    if (this.#released || this.#lost.signal.aborted) return false;
    if (this.#own.isAt(this.#path)) return true;
    this.#lost.abort(
      new StoreError(
        'STORE_LOCKED',
        `${this.#what}: the lock of this process is gone: another process took it over, since this one gave no sign of life for ${SILENT_FOR / 1000} s, or somebody deleted it; what was committed is safe, run the command again when no other process works on it`,
      ),
    );
    return false;
  }

  check(): void {
    if (!this.isHeld()) this.#lost.signal.throwIfAborted();
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    clearInterval(this.#timer);
    await this.#stopBeating();
    if (this.#own.isAt(this.#path)) remove(this.#path);
    this.#own.close();
  }
}

/** What processes that are surely gone have left. What cannot be read or removed is in nobody's way. */
function clearBeside(path: string, os: OsLock | null): void {
  try {
    for (const left of besideLock(path, readdirSync(dirname(path)))) {
      const seen = readLock(left, os);
      if (seen !== null && verdictOn(seen) === 'dead') remove(left);
    }
  } catch {
    // The next who takes the lock tries again.
  }
}

function remove(path: string | undefined): void {
  if (path !== undefined) rmSync(path, { force: true });
}
