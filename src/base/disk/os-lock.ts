/** Locks that the operating system holds on open files: it releases them when the process is gone, however it ended. */
import { statfsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Both functions return null if the system cannot tell: the file system has no locks. */
export interface OsLock {
  /** Hold the open file, which must be writable, until it is closed. @returns false if another open file holds the lock */
  hold(fd: number): boolean | null;
  /** Does nobody hold the open file? Several processes may ask at once. */
  isFree(fd: number): boolean | null;
}

/** The part of fs-native-extensions that we use: `fcntl` with F_OFD_SETLK on Linux, `flock` on macOS. */
interface Addon {
  tryLock(fd: number, options?: { readonly shared?: boolean }): boolean;
}

/** Magic numbers of statfs(2) for file systems that only one kernel mounts at a time: ext, XFS, Btrfs, F2FS, ZFS, tmpfs. */
const OF_ONE_MACHINE: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994]);

/** null if the addon does not support this machine, as with musl. Loaded at first use: that takes 13 ms. */
export function osLock(): OsLock | null {
  loaded ??= { lock: load() };
  return loaded.lock;
}

let loaded: { readonly lock: OsLock | null } | null = null;

function load(): OsLock | null {
  try {
    const addon: Addon = createRequire(import.meta.url)('fs-native-extensions');
    return { hold: (fd) => tried(() => addon.tryLock(fd)), isFree: (fd) => tried(() => addon.tryLock(fd, { shared: true })) };
  } catch {
    return null;
  }
}

function tried(lock: () => boolean): boolean | null {
  try {
    return lock();
  } catch {
    return null;
  }
}

/** Is this on a disk that no other machine has mounted? False if that is not known. */
export function isOfOneMachine(path: string): boolean {
  try {
    return OF_ONE_MACHINE.has(statfsSync(path).type >>> 0);
  } catch {
    return false;
  }
}
