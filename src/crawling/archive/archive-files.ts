/** The files of a web archive on the disk: WARC files, those inside of WACZ files, and indexes of either. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DataError, UsageError } from '../../base/core/errors.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { refusal } from '../../base/text/given-file.ts';
import { warcsOfWacz } from './wacz-members.ts';

/** A WARC file on the disk: a file, or a part of a WACZ. */
export interface WarcPlace {
  /** Name without folders; in a WACZ behind the name of that. It is the same wherever the archive lies. */
  readonly name: string;
  readonly path: string;
  /** Bytes of the file that are the WARC file. */
  readonly begin: Bytes;
  readonly end: Bytes;
}

export interface ArchiveFiles {
  readonly warcs: readonly WarcPlace[];
  /** Paths of CDX and CDXJ files. */
  readonly indexes: readonly string[];
}

const WARC = /\.warc(\.gz)?$/i;
const WACZ = /\.wacz$/i;
const INDEX = /\.cdxj?(\.gz)?$/i;

/** Is it an archive by its name? A plain WARC file is one of its records, in their order, for commands that read pages. */
export function isArchiveName(name: string): boolean {
  return WACZ.test(name) || INDEX.test(name);
}

/** Is it a file of an archive by its name, plain WARC files included? */
export function isArchiveFile(name: string): boolean {
  return WARC.test(name) || isArchiveName(name);
}

/** Is it a folder with files of an archive, at any depth? */
export function isArchiveFolder(path: string): boolean {
  return isPathThere(path) && statSync(path).isDirectory() && entriesOf(path).some(isArchiveFile);
}

/**
 * Files of an archive, in the order given; those of a folder in the order of their names, without its indexes, which only repeat the files.
 * @throws UsageError for a path that is not there or no archive, DataError for a damaged WACZ
 */
export async function archiveFiles(paths: readonly string[]): Promise<ArchiveFiles> {
  const found = paths.flatMap(filesAt);
  const warcs: WarcPlace[] = [];
  for (const path of found) {
    if (WARC.test(path)) warcs.push(placeOfFile(path));
    if (WACZ.test(path)) warcs.push(...(await warcsOfWacz(path)));
  }
  return { warcs, indexes: found.filter((path) => INDEX.test(path)) };
}

/** A whole file. @throws DataError */
export function placeOfFile(path: string): WarcPlace {
  try {
    return { name: basename(path), path, begin: 0, end: statSync(path).size };
  } catch (error) {
    throw new DataError(refusal(error, path, 'check the path').message, { cause: error });
  }
}

function filesAt(path: string): string[] {
  if (!isPathThere(path)) throw new UsageError(`--archive ${path}: no such file or folder; check the path`);
  if (statSync(path).isDirectory()) return filesOfFolder(path);
  if (isArchiveFile(path)) return [path];
  throw new UsageError(
    `--archive ${path}: not an archive by its name; give .warc, .warc.gz, .wacz, .cdx or .cdxj files, or a folder of them`,
  );
}

/** @throws UsageError for a folder without a file of an archive */
function filesOfFolder(dir: string): string[] {
  const found = entriesOf(dir).filter((path) => WARC.test(path) || WACZ.test(path));
  if (found.length === 0) throw new UsageError(`--archive ${dir}: has no .warc, .warc.gz or .wacz files; give the folder that has them`);
  return found.sort();
}

function entriesOf(dir: string): string[] {
  return readEntries(dir).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? entriesOf(path) : [path];
  });
}

function readEntries(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    throw new DataError(refusal(error, dir, 'mend or remove it').message, { cause: error });
  }
}
