/** The links of the kept pages of a crawl, read from its corpus: the frontier stores only informative ones. */
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import type { CanonicalUrl, Outlink } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { leadsToMedia } from '../../base/web/media-names.ts';
import { readKeptPages } from '../../corpus/records/kept-pages.ts';
import { storedPage } from '../../corpus/select/stored-document.ts';
import { crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { ownMethod } from '../../crawling/crawl-dir/load-topic.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';

export interface KeptLinksOptions {
  /** Directory of the crawl. */
  readonly dir: string;
  /** Pages read so far, and their total. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * The outlinks of pages of the corpus, without those of media and those of pages that say `nofollow`; about 3 ms a page.
 * @param wanted URLs of the pages by the ids of their records
 * @throws DataError for damage, unless the crawl skips it; the reason of `signal`
 */
export async function* keptLinks(
  crawl: OpenCrawl,
  wanted: ReadonlyMap<string, CanonicalUrl>,
  { dir, onProgress, signal }: KeptLinksOptions,
): AsyncGenerator<{ readonly url: CanonicalUrl; readonly outlinks: readonly Outlink[] }> {
  const paths = crawlPaths(dir);
  const pages = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: await ownMethod(paths, crawl.manifest) });
  const turns = new EventLoopYielder();
  let read = 0;
  for await (const stored of readKeptPages(paths.corpus, crawl.frontier.committedOffsets(), crawl.onDamaged)) {
    signal?.throwIfAborted();
    const url = wanted.get(stored.recordId);
    const page = url === undefined ? null : await storedPage({ ...stored, url });
    if (page === null || url === undefined) continue;
    const { outlinks, nofollow } = pages.extract(page);
    yield { url, outlinks: nofollow ? [] : outlinks.filter((link) => !leadsToMedia(link.url)) };
    read += 1;
    onProgress?.(read, wanted.size);
    await turns.take();
  }
}
