/** Seeds that are added while the crawl runs: admitted and stored as those that a run begins with. */
import { UsageError } from '../../base/core/errors.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { meantUrlText } from '../../base/web/bare-url.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { type CrawlManifest, type CrawlPaths, writeManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { refuseAnonymous } from '../../crawling/crawl-dir/crawl-settings.ts';
import { addSeedsAtOnce, joinedSeeds, keepSeeds } from '../../crawling/crawl-dir/seed-list.ts';

export interface SeededCrawl {
  readonly paths: CrawlPaths;
  /** Manifest with the stored runs. */
  readonly manifest: CrawlManifest;
  readonly seeds: readonly CanonicalUrl[];
  readonly proxy: string | null;
  readonly parts: Parts;
}

/**
 * The manifest is on disk before the frontier knows the seeds: after a crash in between, the next run adds them.
 * @returns the new manifest, and all seeds
 * @throws UsageError for a text that is no URL, and for a crawl that says nothing about who runs it; StoreError. Then nothing is added
 */
export function addLateSeeds(texts: readonly string[], { paths, manifest, seeds, proxy, parts }: SeededCrawl) {
  const given = texts.map(urlOf);
  const joined = joinedSeeds(seeds, given);
  refuseAnonymous(manifest, joined, proxy, paths.dir);
  const kept = keepSeeds(paths, manifest, joined);
  if (kept !== manifest) writeManifest(paths.dir, kept);
  addSeedsAtOnce(given, parts);
  return { manifest: kept, seeds: joined };
}

function urlOf(text: string): CanonicalUrl {
  const url = canonicalizeWithRoute(text);
  if (url === null) throw new UsageError(`${text}: is not an http(s) URL; give URLs alone${meantUrlText(text)}`);
  return url;
}
