/** The URLs that hosts list in their sitemaps. */
import type { CanonicalUrl, HostKey } from '../../base/core/types.ts';
import { usualSitemapOf } from '../../base/web/media-names.ts';
import { MAX_LIST_BYTES, readUrlList } from '../../reading/extract/url-list.ts';
import type { PoliteRequests } from './polite-requests.ts';

/** An index and the twenty files of a million URLs, and some more, as in a crawl. */
const MAX_LISTS_OF_HOST = 25;

/**
 * The pages of the sitemaps that the robots.txt of each host names, otherwise of the one at the usual place, and of those behind an index.
 * @param warn receives each sitemap that could not be read
 * @throws the reason of `signal`
 */
export async function* sitemapUrls(
  hosts: readonly HostKey[],
  requests: Pick<PoliteRequests, 'file' | 'sitemapsOf'>,
  signal: AbortSignal,
  warn: (message: string) => void,
): AsyncGenerator<CanonicalUrl> {
  for (const host of hosts) {
    const usual = usualSitemapOf(host);
    const named = await requests.sitemapsOf(host, usual, signal);
    yield* urlsBehind(named.length > 0 ? named : [usual], requests, signal, warn);
  }
}

async function* urlsBehind(
  first: readonly CanonicalUrl[],
  requests: Pick<PoliteRequests, 'file'>,
  signal: AbortSignal,
  warn: (message: string) => void,
): AsyncGenerator<CanonicalUrl> {
  const lists = new Set(first);
  let read = 0;
  for (const list of lists) {
    if (++read > MAX_LISTS_OF_HOST) {
      warn(`${list}: not read, and perhaps more sitemaps of its host; the first ${MAX_LISTS_OF_HOST} of a host are`);
      return;
    }
    const got = await requests.file(list, MAX_LIST_BYTES, signal);
    if (got.page === null) {
      warn(`${list}: is not read (${got.reason})`);
      continue;
    }
    const { pages, lists: nested } = await readUrlList(list, got.page.body, 'sitemap');
    for (const url of nested) lists.add(url);
    for (const { url } of pages) yield url;
  }
}
