/** The price of NOT in a query or rule, for reports and cards. */
import { shareOf } from '../core/share.ts';
import { counted, countText, percentText } from './number-text.ts';

/** Pages that only a NOT keeps off topic. */
export interface ExcludedPages {
  readonly pages: number;
  /** Number of visited pages that the rest of the rule finds on topic: these and those that are. */
  readonly of: number;
}

/** `NOT excluded 12 of 80 pages that the rest of the query finds on topic (15.0 %)`; null if it excluded none. */
export function excludedText({ pages, of }: ExcludedPages): string | null {
  if (pages === 0) return null;
  return `NOT excluded ${countText(pages)} of ${counted(of, 'page')} that the rest of the query finds on topic (${percentText(shareOf(pages, of))})`;
}
