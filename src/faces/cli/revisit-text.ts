import { countText } from '../../base/text/number-text.ts';
import { ageLines } from '../../corpus/describe/age-words.ts';
import type { RevisitCounts } from '../../study/inspect/revisit-counts.ts';
import type { CrawlStatus } from '../../study/inspect/status.ts';

/** The results of revisits, in one line. */
export function revisitText(counts: RevisitCounts): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const parts = Object.entries(counts).map(([result, count]) => `${countText(count)} ${result}`);
  return `requested ${countText(total)} kept pages again: ${parts.sort().join(', ')}`;
}

/** The results of revisits, and how current the pages are. Empty without revisits. */
export function revisitLines({ revisited, ages }: Pick<CrawlStatus, 'revisited' | 'ages'>): string[] {
  return [...(Object.keys(revisited).length > 0 ? [revisitText(revisited)] : []), ...(ages === null ? [] : ageLines(ages))];
}
