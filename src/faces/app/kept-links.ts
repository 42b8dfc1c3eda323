/** The kept pages of a crawl, read again from its corpus, and their links: the frontier stores only informative ones. */
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import type { Durable } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, Extraction, Outlink } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { leadsToMedia } from '../../base/web/media-names.ts';
import { readKeptPages } from '../../corpus/records/kept-pages.ts';
import { storedPage } from '../../corpus/select/stored-document.ts';
import { ownMethod } from '../../crawling/crawl-dir/load-topic.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';

export interface KeptPagesOptions {
  /** Receives the number of pages read, and their total. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** A crawl whose corpus is read. */
export type ReadableCrawl = Pick<OpenCrawl, 'manifest' | 'paths' | 'onDamaged'> & { readonly frontier: Pick<Durable, 'committedOffsets'> };

/**
 * The pages of the corpus, extracted again; about 3 ms a page.
 * @param wanted URLs of the pages by the ids of their records
 * @throws DataError for damage, unless the crawl skips it; the reason of `signal`
 */
export async function* keptExtractions(
  { manifest, paths, frontier, onDamaged }: ReadableCrawl,
  wanted: ReadonlyMap<string, CanonicalUrl>,
  { onProgress, signal }: KeptPagesOptions = {},
): AsyncGenerator<{ readonly url: CanonicalUrl; readonly extraction: Extraction }> {
  const pages = pageExtractor({ productToken: PRODUCT_TOKEN, extractor: await ownMethod(paths, manifest) });
  const turns = new EventLoopYielder();
  let read = 0;
  for await (const stored of readKeptPages(paths.corpus, frontier.committedOffsets(), onDamaged)) {
    signal?.throwIfAborted();
    const url = wanted.get(stored.recordId);
    const page = url === undefined ? null : await storedPage({ ...stored, url });
    if (page === null || url === undefined) continue;
    yield { url, extraction: pages.extract(page) };
    read += 1;
    onProgress?.(read, wanted.size);
    await turns.take();
  }
}

/** The outlinks of pages of the corpus, without those of media and those of pages that say `nofollow`. As `keptExtractions`. */
export async function* keptLinks(
  crawl: ReadableCrawl,
  wanted: ReadonlyMap<string, CanonicalUrl>,
  options: KeptPagesOptions = {},
): AsyncGenerator<{ readonly url: CanonicalUrl; readonly outlinks: readonly Outlink[] }> {
  for await (const { url, extraction } of keptExtractions(crawl, wanted, options)) {
    const { outlinks, nofollow } = extraction;
    yield { url, outlinks: nofollow ? [] : outlinks.filter((link) => !leadsToMedia(link.url)) };
  }
}
