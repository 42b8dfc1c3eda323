/** Pages of a crawl that are asked for again. */
import type { OnDamaged } from '../core/errors.ts';
import type { Durable, Ledger, Queue } from '../core/parts/queueing.ts';
import type { Parts } from '../core/parts.ts';
import type { EpochMs, Ms, RevisitResult } from '../core/types.ts';
import { storedResponses } from '../corpus/stored-responses.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';

/** How many pages were last found to be what. */
export type RevisitCounts = Partial<Record<RevisitResult, number>>;

/**
 * Have kept pages that were last asked for longer ago than `age` asked for again in this run.
 * @param signal ends the pass early: for a crawl that ends then, too
 * @returns what to ask by and to refer to. One pass over the WARC files, where any page is due
 * @param onDamaged told of WARC records that are damaged: their pages are asked for as if for the first time
 * @throws DataError when one of them is damaged, and nobody is told
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

/** @param since leaves out answers before it @param until and after it, which a clock that was ahead has dated */
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
