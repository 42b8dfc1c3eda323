import { lockState } from '../../base/disk/lock.ts';
import { refuseBrokenTrees } from '../frontier/lmdb-check.ts';
import type { CrawlPaths } from './crawl-directory.ts';

/** Checks the frontier if no crawl is running: pages that a crawl writes meanwhile would look like damage. @throws StoreError */
export function refuseBrokenFrontier({ database, lock }: CrawlPaths): void {
  const state = lockState(lock);
  if (state === 'held') return;
  try {
    refuseBrokenTrees(database, state === 'unclear');
  } catch (error) {
    const now = lockState(lock);
    if (now === 'free' || now === state) throw error; // otherwise a crawl has just started
  }
}
