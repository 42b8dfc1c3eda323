/** Files of URLs that a crawl is given: which it still has to read, and how their URLs get into its frontier. */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { fileUrlOf } from '../../base/web/url.ts';
import { commitAll } from '../../crawling/crawl/committer.ts';
import { linksOfFile } from '../../crawling/crawl/lists.ts';
import { type CrawlManifest, writeManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { refuseWithoutUrls, urlsIn } from '../../crawling/input/url-list-file.ts';

type UrlLists = CrawlManifest['urlLists'];

/** URLs added at a time, as with the links of a list. */
const URLS_AT_ONCE = 500;
/** URLs to hold in memory before a commit. */
const COMMIT_AFTER = 20_000;
const NONE = 'none';

/**
 * The lists of a crawl with those of this run, which are read again if they were read before: they may have grown.
 * @param given paths, or `none`, which omits those that earlier runs did not finish
 * @throws UsageError, DataError for a file without URLs
 */
export async function urlListsOf(before: UrlLists, given: readonly string[]): Promise<UrlLists> {
  const paths = new Set(given.filter((path) => path !== NONE).map((path) => resolve(path)));
  const kept = before.filter(({ path, urls }) => !paths.has(path) && (urls !== null || !given.includes(NONE)));
  const lists = [...kept, ...[...paths].map((path) => ({ path, urls: null }))];
  for (const { path } of lists.filter(({ urls }) => urls === null)) await refuseWithoutUrls(path);
  return lists;
}

/**
 * Adds the URLs of all lists that were not read to their end. Known URLs stay as they are, so a list that was read in part is read again. Ends early if
 * `signal` aborts: the next run continues.
 * @returns the manifest, in which the lists are read
 * @throws DataError for a file that is damaged; StoreError
 */
export async function addUrlLists(dir: string, manifest: CrawlManifest, parts: Parts, signal: AbortSignal): Promise<CrawlManifest> {
  if (manifest.urlLists.every(({ urls }) => urls !== null)) return manifest;
  // First of all: a run that is killed meanwhile leaves the list to the next one.
  writeManifest(dir, manifest);
  const urlLists: UrlLists = [];
  for (const { path, urls } of manifest.urlLists) urlLists.push({ path, urls: urls ?? (await addUrlList(path, parts, signal)) });
  return { ...manifest, urlLists };
}

/** @returns number of URLs; null if `signal` aborted */
async function addUrlList(path: string, parts: Parts, signal: AbortSignal): Promise<number | null> {
  const { frontier, corpus } = parts;
  const pages = new Map<CanonicalUrl, string>();
  let [count, held] = [0, 0];
  const add = async () => {
    frontier.add(await discoveryOf(path, pages, parts));
    held += pages.size;
    pages.clear();
    if (held < COMMIT_AFTER) return;
    held = 0;
    await commitAll(frontier, corpus);
    // Leaves time for health checks and Ctrl-C.
    await setImmediate();
  };
  for await (const { urls } of urlsIn(path)) {
    if (signal.aborted) return null;
    for (const { url, title } of urls) pages.set(url, pages.get(url) || title);
    count += urls.length;
    if (pages.size >= URLS_AT_ONCE) await add();
  }
  if (pages.size > 0) await add();
  await commitAll(frontier, corpus);
  return count;
}

async function discoveryOf(path: string, pages: ReadonlyMap<CanonicalUrl, string>, parts: Parts) {
  const source = fileUrlOf(path);
  const titled = Array.from(pages, ([url, title]) => ({ url, title }));
  const read = (await parts.lists?.linksTo(titled)) ?? { kind: 'list', links: [] };
  // A title that a thread cannot judge in time costs its judgement.
  const outcome = read.kind === 'list' ? read : await parts.lists?.linksTo(titled.map(({ url }) => ({ url, title: '' })));
  return linksOfFile(source, outcome?.kind === 'list' ? outcome.links : [], parts);
}
