import { type Compaction, compactFrontier } from '../frontier/lmdb-compact.ts';
import { crawlPaths, readManifest, refuseLostFrontier, refuseNotBegun } from './crawl-directory.ts';
import { takeLock } from './lock.ts';

/** What became of the size of a crawl's frontier, in bytes. */
export interface CompactReport extends Compaction {
  readonly dir: string;
}

/**
 * Give back the disk space that the frontier of a crawl holds and does not need. Needs room for the new file beside the old one. No crawl may run meanwhile.
 * @throws UsageError where there is no crawl; StoreError when it is at work, damaged, or there is no room
 */
export async function compact(dir: string): Promise<CompactReport> {
  const manifest = readManifest(dir);
  const paths = crawlPaths(dir);
  refuseNotBegun(paths);
  refuseLostFrontier(manifest, paths);
  const release = takeLock(paths.lock, dir);
  try {
    return { dir, ...(await compactFrontier(paths.frontier)) };
  } finally {
    release();
  }
}
