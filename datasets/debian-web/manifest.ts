import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataError } from '../../src/base/core/errors.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import type { HostRow } from './hosts.ts';

/** A row as it was laid out. */
export interface BuiltRow extends HostRow {
  readonly version: string;
  /** SHA-256 of the .deb, hex. */
  readonly debSha256: string;
  readonly cap: number | null;
  readonly pages: number;
  /** Further names of the same pages, by symbolic links; not counted in `pages` and `bytes`. */
  readonly aliases: number;
  readonly bytes: Bytes;
  readonly droppedLinks: number;
  /** File below the output folder that lists the pages, then the aliases, `host/path…` a line. */
  readonly list: string;
}

export interface Manifest {
  readonly pages: number;
  readonly bytes: Bytes;
  readonly rows: readonly BuiltRow[];
}

const NAME = 'manifest.json';

/** The manifest of a built web; an empty one when nothing was built there. @throws DataError when it is no manifest. */
export function readManifest(out: string): Manifest {
  const file = join(out, NAME);
  if (!existsSync(file)) return { pages: 0, bytes: 0, rows: [] };
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (Array.isArray(manifest.rows)) return manifest;
  } catch (error) {
    throw new DataError(`${file}: not a manifest; delete the folder and build again`, { cause: error });
  }
  throw new DataError(`${file}: has no rows; delete the folder and build again`);
}

/** Write the manifest whole or not at all. Sums are taken here. */
export function writeManifest(out: string, rows: readonly BuiltRow[]): Manifest {
  mkdirSync(out, { recursive: true });
  const sum = (count: (row: BuiltRow) => number) => rows.reduce((total, row) => total + count(row), 0);
  const manifest: Manifest = { pages: sum((row) => row.pages), bytes: sum((row) => row.bytes), rows };
  const file = join(out, NAME);
  writeFileSync(`${file}.tmp`, `${JSON.stringify(manifest, null, 1)}\n`);
  renameSync(`${file}.tmp`, file);
  return manifest;
}

/** Pages of a built row, `host/path…`, sorted; aliases left out. */
export function pagesOf(out: string, row: BuiltRow): readonly string[] {
  return allNamesOf(out, row).slice(0, row.pages);
}

/** Pages and aliases of a built row, `host/path…`. */
export function allNamesOf(out: string, row: BuiltRow): readonly string[] {
  return readFileSync(join(out, row.list), 'utf8').split('\n').filter(Boolean);
}
