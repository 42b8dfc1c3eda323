/** The hidden folder beside an output while a command writes it: its lock, the new content, and the former one while it is replaced. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storeErrorFrom, UsageError } from '../core/errors.ts';
import { flushAtOnce } from '../core/on-disk.ts';
import { removeEmpty } from './directories.ts';
import { endEarlier } from './earlier-leftovers.ts';
import { type HeldLock, isOwnLock, type LockOptions, lockState, takeLock } from './lock.ts';

const ENDING = '.forager-new';
/** File systems have 255 bytes for a name; a longer one is replaced by its hash. */
const LONGEST = 200;
const [LOCK, NEW, OLD] = ['lock', 'new', 'old'];
/** Writers of a single file write it under this name first. */
const UNFINISHED = `${NEW}.tmp`;
/** Another process may remove the folder between its making and its lock. */
const ATTEMPTS = 5;

/** @param target an absolute path without links */
export function workFolderOf(target: string): string {
  return hiddenBesideOf(target, ENDING);
}

/** Path of a hidden folder beside an output. @param target an absolute path without links. @param ending of its name, which tells the purpose */
export function hiddenBesideOf(target: string, ending: string): string {
  const name = basename(target);
  const short = Buffer.byteLength(name) <= LONGEST ? name : `~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  return join(dirname(target), `.${short}${ending}`);
}

/** A work folder of this process. While it is held, no other command writes the same output. */
export class WorkFolder {
  readonly #target: string;
  readonly #path: string;
  readonly #lock: HeldLock;

  private constructor(target: string, lock: HeldLock) {
    [this.#target, this.#path, this.#lock] = [target, workFolderOf(target), lock];
  }

  /**
   * Takes the folder, and ends the work of a killed command in it.
   * @param target an absolute path without links, in an existing folder
   * @param shown the output as the user wrote it
   * @throws StoreError STORE_LOCKED while another process writes it; UsageError if the folder is somebody else's
   */
  static async take(target: string, shown: string, options: LockOptions): Promise<WorkFolder> {
    const path = workFolderOf(target);
    for (let attempt = 1; ; attempt++) {
      make(path, shown);
      try {
        const work = new WorkFolder(target, await takeLock(join(path, LOCK), shown, options));
        await work.#endLeftovers(shown, options.warn);
        return work;
      } catch (error) {
        if (existsSync(path) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Path of the new content. */
  get new(): string {
    return join(this.#path, NEW);
  }

  /** @throws StoreError if another process has taken over */
  check(): void {
    this.#lock.check();
  }

  /** Gives the new content the name of the target, in one step. The former content is kept until then. @throws the error of the file system */
  put(): void {
    const old = join(this.#path, OLD);
    const isFull = isFullFolder(this.#target);
    if (isFull) renameSync(this.#target, old);
    try {
      renameSync(this.new, this.#target);
    } catch (error) {
      if (isFull) renameSync(old, this.#target);
      throw error;
    }
    flushAtOnce(dirname(this.#target));
    rmSync(old, { recursive: true, force: true });
  }

  /** Removes the folder. Never rejects for a file that it could not remove: the next command tries again. */
  async release(): Promise<void> {
    try {
      this.#removeNew();
    } catch {
      // The next command removes it.
    }
    await this.#lock.release();
    // Another process may be taking its lock there.
    removeEmpty([this.#path]);
  }

  #removeNew(): void {
    for (const name of [NEW, UNFINISHED]) rmSync(join(this.#path, name), { recursive: true, force: true });
  }

  /** A command that was killed between its two renames has moved the former content away: it comes back. */
  async #endLeftovers(shown: string, warn: LockOptions['warn']): Promise<void> {
    const old = join(this.#path, OLD);
    try {
      for (const line of endEarlier(this.#target)) warn?.(line);
      if (existsSync(old)) {
        if (!existsSync(this.#target)) renameSync(old, this.#target);
        else if (existsSync(this.new)) throw twoOf(shown, old);
        else rmSync(old, { recursive: true, force: true });
      }
      this.#removeNew();
    } catch (error) {
      await this.#lock.release();
      throw error instanceof UsageError ? error : storeErrorFrom(error, 'ending the work of a killed command', shown);
    }
  }
}

function twoOf(shown: string, old: string): UsageError {
  return new UsageError(`${shown}: is there, and a killed command has left its former content in ${old}; move one of the two elsewhere`);
}

/** Is there a work folder with something in it, whose owner is not known to be alive? */
export function hasLeftovers(target: string): boolean {
  const path = workFolderOf(target);
  return existsSync(path) && lockState(join(path, LOCK)) !== 'held';
}

/** Whether a command that writes the output, or one that was killed, has a work folder. */
export function hasWorkFolder(target: string): boolean {
  return existsSync(workFolderOf(target));
}

/** Outputs in a folder that killed commands left behind, by their targets. Those with a hash for a name are not found. */
export function leftoversIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const targets = names.flatMap((name) =>
    name.startsWith('.') && !name.startsWith('.~') && name.endsWith(ENDING) ? [join(folder, name.slice(1, -ENDING.length))] : [],
  );
  return targets.filter((target) => isOurs(workFolderOf(target)) && lockState(join(workFolderOf(target), LOCK)) === 'free');
}

/** @throws UsageError, StoreError */
function make(path: string, shown: string): void {
  try {
    mkdirSync(path, { mode: 0o777 });
  } catch (error) {
    if (!existsSync(path)) throw storeErrorFrom(error, 'making a folder beside it', shown);
  }
  if (existsSync(path) && !isOurs(path))
    throw new UsageError(`${shown}: ${path} holds something that is not of Forager; move it elsewhere, or give another name`);
}

function isOurs(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).every((name) => [LOCK, NEW, UNFINISHED, OLD].includes(name) || isOwnLock(name));
}

function isFullFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory() && readdirSync(path).length > 0;
}
