/** What takes seconds to make, and what several test files of a run want. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Folder of the run, or a new one in a program that Vitest does not run, such as the pictures of the page: it is removed at the end. */
function sharedFolder(): string {
  if (process.env['VITEST'] !== undefined) return inject('sharedModels');
  const own = mkdtempSync(join(tmpdir(), 'forager-made-'));
  process.on('exit', () => rmSync(own, { recursive: true, force: true }));
  return own;
}

/** @param make fills an empty folder. @returns a folder that it has filled in this run, for this test file or another: to be read and copied alone */
export async function madeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const made = join(sharedFolder(), name);
  if (existsSync(made)) return made;
  const own = mkdtempSync(`${made}-`);
  await make(own);
  // Another test file may have been as fast.
  if (existsSync(made)) rmSync(own, { recursive: true });
  else renameSync(own, made);
  return made;
}
