/** Revisits of kept pages. */
import type { OnDamaged } from '../../base/core/errors.ts';
import type { Durable, Ledger, Queue } from '../../base/core/parts/queueing.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { EpochMs, Ms, RevisitResult } from '../../base/core/types.ts';
import { storedResponses } from '../../corpus/records/stored-responses.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';

/** Numbers of pages by the result of their last revisit. */
export type RevisitCounts = Partial<Record<RevisitResult, number>>;

/**
 * Schedule revisits in this run for kept pages whose last request is older than `age`.
 * @param signal ends the pass early, for a crawl that ends then too
 * @returns the stored responses, for conditional requests and `revisit` records. Makes one pass over the WARC files if any page is due
 * @param onDamaged receives damaged WARC records: their pages are requested as if for the first time
 * @throws DataError if a record is damaged and there is no `onDamaged`
 */
export async function beginRevisits(
  frontier: Pick<Queue, 'revisit'> & Pick<Durable, 'committedOffsets'>,
  { corpus }: CrawlPaths,
  age: Ms | undefined,
  now: EpochMs,
  signal: AbortSignal,
  onDamaged: OnDamaged | undefined,
): Promise<NonNullable<Parts['stored']> | null> {
  const due = age === undefined ? [] : frontier.revisit(now - age);
  return due.length === 0 ? null : storedResponses(corpus, frontier.committedOffsets(), new Set(due), signal, onDamaged);
}

/** @param since excludes earlier answers @param until excludes later answers, which a clock that was ahead has dated */
export function revisitCounts(
  frontier: Pick<Ledger, 'revisits'>,
  since: EpochMs = 0,
  until: EpochMs = Number.POSITIVE_INFINITY,
): RevisitCounts {
  const counts: RevisitCounts = {};
  for (const { revisit } of frontier.revisits())
    if (revisit.at >= since && revisit.at <= until) counts[revisit.result] = (counts[revisit.result] ?? 0) + 1;
  return counts;
}
