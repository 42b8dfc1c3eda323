import type { CanonicalUrl } from '../../base/core/types.ts';
import { LmdbStore } from './lmdb-store.ts';
import type { UrlName } from './log-entry.ts';
import { type Slot, UrlTable } from './url-table.ts';

/**
 * Lets settled URLs of a frontier in an LMDB directory wait again, as if they had never been requested. No
 * other process or frontier may use the directory meanwhile. O(discovered URLs).
 * @throws StoreError
 */
export async function unsettle(path: string, urls: ReadonlySet<CanonicalUrl>): Promise<void> {
  const store = LmdbStore.open(path, null, null);
  try {
    const table = new UrlTable();
    const found = new Map<Slot, UrlName>();
    for (const [, { links }] of store.discoveries())
      for (const { url, host } of links) if (table.claim(url).isNew && urls.has(url)) found.set(table.find(url), { url, host });
    await store.unsettle(found);
  } finally {
    await store.close();
  }
}
