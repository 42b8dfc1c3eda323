/** The one walk over the URLs of a crawl. Status, page, seeds, comparison and reports count in it, each by visitors of its own. */
import type { Ledger, PlainUrls } from '../../base/core/parts/queueing.ts';
import type { Fate, FrontierEntry } from '../../base/core/types.ts';
import { type OpenCrawl, stopReasonOf, withPriorities } from '../../crawling/crawl-dir/open-crawl.ts';
import { type CrawlLedgerLine, ledgerLineOf, ledgerLines, ledgerOf, stateAndReason } from './ledger-lines.ts';

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
  /** Called with each discovered URL and its place: with a settled one after `settled`, and then with the rest in order of discovery. */
  line?(one: CrawlLedgerLine, place: number): void;
  /** Called once, after all lines, with the URLs that were never requested: their lines were not shown. If one visitor of a walk has no such method, all see all lines. */
  plain?(urls: PlainLines): void;
}

/** URLs in columns, in the states that people read. */
export interface PlainLines extends PlainUrls {
  lineOf(place: number): CrawlLedgerLine;
  /** Numbers of the discoveries on some pages. */
  discoveriesOn(pages: ReadonlySet<string>): ReadonlySet<number>;
}

/** Shows all settled URLs, and then all lines, to visitors. O(discovered URLs). */
export function walkLedger(crawl: OpenCrawl, visitors: readonly LedgerVisitor[]): void {
  const ofLines = visitors.filter(({ line }) => line !== undefined);
  if (ofLines.every(({ plain }) => plain !== undefined)) {
    const plain = showEnds(crawl, visitors);
    showRest(crawl, visitors, plain);
  } else {
    walkSettled(crawl.frontier, visitors);
    showLines(ledgerOf(crawl), visitors);
  }
}

/** Shows the settled URLs and their lines. @param places only these, in order of settlement @returns the URLs of the same moment that were never requested */
export function showEnds(crawl: OpenCrawl, visitors: readonly LedgerVisitor[], places?: readonly number[]): PlainLines {
  const plain = plainLinesOf(crawl);
  const [ofSettled, ofLines] = [visitors.filter(({ settled }) => settled !== undefined), visitors.filter(({ line }) => line !== undefined)];
  const reason = stopReasonOf(crawl);
  for (const one of crawl.frontier.settled(places)) {
    for (const visitor of ofSettled) visitor.settled?.(one);
    for (const line of crawl.frontier.ledger([one.place])) {
      const shown = ledgerLineOf(crawl, line, reason);
      for (const visitor of ofLines) visitor.line?.(shown, one.place);
    }
  }
  return plain;
}

/** Shows all URLs that are not settled. */
export function showRest(crawl: OpenCrawl, visitors: readonly LedgerVisitor[], plain: PlainLines): void {
  showLinesAt(crawl, plain.others, visitors);
  for (const visitor of visitors) visitor.plain?.(plain);
}

function showLinesAt(crawl: OpenCrawl, places: readonly number[], visitors: readonly LedgerVisitor[]): void {
  const counting = visitors.filter(({ line }) => line !== undefined);
  let at = 0;
  for (const one of ledgerOf(crawl, places)) {
    const place = places[at++] ?? 0;
    for (const visitor of counting) visitor.line?.(one, place);
  }
}

function plainLinesOf(crawl: OpenCrawl): PlainLines {
  const { frontier } = withPriorities(crawl);
  const plain = frontier.plain();
  const stopped = crawl.running ? null : stopReasonOf(crawl);
  return {
    ...plain,
    kinds: plain.kinds.map((kind) => stateAndReason(kind, stopped)),
    lineOf: (place) => [...ledgerOf(crawl, [place])][0] as CrawlLedgerLine,
    discoveriesOn: (pages) => frontier.discoveriesOn(pages),
  };
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
  let place = 0;
  for (const one of lines) {
    for (const visitor of counting) visitor.line?.(one, place);
    place += 1;
  }
}
