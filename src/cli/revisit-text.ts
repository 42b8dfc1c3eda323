import type { RevisitCounts } from '../inspect/revisit-counts.ts';
import { countText } from './progress.ts';

/** What pages that were asked for again were found to be, in one line. */
export function revisitText(counts: RevisitCounts): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).map(([result, count]) => `${countText(count)} ${result}`);
  return `asked again for ${countText(total)} kept pages: ${parts.sort().join(', ')}`;
}
