/** How to go on with a crawl, as a command to be typed. */
import type { FrontierCounts } from '../core/parts/queueing.ts';

/** With twice the budget where that of the last run is spent: without one the crawl would go on until nothing waits, with the same one it would ask for nothing. */
export function goOnCommand(dir: string, stopReason: string, visited: number, more = ''): string {
  const budget = stopReason === 'max-pages' ? ` --max-pages ${2 * visited}` : '';
  return `forager crawl ${dir}${more}${budget}`;
}

/** Does anything wait that a larger budget would be spent on? */
export function hasMore({ queued, parked }: Pick<FrontierCounts, 'queued' | 'parked'>): boolean {
  return queued > parked;
}
