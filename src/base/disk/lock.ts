/** One process per crawl directory: across PID namespaces, restarts of the machine, and machines that share a disk. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { dateOf, systemClock } from '../core/clock.ts';
import { StoreError } from '../core/errors.ts';
import type { EpochMs, Ms } from '../core/types.ts';
import { BEAT_EVERY, givesSignOfLife, SILENT_FOR, startBeating } from './lock-beat.ts';
import { besideLock, heirOf, isOwnLock, type LockFile, OwnLockFile, readLock } from './lock-file.ts';
import { isNear, type LockOwner, verdictOn } from './lock-owner.ts';
import { type OsLock, osLock } from './os-lock.ts';

export { isOwnLock };

export interface LockOptions {
  /** Receives messages about watching a lock for a sign of life, and the result. Default: none. */
  readonly warn?: (message: string) => void;
  /** Ends such a wait early. */
  readonly signal?: AbortSignal;
  readonly clock?: Pick<Clock, 'now' | 'date' | 'sleep'>;
  /**
   * Time until the first beat. The thread that beats takes 15 ms to start, which short work need not pay. Others watch for `SILENT_FOR`.
   * Default: 0
   */
  readonly beatAfter?: Ms;
  /** The locks of the system; null if it has none. Default: the system's locks, if any. */
  readonly os?: () => OsLock | null;
}

/** A held lock. Another process takes it over only if this one gave no sign of life for long: it was stopped, or its machine slept. */
export interface HeldLock {
  /** Aborts with a StoreError when another process has the lock. Checked every two seconds. */
  readonly lost: AbortSignal;
  /**
   * Checks the file, in about 20 µs. False once the lock is lost.
   * @param within the last check counts if it is not older than this. Default: 0
   */
  isHeld(within?: Ms): boolean;
  /** Call this right before each write. @throws StoreError STORE_LOCKED if the lock is lost or released */
  check(): void;
  /** Release the lock. */
  release(): Promise<void>;
}

/** Locks may change hands while this process looks, but not more often than this. */
const ATTEMPTS = 10;

/**
 * Hold `path` as an exclusive lock of this process. A lock whose owner is gone is taken over: at once if the system says that the owner is gone,
 * otherwise after `SILENT_FOR` without a sign of life. If several processes try, one succeeds.
 * @throws StoreError STORE_LOCKED if another living process holds it; the abort reason of `signal`
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
  return new Held(path, what, own, options);
}

/** The state of a lock as known without waiting. `unclear`: its owner is from another container or machine, or from before a restart. */
export function lockState(path: string, os = osLock()): 'held' | 'free' | 'unclear' {
  const seen = readLock(path, os);
  if (seen === null) return 'free';
  return ({ alive: 'held', dead: 'free', unclear: 'unclear' } as const)[verdictOn(seen)];
}

/** Does one process hold both, as a labelling session does? */
export function areOfOneProcess(first: string, second: string): boolean {
  const a = readLock(first, null)?.owner;
  const b = readLock(second, null)?.owner;
  return a != null && b != null && a.pid === b.pid && a.started === b.started && a.namespace === b.namespace && a.boot === b.boot;
}

