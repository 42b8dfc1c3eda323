/** The end of a purge: corpus and frontier without the pages that were taken back take the places of the old ones. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import { type LockOptions, lockState, takeLock } from '../../base/disk/lock.ts';
import { PURGED } from '../../base/disk/own-names.ts';
import { crawlPaths } from './crawl-directory.ts';

/** Was a purge killed in its last step, or is it there now? */
export function hasPurge(dir: string): boolean {
  return existsSync(join(dir, PURGED));
}

/** Ends the last step of a killed purge. @throws StoreError also if another process holds the crawl */
export async function settlePurge(dir: string, options: LockOptions = {}): Promise<void> {
  const paths = crawlPaths(dir);
  if (!hasPurge(dir) || lockState(paths.lock) === 'held') return;
  const lock = await takeLock(paths.lock, dir, options);
  try {
    putPurgedInPlace(dir);
  } finally {
    await lock.release();
  }
}

/**
 * Replaces each folder by the one of the same name in `.purged`, which goes last: after a crash the rest follows. The lock of the crawl is held.
 * @throws StoreError
 */
export function putPurgedInPlace(dir: string): void {
  const purged = join(dir, PURGED);
  if (!existsSync(purged)) return;
  try {
    for (const name of readdirSync(purged)) {
      rmSync(join(dir, name), { recursive: true, force: true });
      renameSync(join(purged, name), join(dir, name));
      flushAtOnce(dir);
    }
    rmSync(purged, { recursive: true });
    flushAtOnce(dir);
  } catch (error) {
    throw storeErrorFrom(error, 'purging the crawl', dir);
  }
}
