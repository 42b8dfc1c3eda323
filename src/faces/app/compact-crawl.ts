import { type LockOptions, takeLock } from '../../base/disk/lock.ts';
import { crawlPaths, readManifest, refuseLostFrontier, refuseUnstarted } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type Compaction, compactFrontier } from '../../crawling/frontier/lmdb-compact.ts';

/** Sizes of a crawl's frontier before and after, in bytes. */
export interface CompactReport extends Compaction {
  readonly dir: string;
}

/** See `compact` of the library. */
export async function compact(dir: string, options: Pick<LockOptions, 'warn' | 'signal'> = {}): Promise<CompactReport> {
  const manifest = readManifest(dir);
  const paths = crawlPaths(dir);
  refuseLostFrontier(manifest, paths);
  refuseUnstarted(paths);
  const lock = await takeLock(paths.lock, dir, options);
  try {
    return { dir, ...(await compactFrontier(paths.frontier, () => lock.check())) };
  } finally {
    await lock.release();
  }
}
