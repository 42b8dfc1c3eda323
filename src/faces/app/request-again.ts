/** Pages that a crawl requested and could not read, before a run that can: they wait again. */
import type { DocumentKindName } from '../../base/core/document-kind-names.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { storedReason } from '../../base/core/reason.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf, scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { openLmdbLedger } from '../../crawling/frontier/frontier.ts';
import { unsettle } from '../../crawling/frontier/unsettle.ts';

/** Reading of a run that the run before could not do. */
export interface NewReading {
  /** Kinds of documents. */
  readonly documents: readonly DocumentKindName[];
  /** Pages without a text that a browser may render: all of them if none did before; then those for which it crashed; none without one. */
  readonly renders: 'all' | 'crashed' | 'none';
}

/** @param found the manifest before this run; null for a new crawl */
export function newReading(found: CrawlManifest | null, { documents, render }: CrawlManifest): NewReading {
  if (found === null) return { documents: [], renders: 'none' };
  return {
    documents: documents.filter((kind) => !found.documents.includes(kind)),
    renders: render === 'never' ? 'none' : found.render === 'never' ? 'all' : 'crashed',
  };
}

/**
 * Lets them wait, in a frontier that nobody has open. The type of an answer that names no kind of document is not stored: such URLs wait too, once for
 * each kind that is new. O(discovered URLs)
 * @throws StoreError
 */
export async function requestAgain(paths: CrawlPaths, manifest: CrawlManifest, reading: NewReading): Promise<void> {
  if (reading.documents.length === 0 && reading.renders === 'none') return;
  const ledger = openLmdbLedger(paths.frontier, frontierOptionsOf(manifest));
  const scope = scopeOf(manifest);
  const urls = new Set([...readableNow(ledger, reading)].filter((url) => scope.refuses(url) === null));
  await ledger.close();
  if (urls.size > 0) await unsettle(paths.frontier, urls);
}

function* readableNow(ledger: Ledger, { documents, renders }: NewReading): Generator<CanonicalUrl> {
  for (const { url, state, status, reason, rendered } of ledger.ledger()) {
    if (state !== 'refused' || status === null) continue;
    const why = storedReason(reason);
    const isRendered = renders === 'all' || (renders === 'crashed' && rendered?.trouble === 'render-crash');
    if (isRendered && why === 'needs-javascript') yield url;
    if (documents.length === 0) continue;
    if (why === 'content-type' || (typeof why === 'object' && why.kind === 'content-type' && documents.includes(why.document))) yield url;
  }
}
