import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { StoreError, storeErrorFrom } from '../core/errors.ts';

/** What the lock file says of its owner: enough to tell a dead or recycled process id from a living one. */
interface Owner {
  readonly pid: number;
  readonly boot: string;
  readonly started: string;
}

/** What a process that was killed while it took a lock, or put one aside, may have left beside it. */
const OWN_LOCK = /^lock\.\d+(?:\.old)?$/;

/** Is this the name of a file that `takeLock` makes beside a lock called `lock`? */
export function isOwnLock(name: string): boolean {
  return OWN_LOCK.test(name);
}

/**
 * Hold `path` as an exclusive lock of this process; call the result to let go. A lock left by a process that is gone
 * (killed, or before a reboot) is taken over.
 * @throws StoreError STORE_LOCKED when another living process holds it.
 */
export function takeLock(path: string, what: string): () => void {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(path)) return () => rmSync(path, { force: true });
    const held = contentOf(path);
    const owner = ownerIn(held);
    if (owner && isAlive(owner)) {
      throw new StoreError(
        'STORE_LOCKED',
        `${what}: process ${owner.pid} is working on it; wait for it to end, or stop it (kill -INT ${owner.pid})`,
      );
    }
    putAside(path, held);
  }
  throw new StoreError('STORE_LOCKED', `${what}: another process took the lock ${path} at this moment; run the command again`);
}

/** Does a living process hold the lock? */
export function isLocked(path: string): boolean {
  const owner = ownerIn(contentOf(path));
  return owner !== null && isAlive(owner);
}

/** Whole from the first moment: a second process never reads a lock that its owner has not written yet. @returns false when there is one already. */
function create(path: string): boolean {
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, JSON.stringify(ownerOf(process.pid)));
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw storeErrorFrom(error, 'taking the lock', path);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Remove a lock that nobody holds any more; one that another process has taken in the meantime is given back. @param held what it was seen to hold */
function putAside(path: string, held: string): void {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
    if (contentOf(aside) !== held) linkSync(aside, path);
  } catch (error) {
    // Gone already, or taken again: the next attempt tells.
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST')))
      throw storeErrorFrom(error, 'taking the lock', path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function ownerIn(content: string): Owner | null {
  try {
    return JSON.parse(content) as Owner;
  } catch {
    return null;
  }
}

function isAlive(owner: Owner): boolean {
  const now = ownerOf(owner.pid);
  return now !== null && now.boot === owner.boot && now.started === owner.started;
}

/** Boot id and start time come from /proc; without it (not Linux) only the process id tells. */
function ownerOf(pid: number): Owner | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return null;
  }
  const boot = contentOf('/proc/sys/kernel/random/boot_id');
  // Field 22 of proc(5) stat, counted after the command name, which may hold spaces.
  const started = contentOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[19] ?? '';
  return { pid, boot, started };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
