import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, FetchedPage, FetchOutcome } from '../../base/core/types.ts';
import type { VisitProgress } from './running.ts';
import { durationOf } from './settlements.ts';

/** Reports the outcome of a request. */
export function emitFetched(url: CanonicalUrl, outcome: FetchOutcome, { clock, emit }: Pick<Parts, 'clock' | 'emit'>): void {
  const bytes = outcome.kind === 'page' && !outcome.page.confirmed ? outcome.page.wireBody.byteLength : 0;
  emit({ type: 'fetched', at: clock.now(), url, outcome: outcome.kind, bytes, ms: durationOf(outcome) });
}

/** Reports that a page was read and judged. */
export function emitJudged(
  url: CanonicalUrl,
  response: FetchedPage,
  { extraction, links, relevance }: Extract<ReadOutcome, { kind: 'read' }>,
  { since }: VisitProgress,
  { clock, topic, emit }: Pick<Parts, 'clock' | 'topic' | 'emit'>,
): void {
  const onTopic = relevance >= topic.threshold;
  const page = () => ({ response, extraction, links });
  emit({ type: 'judged', at: clock.now(), url, relevance, onTopic, ms: clock.now() - since, page });
}
