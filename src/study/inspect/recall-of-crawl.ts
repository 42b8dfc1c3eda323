/** Recall of a crawl in its directory, by its known pages. */
import type { Frontier } from '../../base/core/parts/queueing.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { type KnownPages, knownOf } from '../../crawling/crawl-dir/known-pages.ts';
import { type KnownRecall, knownRecall } from './known-recall.ts';

/** null without known pages. @throws DamageError */
export function recallIn(
  paths: Pick<CrawlPaths, 'known'>,
  manifest: CrawlManifest,
  frontier: Pick<Frontier, 'standing' | 'counts'>,
): KnownRecall | null {
  const known = knownOf(paths);
  return known === null ? null : recallOf(known, manifest, frontier);
}

/** O(known pages). */
export function recallOf(known: KnownPages, manifest: CrawlManifest, frontier: Pick<Frontier, 'standing' | 'counts'>): KnownRecall {
  const scope = scopeOf(manifest);
  return knownRecall(known, frontier, frontier.counts().kept, (url) => scope.refuses(url) !== null);
}
