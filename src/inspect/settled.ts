import type { Ledger } from '../core/parts/queueing.ts';
import { reasonText } from '../core/reason.ts';
import type { Unit } from '../core/types.ts';
import { type FailureCounts, FailureTally } from './failure-counts.ts';

/** What a crawl has settled, as the model in force sees it. */
export interface Settled {
  /** On-topic visits of all visits; 0 before the first. Visits to pages that were reopened since count on neither side. */
  readonly harvestRate: Unit;
  /** URLs refused because they lead to loopback or private addresses. */
  readonly privateAddresses: number;
  /** Failed URLs by what came of asking for them, most first. */
  readonly failures: FailureCounts;
}

/** O(settled URLs): one pass over their fates. */
export function settledOf(frontier: Pick<Ledger, 'fates' | 'counts'>, threshold: Unit): Settled {
  const { visited: all, earlierVisits } = frontier.counts();
  const visited = all - earlierVisits;
  let [onTopic, privateAddresses] = [0, 0];
  const failures = new FailureTally();
  for (const fate of frontier.fates()) {
    if (fate.relevance !== null && fate.relevance >= threshold) onTopic += 1;
    if (fate.reason === 'private-address') privateAddresses += 1;
    failures.add({ ...fate, reason: reasonText(fate.reason) });
  }
  return { harvestRate: visited === 0 ? 0 : onTopic / visited, privateAddresses, failures: failures.counts() };
}
