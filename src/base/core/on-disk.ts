/** Flushes files and directories to disk. A new file, or a rename, survives a power cut only once its directory is on disk too (fsync(2)). */
import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Flushes a file or folder synchronously, as `flush` does asynchronously: nothing else happens meanwhile. */
export function flushAtOnce(path: string): void {
  if (isNeedless(path)) return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Flushes a file; or a folder with all that is in it. */
export function flushTree(path: string): void {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) flushTree(join(path, name));
  flushAtOnce(path);
}

/** Windows cannot open directories, and does not need to. */
function isNeedless(path: string): boolean {
  return process.platform === 'win32' && statSync(path).isDirectory();
}

/** Is a file or folder there? @throws the error of the file system if that cannot be known, as without the right to search its folder */
export function isThere(path: string): boolean {
  return !path.includes('\0') && statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether a path is there, for a text that may be something else than a path, or be below a file: then nothing is there. */
export function isPathThere(text: string): boolean {
  try {
    return isThere(text);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENAMETOOLONG' || error.code === 'ENOTDIR')) return false;
    throw error;
  }
}
