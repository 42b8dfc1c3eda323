import type { CanonicalUrl } from '../../base/core/types.ts';
import { LmdbStore } from './lmdb-store.ts';
import { UrlTable } from './url-table.ts';

/**
 * Lets settled URLs of a frontier in an LMDB directory wait again, as if they had never been requested. Everything stored about them is lost. No
 * other process or frontier may use the directory meanwhile. O(discovered URLs).
 * @throws StoreError
 */
export async function unsettle(path: string, urls: ReadonlySet<CanonicalUrl>): Promise<void> {
  const store = LmdbStore.open(path, null, null);
  try {
    const table = new UrlTable();
    for (const [, { links }] of store.discoveries()) for (const { url } of links) table.claim(url);
    await store.unsettle([...urls].map((url) => table.find(url)).filter((slot) => slot >= 0));
  } finally {
    await store.close();
  }
}
