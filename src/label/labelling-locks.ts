/** The locks of a labelling session: of the labels, and of a crawl at rest. */
import { type CrawlPaths, labelsLock, readManifest } from '../crawl-dir/crawl-directory.ts';
import { makeDirectory } from '../disk/directories.ts';
import { type HeldLock, lockState, takeLock } from '../disk/lock.ts';

/** The locks of a session. */
export interface Locks {
  readonly labels: HeldLock;
  /** null while the crawl runs. */
  readonly crawl: HeldLock | null;
}

/** The label file has a lock of its own, since one session and the crawl may work at the same time. @throws StoreError */
export async function takeLocks({ dir, lock, labelling }: CrawlPaths, told: (message: string) => void): Promise<Locks> {
  const runs = lockState(lock) === 'held' && readManifest(dir).runs.at(-1)?.endedAt === null;
  makeDirectory(labelling);
  const labels = await takeLock(labelsLock(labelling), `${dir} (labels)`, { told });
  if (runs) return { labels, crawl: null };
  try {
    return { labels, crawl: await takeLock(lock, dir, { told }) };
  } catch (error) {
    await labels.release();
    throw error;
  }
}

export async function releaseAll({ labels, crawl }: Locks): Promise<void> {
  try {
    await crawl?.release();
  } finally {
    await labels.release();
  }
}
