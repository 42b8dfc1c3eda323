import type { FailureCounts } from '../inspect/failure-counts.ts';
import { countText, percentText } from './progress.ts';

/** Kinds named in the report; the others are added up. */
const NAMED = 3;

/** `298 failed in this run (48.3 %, most of them HTTP 404)`; without a majority: `most often HTTP 404`. '' without failures. @param visited in this run */
export function failedText(visited: number, kinds: FailureCounts): string {
  const failed = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const [most] = Object.entries(kinds);
  if (most === undefined) return '';
  const [kind, count] = most;
  const share = visited === 0 ? '' : `${percentText(failed / visited)}, `;
  return `${countText(failed)} failed in this run (${share}${count > failed / 2 ? 'most of them' : 'most often'} ${kind})`;
}

/** `failed 298 (48.3 % of the visits): 280 HTTP 404, 10 timeout, 5 dns, 3 others`. '' without failures. @param resumed counts include earlier runs */
export function failuresLine(visited: number, kinds: FailureCounts, resumed: boolean): string {
  const all = Object.entries(kinds);
  const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0);
  if (all.length === 0) return '';
  const others = sum(all.slice(NAMED));
  const named = all.slice(0, NAMED).map(([kind, count]) => `${countText(count)} ${kind}`);
  const share = visited === 0 ? '' : ` (${percentText(sum(all) / visited)} of the visits)`;
  return `failed ${countText(sum(all))}${resumed ? ' in all runs' : ''}${share}: ${[...named, ...(others > 0 ? [`${countText(others)} others`] : [])].join(', ')}`;
}
