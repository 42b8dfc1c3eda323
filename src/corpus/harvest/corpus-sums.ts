/** The sums beside a corpus, which its readers ask before they read. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DamageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { CARD_FILE } from '../describe/card-markdown.ts';
import { CHECKSUMS_FILE, checksumsIn, MAX_CHECKSUMS } from '../describe/descriptions/checksums.ts';
import { hashOfFile } from '../select/hashed-file.ts';
import { isCorpus } from './folder-source.ts';

/** Sums by file name; null for a folder without a list, as harvests of earlier versions. @throws DamageError if the list has changed */
async function sumsOf(dir: string): Promise<ReadonlyMap<string, string> | null> {
  const path = join(dir, CHECKSUMS_FILE);
  const size = (await stat(path).catch(() => null))?.size;
  if (size === undefined) return null;
  if (size > MAX_CHECKSUMS) throw changed(path, `has ${size} bytes, and at most ${MAX_CHECKSUMS} are read`);
  return checksumsIn(await readFile(path, 'utf8'), path);
}

/**
 * Looks at files of a corpus. Sizes cost nothing; the SHA-256 of a file costs one more reading of it.
 * @param card sizes by name
 * @param whole is the SHA-256 of this file asked, too? Files that a command reads whole
 * @param sized is the size of this file asked?
 * @throws DamageError for a file that is missing or has changed
 */
export async function refuseChangedFiles(
  dir: string,
  sizes: ReadonlyMap<string, Bytes>,
  whole: (name: string) => boolean,
  sized: (name: string) => boolean = whole,
): Promise<void> {
  const sums = await sumsOf(dir);
  for (const name of new Set([...(sums?.keys() ?? []), ...sizes.keys()])) {
    if (!sized(name) && !whole(name)) continue;
    const path = join(dir, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw changed(path, 'is missing');
    const expected = sizes.get(name);
    if (expected !== undefined && expected !== found.size) throw changed(path, `has ${found.size} bytes and had ${expected}`);
    const sum = sums?.get(name);
    if (sum !== undefined && whole(name) && (await hashOfFile(path)).sha256 !== sum) throw changed(path, 'has another SHA-256');
  }
}

/**
 * Refuses changed pages of a corpus, for commands that read a file or a folder: its files are those that were written.
 * @param reads which names in a folder are read
 * @throws DamageError
 */
export async function refuseChangedInput(input: string, reads: (name: string) => boolean): Promise<void> {
  const isFolder = (await stat(input)).isDirectory();
  const dir = isFolder ? input : dirname(input);
  // Another program's list of sums may have that name, too.
  if (!isCorpus(dir) || !isThere(join(dir, CARD_FILE))) return;
  await refuseChangedFiles(dir, new Map(), (name) => (isFolder ? reads(name) : name === basename(input)));
}

function changed(path: string, why: string): DamageError {
  return new DamageError(
    `${path}: ${why}: it has changed since it was written; restore it from a copy (forager verify ${dirname(path)} names all such files)`,
  );
}
