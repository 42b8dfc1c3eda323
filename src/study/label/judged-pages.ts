/** The pages of a crawl that can be labelled, and their texts. */

import { createHash } from 'node:crypto';
import { DataError, type OnDamaged } from '../../base/core/errors.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { Durable, Ledger } from '../../base/core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, CorpusRecord, Fate, LedgerLine, PageTexts, RecordId, Simhash } from '../../base/core/types.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { findRecord, RECORDS_FILE, readRecords } from '../../corpus/records/records.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import type { LabelCandidate } from './label-queue.ts';

/** The parts of a page that are judged and trained on. */
export type PageOfCrawl = PageTexts & Pick<CorpusRecord, 'url'>;

/** A judged page of a crawl. With several topics, `relevance` is to the one that is labelled, and `kept` says whether it was kept for that topic. */
export interface CrawlPage extends LabelCandidate {
  readonly url: CanonicalUrl;
  /** Is it in the corpus, for this topic or another? */
  readonly stored: boolean;
  /** Simhash of the main text; absent in crawls of earlier versions. */
  readonly simhash?: Simhash;
}

/** Pages in the corpus; read and not kept; and not kept, but waiting for another visit (see `Ledger.find`). A crawl that is not running leases nothing. */
const JUDGED = new Set(['kept', 'off-topic', 'waiting', 'parked']);

/**
 * All pages that the crawl judged and whose text it has: not lost pages, duplicates of others, or pages that asked not to be stored. In order of
 * discovery. O(discovered URLs).
 * @param topic the judging topic of several. Default: the only one; of several, the committee
 */
export function judgedPages(
  { frontier, lost }: { readonly frontier: Pick<Ledger, 'requested'>; readonly lost: ReadonlySet<CanonicalUrl> },
  topic: JudgingTopic = { place: null },
): CrawlPage[] {
  const pages: CrawlPage[] = [];
  for (const line of frontier.requested()) {
    const { url, state, fetchedAt, simhash } = line;
    const judged = JUDGED.has(state) && !lost.has(url) ? judgementBy(topic, line) : null;
    if (judged !== null)
      pages.push({
        url,
        host: hostNameOf(url),
        ...judged,
        stored: state === 'kept',
        ...(fetchedAt !== null && { readAt: fetchedAt }),
        ...(simhash && { simhash }),
      });
  }
  return pages;
}

/** One of several topics, with its place among them; or the only one. */
type JudgingTopic = { readonly place: null } | Pick<TopicPart, 'place' | 'topic'>;

/**
 * A later model accepts the pages that it was trained with more readily than others. So a page counts as kept for a topic if it was kept under the
 * model that judged it first: then the random draws from the kept pages measure a precision that labels have not chosen.
 */
function judgementBy(topic: JudgingTopic, line: LedgerLine): Pick<CrawlPage, 'relevance' | 'kept'> | null {
  const isKept = line.state === 'kept';
  if (topic.place === null) return line.relevance === null ? null : { relevance: line.relevance, kept: isKept };
  const relevance = line.relevances?.[topic.place];
  if (relevance === undefined) return null;
  return { relevance, kept: isKept && (line.keptFor?.[topic.place] ?? isOnTopic(relevance, topic.topic.threshold)) };
}

/** The pages that a crawl read in its warm-up, in order of settlement: a sample of the web around its seeds. O(settled URLs). */
export function warmUpPages(frontier: Pick<Ledger, 'settled'>): CanonicalUrl[] {
  return [...frontier.settled()].flatMap(({ entry, fate }) => (entry.warmUp && fate.relevance !== null ? [entry.url] : []));
}

/** The text of one judged page. A kept page is searched in the corpus: O(corpus). @throws DataError */
export async function pageOf(paths: CrawlPaths, { frontier }: Pick<OpenCrawl, 'frontier'>, url: CanonicalUrl): Promise<PageOfCrawl> {
  const fate = frontier.find(url)?.fate;
  const page = fate?.recordId ? await findRecord(paths.corpus, fate.recordId, recordsEnd(frontier)) : fate?.page;
  if (!page) throw lost(paths, url);
  return { url, ...pageTexts(page) };
}

/** The place of a page's text: in the corpus, or here. Both null for a page without a text. */
export interface TextPlace {
  readonly recordId: RecordId | null;
  readonly page: Fate['page'];
}

/** Places of the texts of judged pages. */
export function placesOf(frontier: Pick<Ledger, 'find'>, urls: Iterable<CanonicalUrl>): readonly (readonly [CanonicalUrl, TextPlace])[] {
  return [...urls].map((url) => {
    const fate = frontier.find(url)?.fate;
    return [url, { recordId: fate?.recordId ?? null, page: fate?.page ?? null }] as const;
  });
}

/**
 * The texts at those places, in one pass over the corpus. Pages without a text are skipped.
 * @param end number of committed bytes of corpus records
 * @throws DataError
 */
export async function* textsAt(
  corpus: string,
  places: readonly (readonly [CanonicalUrl, TextPlace])[],
  end: Bytes,
  onDamaged?: OnDamaged,
): AsyncGenerator<PageOfCrawl> {
  const inCorpus = new Set<RecordId>();
  for (const [url, { recordId, page }] of places) {
    if (recordId !== null) inCorpus.add(recordId);
    else if (page !== null) yield { url, ...page };
  }
  if (inCorpus.size === 0) return;
  for await (const record of readRecords(corpus, end, onDamaged))
    if (inCorpus.has(record.id)) yield { url: record.url, ...pageTexts(record) };
}

/** The texts of several judged pages; unknown URLs are skipped. @throws DataError */
export function pagesOf(
  paths: CrawlPaths,
  { frontier, onDamaged }: Pick<OpenCrawl, 'frontier' | 'onDamaged'>,
  urls: Iterable<CanonicalUrl>,
): AsyncGenerator<PageOfCrawl> {
  return textsAt(paths.corpus, placesOf(frontier, urls), recordsEnd(frontier), onDamaged);
}

/** Number of committed bytes of corpus records. */
export function recordsEnd(frontier: Pick<Durable, 'committedOffsets'>): number {
  return frontier.committedOffsets()[RECORDS_FILE] ?? 0;
}

/** The text that was labelled: SHA-256, hex, of title and text. */
export function textDigest({ title, text }: Pick<PageOfCrawl, 'title' | 'text'>): string {
  return createHash('sha256')
    .update(JSON.stringify([title, text]))
    .digest('hex');
}

function lost({ corpus }: CrawlPaths, url: string): DataError {
  return new DataError(`${url}: was judged, but its text is not in ${corpus}; restore the crawl directory from a copy`);
}
