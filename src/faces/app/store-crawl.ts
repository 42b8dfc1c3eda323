/** The first writes of a run in its directory, which is locked. */
import { cpSync } from 'node:fs';
import { StoreError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { flushTree } from '../../base/core/on-disk.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  clearCrawl,
  findCrawl,
  topicsOf,
  writeManifest,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { topicFolders } from '../../crawling/crawl-dir/crawl-settings.ts';
import { checkOwnFieldRules } from '../../crawling/crawl-dir/field-rules-file.ts';
import type { FormerCrawl } from '../../crawling/crawl-dir/former-crawl.ts';
import { keepKnown } from '../../crawling/crawl-dir/known-pages.ts';
import { keepSeeds } from '../../crawling/crawl-dir/seed-list.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { isOfKeywords } from '../../study/label/retrain.ts';
import type { ClusterConnection } from './cluster-worker.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { PreparedCrawl } from './prepare-crawl.ts';

/**
 * Stores a new crawl, or the seeds of one that is resumed.
 * @param former the crawl that `force` replaces; null for none
 * @param at the database of the crawl; null for a crawl of one machine
 * @returns the manifest, with its seeds. That of a new crawl is stored: from now on it can be resumed
 */
export async function storeCrawl(
  { paths, found, manifest, seeds, known }: PreparedCrawl,
  options: CrawlOptions,
  former: FormerCrawl | null,
  at: ClusterConnection | null,
): Promise<CrawlManifest> {
  if (found) {
    refuseBrokenTrees(paths.database);
    // Must precede the frontier and the corpus: their ids are checked against this one.
    if (found.id === null) writeManifest(paths.dir, { ...found, id: manifest.id });
    await at?.settleIn(paths, found, manifest);
  } else await startCrawl(paths, manifest, options, former);
  if (known !== undefined) keepKnown(paths, known);
  const kept = keepSeeds(paths, at?.ownManifest(paths, manifest) ?? manifest, seeds);
  if (!found) writeManifest(paths.dir, kept);
  return kept;
}

/** Another process may have worked on the crawl between reading its manifest and taking the lock. @throws StoreError */
export function refuseChanged(before: CrawlManifest | null, dir: string): void {
  if (JSON.stringify(findCrawl(dir)) === JSON.stringify(before)) return;
  throw new StoreError('STORE_LOCKED', `${dir}: another process has just worked on it; run the command again`);
}

/** The first writes except the manifest. The crawl keeps copies of model and field rules, so that its directory suffices to explain and repeat it. */
async function startCrawl(paths: CrawlPaths, manifest: CrawlManifest, options: CrawlOptions, former: FormerCrawl | null): Promise<void> {
  const { fieldRules, linkModel } = options;
  const placeOf = (path: string) => former?.placeOf(path) ?? path;
  if (former === null) clearCrawl(paths);
  const own = topicsOf(paths, manifest);
  for (const [i, folder] of topicFolders(options).entries()) copied(placeOf(folder), own[i]?.folder ?? paths.model, 'copying the model');
  if (fieldRules !== undefined) copied(placeOf(fieldRules), paths.fieldRules, 'copying the field rules');
  await checkOwnFieldRules(paths, manifest);
  if (manifest.warmUp > 0 && (await isOfKeywords(manifest, paths)))
    throw new UsageError('--warm-up: needs a topic of example pages, and this one is of keywords; omit --warm-up, or train with examples');
  if (linkModel !== undefined) copied(placeOf(linkModel), paths.linkModel, 'copying the link model');
}

/** Copies a folder to the disk before any page is: without its model, a crawl cannot be resumed. @throws StoreError */
function copied(from: string, to: string, doing: string): void {
  try {
    cpSync(from, to, { recursive: true });
    flushTree(to);
  } catch (error) {
    throw storeErrorFrom(error, doing, to);
  }
}
