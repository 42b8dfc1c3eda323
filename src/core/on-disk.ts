/** Flushes files and directories to disk. A new file, or a rename, survives a power cut only once its directory is on disk too (fsync(2)). */
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Flushes a file, or the entries of a directory. */
export async function flush(path: string): Promise<void> {
  if (isNeedless(path)) return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same, but synchronous: nothing else happens meanwhile. */
export function flushAtOnce(path: string): void {
  if (isNeedless(path)) return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Windows cannot open directories, and does not need to. */
function isNeedless(path: string): boolean {
  return process.platform === 'win32' && statSync(path).isDirectory();
}
