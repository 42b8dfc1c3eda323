/** The one walk over the URLs of a crawl. Status, page, seeds, comparison and reports count in it, each by visitors of its own. */
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { Fate, FrontierEntry } from '../../base/core/types.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type CrawlLedgerLine, ledgerLines, ledgerOf } from './ledger-lines.ts';

/** A settled URL, as `Ledger.settled` returns it. */
export interface SettledUrl {
  readonly entry: FrontierEntry;
  readonly fate: Fate;
  /** Number of the settlement. */
  readonly order: number;
}

/** Counts URLs of a crawl, for as long as a walk lasts. */
export interface LedgerVisitor {
  /** Called with each settled URL, in order of settlement. */
  settled?(one: SettledUrl): void;
  /** Called with each discovered URL, in order of discovery; after all settled ones. */
  line?(one: CrawlLedgerLine): void;
}

/** Shows all settled URLs, and then all lines, to visitors. O(discovered URLs). */
export function walkLedger(crawl: OpenCrawl, visitors: readonly LedgerVisitor[]): void {
  walkSettled(crawl.frontier, visitors);
  showLines(ledgerOf(crawl), visitors);
}

/** Shows all settled URLs to visitors. O(settled URLs). */
export function walkSettled(ledger: Pick<Ledger, 'settled'>, visitors: readonly LedgerVisitor[]): void {
  const counting = visitors.filter(({ settled }) => settled !== undefined);
  for (const one of ledger.settled()) for (const visitor of counting) visitor.settled?.(one);
}

/** Shows all lines to visitors, without priorities that are not stored. O(discovered URLs). */
export function walkLines(crawl: OpenCrawl, visitors: readonly LedgerVisitor[]): void {
  showLines(ledgerLines(crawl), visitors);
}

function showLines(lines: Iterable<CrawlLedgerLine>, visitors: readonly LedgerVisitor[]): void {
  const counting = visitors.filter(({ line }) => line !== undefined);
  for (const one of lines) for (const visitor of counting) visitor.line?.(one);
}
