/** A part of the ledger of a crawl that fits on a screen. */
import { openCrawl } from '../crawl-dir/open-crawl.ts';
import { type CrawlLedgerLine, ledgerOf } from '../inspect/ledger-lines.ts';
import { hostKeyOf } from '../web/url.ts';

/** Conditions for a line to be shown; an empty text is none. */
export interface LedgerQuery {
  readonly state: string;
  readonly reason: string;
  readonly host: string;
  /** A part of the URL or of the anchor text, in any case. */
  readonly text: string;
  readonly least: number | null;
  readonly most: number | null;
  /** Lines of the ledger to pass over: where the last page ended. */
  readonly after: number;
}

export interface LedgerPage {
  readonly lines: readonly CrawlLedgerLine[];
  /** Lines of the ledger that were read so far, from its beginning. */
  readonly read: number;
  /** Are there lines behind them? */
  readonly more: boolean;
}

export const LINES = 100;

/** Reads until a screen is full. Takes O(lines read) and one opening of the crawl. */
export async function ledgerPage(dir: string, query: LedgerQuery): Promise<LedgerPage> {
  const crawl = openCrawl(dir);
  try {
    const lines: CrawlLedgerLine[] = [];
    let read = 0;
    for (const line of ledgerOf(crawl)) {
      if (lines.length === LINES) return { lines, read, more: true };
      read += 1;
      if (read > query.after && matches(line, query)) lines.push(line);
    }
    return { lines, read, more: false };
  } finally {
    await crawl.close();
  }
}

function matches({ url, state, reason, relevance, anchorText }: CrawlLedgerLine, query: LedgerQuery): boolean {
  const text = query.text.toLowerCase();
  return (
    (query.state === '' || state === query.state) &&
    (query.reason === '' || reason === query.reason) &&
    (query.host === '' || hostKeyOf(url).includes(query.host.toLowerCase())) &&
    (text === '' || url.toLowerCase().includes(text) || anchorText.toLowerCase().includes(text)) &&
    (query.least === null || (relevance !== null && relevance >= query.least)) &&
    (query.most === null || (relevance !== null && relevance <= query.most))
  );
}
