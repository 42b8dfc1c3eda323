/** A part of the ledger of a crawl that fits on a screen. */
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type CrawlLedgerLine, ledgerOf } from '../../study/inspect/ledger-lines.ts';
import type { LedgerColumns, LedgerFilter } from './ledger-columns.ts';

export interface LedgerQuery extends LedgerFilter {
  /** Place of the first line to look at, in order of discovery. */
  readonly from: number;
}

export interface LedgerPage {
  readonly lines: readonly CrawlLedgerLine[];
  /** Number of lines that match, and how many of them are before these. */
  readonly matching: number;
  readonly before: number;
  /** Start of the next page; null at the end. */
  readonly next: number | null;
}

/** Lines of a page. */
export const LINES = 100;

/** @param columns of the same moment as the crawl */
export function ledgerPage(crawl: OpenCrawl, columns: LedgerColumns, query: LedgerQuery): LedgerPage {
  const places = columns.matching(query, crawl.frontier);
  const first = places.findIndex((place) => place >= query.from);
  const before = first < 0 ? places.length : first;
  const shown = places.slice(before, before + LINES);
  return { lines: [...ledgerOf(crawl, shown)], matching: places.length, before, next: places[before + LINES] ?? null };
}
