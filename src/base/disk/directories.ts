/** Folders for output: refused early if they cannot be used, and made when they are needed. */

import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { storeErrorFrom, UsageError } from '../core/errors.ts';
import { systemFault } from '../core/system-errors.ts';

/** Writes nothing. @throws UsageError if a part of the path, or all of it, is a file. */
export function refuseFileInPath(path: string): void {
  for (let part = resolve(path); ; part = dirname(part)) {
    if (!existsSync(part) && part !== dirname(part)) continue;
    if (statSync(part).isDirectory()) return;
    throw new UsageError(`${path}: ${part} is a file, not a folder; give another path`);
  }
}

/**
 * Make a folder and its missing parents, one by one. Node's recursive mkdir never returns if a file
 * system answers ENOENT inside an existing folder, as /proc does.
 * @returns those that were missing, outermost first
 * @throws StoreError
 */
export function makeDirectory(path: string): readonly string[] {
  const missing: string[] = [];
  for (let part = resolve(path); !isDirectory(part) && part !== dirname(part); part = dirname(part)) missing.push(part);
  for (const part of missing.reverse()) makeOne(part, path);
  return missing;
}

/** Removes folders that were made, unless something is in them. @param made outermost first */
export function removeEmpty(made: readonly string[]): void {
  try {
    for (const folder of made.toReversed()) rmdirSync(folder);
  } catch {
    // One is in use, or gone.
  }
}

function makeOne(part: string, path: string): void {
  try {
    mkdirSync(part);
  } catch (error) {
    if (isDirectory(part)) return; // another process was faster
    throw storeErrorFrom(error, systemFault(error) ? 'making the folder' : 'making the folder; give a path that can be written to', path);
  }
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
