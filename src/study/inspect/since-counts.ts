/** The pages of a crawl with `--since`, compared with the earlier corpus. */
import { countText } from '../../base/text/number-text.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { FateCounts } from './tally.ts';

export interface SinceCounts {
  /** The earlier crawl or corpus. */
  readonly since: string;
  /** Pages that were not kept, since the earlier corpus has them with the same text. */
  readonly unchanged: number;
  /** Kept pages that it has with another text. */
  readonly changed: number;
  /** Kept pages that it does not have. */
  readonly added: number;
}

/** @param kept number of kept pages @returns null for a crawl without `--since` */
export function sinceCounts(
  { since }: Pick<CrawlManifest, 'since'>,
  kept: number,
  { refusals, changed }: Pick<FateCounts, 'refusals' | 'changed'>,
): SinceCounts | null {
  return since === null ? null : { since, unchanged: refusals.unchanged ?? 0, changed, added: kept - changed };
}

/** The counts in a line of a report. */
export function sinceLine({ since, unchanged, changed, added }: SinceCounts): string {
  return `since ${since}: ${countText(added)} new, ${countText(changed)} changed, ${countText(unchanged)} unchanged and not kept`;
}