/** Is it known without waiting that a living process holds the lock? */
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
    throw this.#refusal('another process has just taken the lock; run the command again');
  }

  /**
   * Become the heir of the lock, or the heir of its heir if that one is gone too: the one process that makes the heir's file is the heir. Then replace the
   * lock with this process's file, unless the lock has changed by now: an earlier heir may have finished and removed its file.
   * @returns false if the lock changed hands meanwhile
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

  /** A lock or heir whose owner is certainly gone; null if it changed meanwhile. @throws StoreError if its owner is alive */
  async #gone(place: string): Promise<LockFile | null> {
    const seen = readLock(place, this.#os);
    if (seen === null) return null;
    const verdict = verdictOn(seen);
    if (verdict === 'alive') throw this.#heldBy(seen.owner);
    if (verdict === 'dead') return seen;
    return (await this.#isSilent(place, seen)) ? seen : null;
  }

  /** @returns false if it changed hands @throws StoreError if its owner gave a sign of life; the abort reason of `signal` */
  async #isSilent(place: string, seen: LockFile): Promise<boolean> {
    const { clock = systemClock, signal = new AbortController().signal, warn = () => undefined } = this.#options;
    const who = nameOf(seen.owner);
    const look = () => readLock(place, this.#os)?.beat ?? null;
    const signs = await givesSignOfLife(look, clock, signal, (watched) =>
      warn(`${this.#what}: ${who} had the lock last; watching for a sign of life, ${Math.floor(watched / 1000)} of ${SILENT_FOR / 1000} s`),
    );
    signal.throwIfAborted();
    const now = readLock(place, this.#os);
    if (now?.line !== seen.line) return false;
    if (signs || verdictOn(now) === 'alive') throw this.#heldBy(seen.owner);
    warn(`${this.#what}: no sign of life from ${who} for ${SILENT_FOR / 1000} s; taking over its lock`);
    return true;
  }

  #heldBy(owner: LockOwner | null): StoreError {
    return this.#refusal(heldText(owner));
  }

  #refusal(why: string): StoreError {
    return new StoreError('STORE_LOCKED', `${this.#what}: ${why}`);
  }
}

/** Owner of a lock, and the way to end it: for a page, a button. */
function heldText(owner: LockOwner | null): string {
  const [, work, port] = /^(page-session|page-run):(\d+)$/.exec(owner?.work ?? '') ?? [];
  const page = `the page${port === '0' ? '' : ` on port ${port}`}`;
  if (work === 'page-session') return `${page} has a labelling session open; press "Close the session" on its screen Label`;
  if (work === 'page-run') return `${page} runs this crawl; press "Stop" there, or wait for its end`;
  const stop = owner && isNear(owner) ? `stop it (kill -INT ${owner.pid})` : 'stop it there';
  return `${nameOf(owner)} is working on it; wait for it to end, or ${stop}`;
}

/** The owner, in words for people. */
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
  readonly #clock: Pick<Clock, 'now' | 'date'>;
  /** The date of the last check of the file that found the lock held. */
  #checkedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #released = false;

  constructor(path: string, what: string, own: OwnLockFile, { clock = systemClock, beatAfter = 0 }: LockOptions) {
    this.#clock = clock;
    this.#path = path;
    this.#what = what;
    this.#own = own;
    this.#stopBeating = startBeating(own, beatAfter);
    this.#timer = setInterval(() => this.isHeld(), BEAT_EVERY).unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(within: Ms = 0): boolean {
    if (this.#released || this.#lost.signal.aborted) return false;
    // By the date: others may take the lock over while this machine sleeps.
    const now = dateOf(this.#clock);
    if (Math.abs(now - this.#checkedAt) < within) return true;
    if (this.#own.isAt(this.#path)) {
      this.#checkedAt = now;
      return true;
    }
    this.#lost.abort(
      new StoreError(
        'STORE_LOCKED',
        `${this.#what}: the lock of this process is gone: another process took it over after ${SILENT_FOR / 1000} s without a sign of life, or somebody deleted it. All commits are safe; run the command again when no other process works on it`,
      ),
    );
    return false;
  }

  check(): void {
    if (this.#released) throw new StoreError('STORE_LOCKED', `${this.#what}: this process released its lock; nothing more is written`);
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

/** Removes files of processes that are certainly gone. Files that cannot be read or removed do no harm. */
function clearBeside(path: string, os: OsLock | null): void {
  try {
    for (const left of besideLock(path, readdirSync(dirname(path)))) {
      const seen = readLock(left, os);
      if (seen !== null && verdictOn(seen) === 'dead') remove(left);
    }
  } catch {
    // The next process that takes the lock tries again.
  }
}

function remove(path: string | undefined): void {
  if (path !== undefined) rmSync(path, { force: true });
}
