/** The command that resumes a crawl. */
import type { FrontierCounts } from '../core/parts/queueing.ts';

/** Doubles the budget if the last run spent its budget. Without a budget the crawl would run until no URL waits; with the same one it would request nothing. */
export function goOnCommand(dir: string, stopReason: string, visited: number, more = ''): string {
  const budget = stopReason === 'max-pages' ? ` --max-pages ${2 * visited}` : '';
  return `forager crawl ${dir}${more}${budget}`;
}

/** Does any URL wait that a larger budget could visit? */
export function hasMore({ queued, parked }: Pick<FrontierCounts, 'queued' | 'parked'>): boolean {
  return queued > parked;
}
