import type { KeptPayloads } from '../core/parts/keeping.ts';
import type { CanonicalUrl, Topic } from '../core/types.ts';
import { copiedFrom, payloadKeys } from '../crawl/kept-payloads.ts';
import { persistently } from './sql-client.ts';
import type { EngineWorker } from './worker.ts';

/**
 * The payloads of all workers. A claim is stored at once, before the page is committed: if its worker dies, the page is asked for again by its URL, and that
 * URL has the payload. One statement a kept page. While the database is gone, the page waits.
 */
export function sharedPayloads(worker: EngineWorker, topics: readonly Pick<Topic, 'threshold'>[], signal: AbortSignal): KeptPayloads {
  return {
    async claim(sha256, url, relevances) {
      const keys = payloadKeys(sha256, relevances, topics);
      const others = await persistently(() => worker.claimPayloads(keys, url), signal);
      return copiedFrom(keys, (key) => (others.get(key) as CanonicalUrl | undefined) ?? null);
    },
    release(sha256, url) {
      const keys = [sha256, ...topics.map((_, i) => `${i} ${sha256}`)];
      // A page with that payload counts as a copy a moment longer.
      void persistently(() => worker.releasePayloads(keys, url), signal).catch(() => undefined);
    },
  };
}
