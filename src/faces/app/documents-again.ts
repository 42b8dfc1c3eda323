/** Documents that a crawl requested and refused for the type of their answer, before it read their kinds: they wait again. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { storedReason } from '../../base/core/reason.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf, scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { openLmdbLedger } from '../../crawling/frontier/frontier.ts';
import { unsettle } from '../../crawling/frontier/unsettle.ts';

/**
 * Lets them wait, in a frontier that nobody has open. The type of an answer that names no kind is not stored: such URLs wait too, once for each kind
 * that is new. O(discovered URLs)
 * @param added kinds that the crawl reads from now on
 * @throws StoreError
 */
export async function requestAgain(paths: CrawlPaths, manifest: CrawlManifest, added: readonly DocumentKindName[]): Promise<void> {
  if (added.length === 0) return;
  const ledger = openLmdbLedger(paths.frontier, frontierOptionsOf(manifest));
  const scope = scopeOf(manifest);
  const urls = new Set([...refusedAnswers(ledger, added)].filter((url) => scope.refuses(url) === null));
  await ledger.close();
  if (urls.size > 0) await unsettle(paths.frontier, urls);
}

function* refusedAnswers(ledger: Ledger, added: readonly DocumentKindName[]): Generator<CanonicalUrl> {
  for (const { url, state, status, reason } of ledger.ledger()) {
    if (state !== 'refused' || status === null) continue;
    const why = storedReason(reason);
    if (why === 'content-type' || (typeof why === 'object' && why.kind === 'content-type' && added.includes(why.document))) yield url;
  }
}
