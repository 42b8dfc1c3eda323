import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { storeErrorFrom } from '../core/errors.ts';
import { flushAtOnce } from '../core/on-disk.ts';
import type { Bytes } from '../core/types.ts';
import { refuseBrokenTrees } from './lmdb-check.ts';

export interface Compaction {
  readonly before: Bytes;
  readonly after: Bytes;
}

/** Folder of the copy, until that takes the place of the database. */
const ASIDE = 'compact';

/**
 * Write the database of a frontier anew without the pages that nothing needs, and put that in its place. The copy is on disk, and its trees are
 * whole, before the one rename that counts: killed at any moment, the old one or the new one is there. Nobody may write meanwhile; who reads goes on with the old one.
 * @param mayReplace called right before that rename: it throws where the crawl is no longer this process's
 * @throws StoreError; the database is then as it was
 */
export async function compactFrontier(dir: string, mayReplace: () => void = () => undefined): Promise<Compaction> {
  const database = join(dir, 'data.mdb');
  const aside = join(dir, ASIDE);
  const copy = join(aside, 'data.mdb');
  refuseBrokenTrees(database);
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

/** The lock table belongs to the old file: its transaction numbers are ahead of the new one's. The next who opens the database makes one. */
export function putInPlace(dir: string, copy: string): void {
  renameSync(copy, join(dir, 'data.mdb'));
  rmSync(join(dir, 'lock.mdb'), { force: true });
  flushAtOnce(dir);
}
