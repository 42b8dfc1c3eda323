/** Seeds without a page and recent failures, for people. */

import { failureText } from '../../base/core/failure-words.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { countText } from '../../base/text/number-text.ts';
import type { FailureCounts } from '../../study/inspect/failure-counts.ts';
import type { SeedEnds } from '../../study/inspect/lost-seeds.ts';
import type { CrawlStatus } from '../../study/inspect/status.ts';

/** Number of lost seeds to name. */
const LOST_SEEDS = 10;

export function lostSeedLines({ lostSeeds, dir }: Pick<SeedEnds, 'lostSeeds'> & { readonly dir: string }): string[] {
  if (lostSeeds.length === 0) return [];
  const more = lostSeeds.length - LOST_SEEDS;
  return [
    `seeds without a page: ${countText(lostSeeds.length)}`,
    ...lostSeeds
      .slice(0, LOST_SEEDS)
      .map(({ url, state, reason, status }) => `  ${state} (${reason})  ${url}  ${failureText(reason, status)}`),
    ...(more > 0 ? [`  and ${countText(more)} more: ${commandOn('ledger', dir, '--state', 'refused,failed')}`] : []),
  ];
}

/** Empty without failures. */
export function recentFailureLines({
  recentFailures: { counts },
  stopReason,
}: Pick<CrawlStatus, 'recentFailures' | 'stopReason'>): string[] {
  const kinds = Object.entries(counts satisfies FailureCounts).map(([kind, count]) => `${countText(count)} ${kind}`);
  const which = stopReason === 'running' ? 'last ten minutes' : 'last ten minutes of the crawl';
  return kinds.length === 0 ? [] : [`failed in the ${which}: ${kinds.join(', ')}`];
}
