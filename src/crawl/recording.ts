/** What a recorded crawl writes down of its visits. */
import { type FrozenVisit, frozenContent, frozenEnd } from '../core/frozen-visit.ts';
import type { CorpusWriter } from '../core/parts/keeping.ts';
import type { Settlement } from '../core/parts/queueing.ts';
import type { ReadOutcome } from '../core/parts/reading.ts';
import type { CanonicalUrl, FetchedPage } from '../core/types.ts';
import { payloadDigest } from './page-records.ts';

/** A page with all its links. Of one that asks not to be kept there is neither title nor text. */
export function frozenPage(page: FetchedPage, { extraction, links }: Extract<ReadOutcome, { kind: 'read' }>): FrozenVisit {
  const read = extraction.noindex ? { ...extraction, title: '', text: '' } : extraction;
  return { url: page.url, status: page.status, kind: 'page', content: frozenContent(read, links, payloadDigest(page)) };
}

/** Write down a visit that has ended, where the crawl is recorded. @param page what was read; null where it gave no page */
export function recordVisit(
  corpus: Pick<CorpusWriter, 'record'>,
  url: CanonicalUrl,
  settlement: Settlement,
  page: FrozenVisit | null,
): void {
  if (!corpus.record || settlement.kind !== 'done') return;
  const visit = page ?? frozenEnd(url, settlement.fate, settlement.discovered?.links[0]?.url ?? null);
  if (visit) corpus.record(visit);
}
