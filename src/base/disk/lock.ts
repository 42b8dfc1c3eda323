/** One process per crawl directory: across PID namespaces, restarts of the machine, and machines that share a disk. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { dateOf, systemClock } from '../core/clock.ts';
import { StoreError } from '../core/errors.ts';
import type { EpochMs, Ms } from '../core/types.ts';
import { besideLock, holdingLock, isOwnLock, type LockFile, type LockState, OwnLockFile, readLock, stateOf } from './lock-file.ts';
import { heldLockText, ownerText } from './lock-owner.ts';
import { type OsLock, osLock } from './os-lock.ts';
import { locksAreTakenOver } from './take-over.ts';

export { isOwnLock };

export interface LockOptions {
  /** Receives a message when a lock is taken over. Default: none. */
  readonly warn?: (message: string) => void;
  /** Ends the attempts early. */
  readonly signal?: AbortSignal;
  readonly clock?: Pick<Clock, 'now' | 'date'>;
  /** Take a lock over if the system cannot tell whether its owner lives. Default: false, unless `takeOverLocks` was called. */
  readonly takeOver?: boolean;
  /** The locks of the system; null if it has none. Default: the system's locks, if any. */
  readonly os?: () => OsLock | null;
}

/** A held lock. */
export interface HeldLock {
  /** Aborts with a StoreError when another process has taken the lock over, or somebody deleted it. Checked every two seconds. */
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

/** Interval of checks that the lock is still ours. */
export const CHECK_EVERY: Ms = 2000;
/** A process that only looks at a free lock holds it for some 50 µs. */
const ATTEMPTS = 5;
const LOOK_AGAIN_AFTER: Ms = 10;
/** Time for rivals to rename: between its last look and its renaming, a process without OS locks needs some 50 µs; a busy machine may delay it. */
const RIVALS_RENAME_WITHIN: Ms = 50;
const JUST_TAKEN = 'another process has just taken the lock; run the command again';

/**
 * Hold `path` as an exclusive lock of this process. The lock of a process that is certainly gone is taken over. If several processes try, one succeeds.
 * @throws StoreError STORE_LOCKED if another process holds it, or may hold it and `takeOver` is off; the abort reason of `signal`
 */
export async function takeLock(path: string, what: string, options: LockOptions = {}): Promise<HeldLock> {
  const os = (options.os ?? osLock)();
  const own = new OwnLockFile(path, os);
  try {
    for (let attempt = 1; ; attempt++) {
      const refusal = own.linkTo(path) ? null : replaced(path, own, what, os, options);
      if (refusal === null) break;
      if (attempt === ATTEMPTS) throw new StoreError('STORE_LOCKED', `${what}: ${refusal}`);
      await sleep(LOOK_AGAIN_AFTER);
      options.signal?.throwIfAborted();
    }
    if (!(await staysAt(path, own))) throw new StoreError('STORE_LOCKED', `${what}: ${JUST_TAKEN}`);
  } catch (error) {
    own.close();
    throw error;
  }
  own.forgetName();
  clearBeside(path, os);
  return new Held(path, what, own, options);
}

/** Replaces the lock of another process, whose OS lock this one holds meanwhile: so one process at a time does it. @returns why not; null if it is done */
function replaced(
  path: string,
  own: OwnLockFile,
  what: string,
  os: OsLock | null,
  { takeOver = locksAreTakenOver(), warn }: LockOptions,
): string | null {
  const refusal = holdingLock(path, os, (seen) => {
    const state = stateOf(seen);
    if (state === 'held') return heldLockText(seen.owner);
    if (state === 'unclear' && !takeOver) return unclearText(seen);
    if (state === 'unclear') warn?.(`${what}: taking over the lock of ${ownerText(seen.owner)}`);
    own.moveTo(path);
    return '';
  });
  return refusal === '' ? null : (refusal ?? JUST_TAKEN);
}

/** Whether the lock is still ours. Without OS locks, two processes may replace one lock: the last one has it. */
async function staysAt(path: string, own: OwnLockFile): Promise<boolean> {
  if (own.hasOsLock) return true;
  await sleep(RIVALS_RENAME_WITHIN);
  return own.isAt(path);
}

function unclearText({ owner, isFree }: LockFile): string {
  const why = isFree === null ? 'this system has no file locks here that tell' : 'the file locks of this system do not tell';
  return `${ownerText(owner)} had the lock last, and ${why} whether it still runs; make sure that it has ended, then run the command again with --take-over`;
}

/** The state of a lock. */
export function lockState(path: string, os = osLock()): LockState {
  const seen = readLock(path, os);
  return seen === null ? 'free' : stateOf(seen);
}

/** Does one process hold both, as a labelling session does? */
export function areOfOneProcess(first: string, second: string): boolean {
  const a = readLock(first, null)?.owner;
  const b = readLock(second, null)?.owner;
  return a != null && b != null && a.pid === b.pid && a.started === b.started && a.namespace === b.namespace && a.boot === b.boot;
}

/** Does a living process certainly hold the lock? */
export function isLocked(path: string): boolean {
  return lockState(path) === 'held';
}

class Held implements HeldLock {
  readonly #path: string;
  readonly #what: string;
  readonly #own: OwnLockFile;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #clock: Pick<Clock, 'now' | 'date'>;
  /** The date of the last check of the file that found the lock held. */
  #checkedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #released = false;

  constructor(path: string, what: string, own: OwnLockFile, { clock = systemClock }: LockOptions) {
    this.#clock = clock;
    this.#path = path;
    this.#what = what;
    this.#own = own;
    this.#timer = setInterval(() => this.isHeld(), CHECK_EVERY).unref();
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
        `${this.#what}: the lock of this process is gone: another process took it over (--take-over), or somebody deleted it. All commits are safe; run the command again when no other process works on it`,
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
    if (this.#own.isAt(this.#path)) rmSync(this.#path, { force: true });
    this.#own.close();
  }
}

/** Removes files of processes that are certainly gone. Files that cannot be read or removed do no harm. */
function clearBeside(path: string, os: OsLock | null): void {
  try {
    for (const left of besideLock(path, readdirSync(dirname(path)))) {
      const seen = readLock(left, os);
      // A file without an owner is one that is just being made.
      if (seen?.owner && stateOf(seen) === 'free') rmSync(left, { force: true });
    }
  } catch {
    // The next process that takes the lock tries again.
  }
}
