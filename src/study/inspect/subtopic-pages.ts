/** The kept pages in which subtopics are found. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { readRecords } from '../../corpus/records/records.ts';
import { declaredDay } from '../../corpus/select/declared-date.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { FeatureCounter, type FeatureCounts } from '../../reading/topic/features.ts';
import { recordsEnd } from '../label/judged-pages.ts';

/** A kept page. */
export interface SubtopicPage {
  readonly url: CanonicalUrl;
  readonly title: string;
  /** Start of the main text. */
  readonly text: string;
  /** Year of publication as the page declares it; null for none. */
  readonly year: number | null;
  readonly counts: FeatureCounts;
}

/** Pages that are read of a crawl with more: a sample by their URLs, which stays as the crawl grows. Some ten seconds to group them. */
export const MOST_PAGES = 4000;
/** Characters that names are made of. */
const START_CHARS = 8000;
/** Pages between two reports of progress. */
const REPORT_EVERY = 50;

/** On-topic kept pages in order of their URLs' hashes, and the records of those that are read. O(discovered URLs). */
export function keptForSubtopics({ frontier, manifest, lost }: OpenCrawl): {
  readonly kept: number;
  readonly records: ReadonlySet<RecordId>;
} {
  const urls: CanonicalUrl[] = [];
  for (const { url, state, relevance } of frontier.ledger())
    if (state === 'kept' && isOnTopic(relevance ?? undefined, manifest.topic.threshold) && !lost.has(url)) urls.push(url);
  const order = urls.map((url) => [hashText(url, 0, url.length) >>> 0, url] as const).sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  const records = order.slice(0, MOST_PAGES).map(([, url]) => frontier.find(url)?.fate?.recordId ?? null);
  return { kept: urls.length, records: new Set(records.filter((id) => id !== null)) };
}

/** Texts of those pages, in order of URL, in one pass over the corpus. @throws DataError; the reason of `signal` */
export async function readSubtopicPages(
  { paths, frontier, onDamaged }: OpenCrawl,
  records: ReadonlySet<RecordId>,
  { signal, onProgress }: { readonly signal?: AbortSignal; readonly onProgress?: (done: number, of: number) => void },
): Promise<SubtopicPage[]> {
  const counter = new FeatureCounter();
  const pages: SubtopicPage[] = [];
  for await (const { id, url, title, text, metadata, fetchedAt } of readRecords(paths.corpus, recordsEnd(frontier), onDamaged)) {
    signal?.throwIfAborted();
    if (!records.has(id)) continue;
    const day = metadata.published === null ? null : declaredDay(metadata.published, Date.parse(fetchedAt));
    const year = day === null ? null : new Date(day).getUTCFullYear();
    pages.push({ url, title, text: text.slice(0, START_CHARS), year, counts: counter.snapshot({ title, text }) });
    if (pages.length % REPORT_EVERY === 0) onProgress?.(pages.length, records.size);
  }
  onProgress?.(records.size, records.size);
  return pages.sort((a, b) => (a.url < b.url ? -1 : 1));
}
