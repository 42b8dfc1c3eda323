/** Files and directories put on disk: a new file, and a rename, survive a power cut only once their directory is there too (fsync(2)). */
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** A file, or the entries of a directory. */
export async function flush(path: string): Promise<void> {
  if (isNeedless(path)) return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same; nothing else happens meanwhile. */
export function flushAtOnce(path: string): void {
  if (isNeedless(path)) return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Windows cannot open directories, nor needs to. */
function isNeedless(path: string): boolean {
  return process.platform === 'win32' && statSync(path).isDirectory();
}
