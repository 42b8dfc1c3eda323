/** What reaches the disk, and when: Node's file handles are watched, not replaced. */
import { fstatSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

export interface Done<T> {
  readonly what: 'write' | 'flush';
  /** Of the file or folder that was written to, or flushed (fsync or fdatasync). */
  readonly inode: number;
  /** What `look` gave right after. */
  readonly seen: T;
}

/**
 * All writes and flushes from now to the end of the test, in their order.
 * @param look at what else is of interest at each of them
 */
export async function watchedFlushes<T>(look: () => T): Promise<readonly Done<T>[]> {
  const done: Done<T>[] = [];
  const methods = await handleMethods();
  const watch = (name: 'write' | 'sync' | 'datasync', what: 'write' | 'flush') => {
    const real: unknown = methods[name];
    if (typeof real !== 'function') throw new Error(`no ${name}`);
    const watched = async function (this: FileHandle, ...args: unknown[]) {
      const result: unknown = await real.apply(this, args);
      done.push({ what, inode: fstatSync(this.fd).ino, seen: look() });
      return result;
    };
    vi.spyOn(methods, name).mockImplementation(watched as never);
  };
  watch('write', 'write');
  watch('sync', 'flush');
  watch('datasync', 'flush');
  onTestFinished(() => void vi.restoreAllMocks());
  return done;
}

/** The flushes of one file or folder. */
export function flushesOf<T>(done: readonly Done<T>[], path: string): readonly Done<T>[] {
  const { ino } = statSync(path);
  return done.filter(({ what, inode }) => what === 'flush' && inode === ino);
}

async function handleMethods(): Promise<FileHandle> {
  const handle = await open(import.meta.filename);
  const methods: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  return methods;
}
