import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import type { Bytes } from '../../base/core/types.ts';
import { convertFrontier, isFormerDatabase } from './convert-frontier.ts';
import { refuseBrokenTrees } from './lmdb-check.ts';

export interface Compaction {
  readonly before: Bytes;
  readonly after: Bytes;
}

/** Folder of the copy, until the copy replaces the database. */
const ASIDE = 'compact';

/**
 * Rewrites the database of a frontier without unused pages, and replaces it. One of an earlier layout is converted first. Before the one decisive rename, the copy is on disk and its trees are
 * checked. If the process is killed at any moment, either the old or the new database is there. Nobody may write meanwhile; readers continue with the
 * old one.
 * @param mayReplace called right before that rename: it throws if this process no longer owns the crawl
 * @throws StoreError; the database is then unchanged
 */
export async function compactFrontier(dir: string, mayReplace: () => void = () => undefined): Promise<Compaction> {
  const database = join(dir, 'data.mdb');
  const aside = join(dir, ASIDE);
  const copy = join(aside, 'data.mdb');
  refuseBrokenTrees(database);
  if (isFormerDatabase(dir)) {
    mayReplace();
    convertFrontier(dir, null);
  }
  try {
    rmSync(aside, { recursive: true, force: true });
    mkdirSync(aside);
    await copyCompact(dir, aside);
    flushAtOnce(copy);
    const sizes = { before: statSync(database).size, after: statSync(copy).size };
    refuseBrokenTrees(copy);
    mayReplace();
    putInPlace(dir, copy);
    return sizes;
  } catch (error) {
    throw storeErrorFrom(error, 'compacting the frontier', dir);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

async function copyCompact(dir: string, aside: string): Promise<void> {
  const root = open<unknown, string>({ path: dir });
  try {
    await root.backup(aside, true);
  } finally {
    await root.close();
  }
}

/**
 * The lock table belongs to the old file: its transaction numbers are ahead of those in the new one. The next process that opens the database makes a
 * new table.
 */
export function putInPlace(dir: string, copy: string): void {
  renameSync(copy, join(dir, 'data.mdb'));
  rmSync(join(dir, 'lock.mdb'), { force: true });
  flushAtOnce(dir);
}
