/** The command that resumes a crawl. */

import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import { commandOn } from '../../base/text/forager-command.ts';

/** A budget in total for a crawl that continues: twice its visits. @param least for a crawl with few visits */
export function nextBudget(visited: number, least = 1): number {
  return Math.max(least, 2 * visited);
}

/** Doubles the budget if the last run spent its budget. Without a budget the crawl would run until no URL waits; with the same one it would request nothing. */
export function continueCommand(dir: string, stopReason: string, visited: number, ...more: readonly string[]): string {
  const budget = stopReason === 'max-pages' ? ['--max-pages', String(nextBudget(visited))] : [];
  return commandOn('crawl', dir, ...more, ...budget);
}

/** Does any URL wait that a larger budget could visit? */
export function hasMore({ waiting, parked }: Pick<FrontierCounts, 'waiting' | 'parked'>): boolean {
  return waiting > parked;
}
