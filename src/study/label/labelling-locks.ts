/** The locks of a labelling session: of the labels, and of a crawl at rest. */

import { makeDirectory, removeEmpty } from '../../base/disk/directories.ts';
import { type HeldLock, lockState, takeLock } from '../../base/disk/lock.ts';
import { type CrawlPaths, labelsLock, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';

/** The locks of a session. */
export interface Locks {
  readonly labels: HeldLock;
  /** null while the crawl runs. */
  readonly crawl: HeldLock | null;
  /** Folders that were made for the session, outermost first. They go again if nothing was stored in them. */
  readonly made: readonly string[];
}

/**
 * The label file has a lock of its own, since one session and the crawl may work at the same time.
 * @param folder of the topic, in that of the labels or the same
 * @throws StoreError
 */
export async function takeLocks({ dir, lock, labelling }: CrawlPaths, folder: string, warn: (message: string) => void): Promise<Locks> {
  const runs = lockState(lock) === 'held' && readManifest(dir).runs.at(-1)?.endedAt === null;
  const made = makeDirectory(folder);
  let labels: HeldLock | null = null;
  try {
    labels = await takeLock(labelsLock(labelling), `${dir} (labels)`, { warn });
    return { labels, crawl: runs ? null : await takeLock(lock, dir, { warn }), made };
  } catch (error) {
    await labels?.release();
    removeEmpty(made);
    throw error;
  }
}

/** The lock of the crawl is last: no crawl begins while the folders go. One that runs may be about to write in them. */
export async function releaseAll({ labels, crawl, made }: Locks): Promise<void> {
  try {
    await labels.release();
    if (crawl !== null) removeEmpty(made);
  } finally {
    await crawl?.release();
  }
}
