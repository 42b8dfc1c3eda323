import { countText } from '../../base/text/number-text.ts';
import type { RevisitCounts } from '../../study/inspect/revisit-counts.ts';

/** The results of revisits, in one line. */
export function revisitText(counts: RevisitCounts): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).map(([result, count]) => `${countText(count)} ${result}`);
  return `requested ${countText(total)} kept pages again: ${parts.sort().join(', ')}`;
}
