import { refuseBrokenTrees } from '../frontier/lmdb-check.ts';
import type { CrawlPaths } from './crawl-directory.ts';
import { isLocked } from './lock.ts';

/** Where no crawl is at work: pages that one writes meanwhile would look like damage. @throws StoreError */
export function refuseBrokenFrontier({ database, lock }: CrawlPaths): void {
  if (isLocked(lock)) return;
  try {
    refuseBrokenTrees(database);
  } catch (error) {
    if (!isLocked(lock)) throw error; // else one began just now
  }
}
