/** Revisits of kept pages. */
import type { OnDamaged } from '../../base/core/errors.ts';
import type { Durable, Ledger, Queue } from '../../base/core/parts/queueing.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { RefreshPlan } from '../../base/core/refresh-plan.ts';
import type { EpochMs, Ms, RevisitResult } from '../../base/core/types.ts';
import { KeptResponses, storedResponses } from '../../corpus/records/stored-responses.ts';
import { recordsOf } from '../../crawling/crawl-dir/corpus-soundness.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';

/** Numbers of pages by the result of their last revisit. */
export type RevisitCounts = Partial<Record<RevisitResult, number>>;

/** Revisits that a run makes. */
export interface RevisitChoice {
  /** Age of the last request from which kept pages are due at once. Absent: none is. */
  readonly age?: Ms | undefined;
  /** Are lists and seeds that are off topic due too, since the run requests new pages? Default: false. */
  readonly withSources?: boolean;
  /** Absent unless the crawl is continuous. */
  readonly plan?: RefreshPlan | undefined;
  /** Other workers have responses of the corpus. */
  readonly isShared: boolean;
  /** The responses that an earlier part of this run found, and learned since. Absent in the first part. */
  readonly known?: Parts['stored'];
}

/**
 * Schedule revisits in this run, of kept pages whose last request is older than an age, and by a plan.
 * @param signal ends the pass early, for a crawl that ends then too
 * @returns the stored responses, for conditional requests and `revisit` records. Makes one pass over the WARC files if any page may be due, once in a run of a continuous crawl. null if none is due
 * @param onDamaged receives damaged WARC records: their pages are requested as if for the first time
 * @throws DataError if a record is damaged and there is no `onDamaged`
 */
export async function beginRevisits(
  frontier: Pick<Queue, 'revisit' | 'refresh'> & Pick<Durable, 'committedOffsets'> & Pick<Ledger, 'settled' | 'revisits'>,
  { corpus }: CrawlPaths,
  { age, withSources = false, plan, isShared, known: before = null }: RevisitChoice,
  now: EpochMs,
  signal: AbortSignal,
  onDamaged: OnDamaged | undefined,
): Promise<Parts['stored']> {
  const due = age === undefined ? [] : frontier.revisit(now - age, withSources ? 'all' : 'pages');
  if (plan) frontier.refresh(plan);
  if (plan && before !== null) return before;
  if (plan && isShared) return new KeptResponses(null);
  const wanted = new Set(plan ? recordsOf({ frontier }).keys() : due);
  if (wanted.size === 0 && !plan) return null;
  const known = await storedResponses(corpus, frontier.committedOffsets(), wanted, signal, onDamaged);
  return plan ? new KeptResponses(known) : known;
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
