import type { FailureCounts } from '../app/failures.ts';
import { countText, percentText } from './progress.ts';

/** From this share of the visits on, a failure is the rule rather than the exception, and the line has room for why. */
const MANY = 0.1;
/** Kinds named in the report; the rest is summed up. */
const NAMED = 3;

/** `298 failed (48.3 %, mostly HTTP 404)`; the kind only where many failed, and it is known. '' of none. */
export function failedText(failed: number, visited: number, kinds: FailureCounts): string {
  if (failed === 0) return '';
  const share = visited === 0 ? 0 : failed / visited;
  // `kinds` are those of this run, `failed` is of all.
  const [most] = Object.entries(kinds).flatMap(([kind, count]) => (count > failed / 2 ? [kind] : []));
  return `${countText(failed)} failed (${percentText(share)}${share >= MANY && most !== undefined ? `, mostly ${most}` : ''})`;
}

/** `failed 298 (48.3 % of the visits): 280 HTTP 404, 10 timeout, 5 dns, 3 others`. '' of none. */
export function failuresLine(visited: number, kinds: FailureCounts): string {
  const all = Object.entries(kinds);
  const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0);
  if (all.length === 0) return '';
  const others = sum(all.slice(NAMED));
  const named = all.slice(0, NAMED).map(([kind, count]) => `${countText(count)} ${kind}`);
  const share = visited === 0 ? '' : ` (${percentText(sum(all) / visited)} of the visits)`;
  return `failed ${countText(sum(all))}${share}: ${[...named, ...(others > 0 ? [`${countText(others)} others`] : [])].join(', ')}`;
}
