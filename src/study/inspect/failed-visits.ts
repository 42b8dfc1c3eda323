/** The share of a crawl's budget that failed: the same words while it runs, at its end, in its status and on its page. */
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import type { FailureCounts } from './failure-counts.ts';

/** Causes that are named; the others are added up. */
const NAMED = 3;
/** Causes that an option removes. */
const REMEDIES: ReadonlyMap<string, string> = new Map([['needs-cookies', ' (--cookies keeps cookies)']]);

/**
 * `298 of 617 visits failed (48.3 %): 280 HTTP 404, 10 timeout, 5 dns, 3 others`. null without failures.
 *
 * @param visits of all kinds; each is one of `--max-pages`
 * @param which ` of this run`, or nothing for all
 */
export function failedVisitsText(visits: number, causes: FailureCounts, which = ''): string | null {
  const all = Object.entries(causes);
  const failed = sumOf(all);
  if (failed === 0) return null;
  // An event of a failure may come before the visit is counted.
  const of = Math.max(visits, failed);
  const others = sumOf(all.slice(NAMED));
  const named = all.slice(0, NAMED).map(([cause, count]) => `${countText(count)} ${cause}${REMEDIES.get(cause) ?? ''}`);
  const listed = [...named, ...(others > 0 ? [counted(others, 'other')] : [])].join(', ');
  return `${countText(failed)} of ${counted(of, 'visit')}${which} failed (${percentText(failed / of)}): ${listed}`;
}

function sumOf(causes: readonly (readonly [string, number])[]): number {
  return causes.reduce((sum, [, count]) => sum + count, 0);
}
