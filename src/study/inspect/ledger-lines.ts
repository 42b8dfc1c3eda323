/** The ledger of a crawl in the form for users: one line for each discovered URL. */
import { isoTime } from '../../base/core/clock.ts';
import { type IsoTime, type LedgerLine, type PageVersion, REOPENED, type Revisit, type StateName } from '../../base/core/types.ts';
import { judgementsOf } from '../../crawling/crawl/topic-judgements.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type OpenCrawl, stopReasonOf, withPriorities } from '../../crawling/crawl-dir/open-crawl.ts';

/**
 * Reason of the last failure of a request for a URL, the number of tries, the time of the next try, and the earliest time at which the URL
 * is given up.
 */
export interface LedgerRetry {
  readonly reason: string;
  readonly attempts: number;
  readonly notBefore: IsoTime;
  readonly givenUp: IsoTime;
}

/** A line of a crawl's ledger in the form for users: times in ISO 8601. In a crawl of several topics, a judged page has the names of its topics. */
export type CrawlLedgerLine = Omit<LedgerLine, 'relevances' | 'keptFor' | 'simhash' | 'fetchedAt' | 'retry' | 'revisit'> & {
  /** Start of the last request for the URL; null without a request. */
  readonly fetchedAt: IsoTime | null;
  /** The last failed request of a URL that waits for another try; absent otherwise. */
  readonly retry?: LedgerRetry;
  /** The last revisit of the URL. Absent if there was none. */
  readonly revisit?: Pick<Revisit, 'status' | 'result'> & { readonly at: IsoTime; readonly version: Omit<PageVersion, 'print'> | null };
  readonly topics?: readonly string[];
};

/**
 * One line for each discovered URL. URLs that wait in a crawl at rest have the reason of the stop, or `reopened`.
 * @param places see `Ledger.ledger`
 */
export function ledgerOf(crawl: OpenCrawl, places?: Iterable<number>): Generator<CrawlLedgerLine> {
  return ledgerLines(withPriorities(crawl), places);
}

/** Lines of the ledger without priorities that are not stored: for callers that do not use them. */
export function* ledgerLines(crawl: OpenCrawl, places?: Iterable<number>): Generator<CrawlLedgerLine> {
  const reason = stopReasonOf(crawl);
  for (const line of crawl.frontier.ledger(places)) yield ledgerLineOf(crawl, line, reason);
}

/** One line in the form of `ledgerOf`. @param reason why the crawl stopped */
export function ledgerLineOf(
  { running, manifest }: Pick<OpenCrawl, 'running' | 'manifest'>,
  line: LedgerLine,
  reason: string,
): CrawlLedgerLine {
  return { ...withTimesAsText(line, manifest), ...stateAndReason(line, running ? null : reason) };
}

/** Is the URL still to be requested? */
export function waits(state: StateName): boolean {
  return state === 'waiting' || state === 'leased';
}

/** State and reason as people read them. @param stopped why the crawl stopped; null if it runs */
export function stateAndReason({ state, reason }: Pick<LedgerLine, 'state' | 'reason'>, stopped: string | null) {
  if (stopped !== null && waits(state)) return { state: 'waiting', reason: reason === REOPENED ? REOPENED : stopped } as const;
  return { state, reason };
}

function withTimesAsText(
  { relevances, keptFor: _, simhash: __, fetchedAt, retry, revisit, ...line }: LedgerLine,
  { topics }: CrawlManifest,
): Omit<CrawlLedgerLine, 'state' | 'reason'> {
  const on = relevances && judgementsOf(topics, relevances).filter(({ onTopic }) => onTopic);
  return {
    ...line,
    fetchedAt: fetchedAt === null ? null : isoTime(fetchedAt),
    ...(retry && { retry: ledgerRetry(retry) }),
    ...(revisit && { revisit: ledgerRevisit(revisit) }),
    ...(on && { topics: on.map(({ name }) => name) }),
  };
}

/** Prints and evidence are numbers of this program. */
function ledgerRevisit({ at, status, result, version }: Revisit): NonNullable<CrawlLedgerLine['revisit']> {
  const { print: _, ...shown } = version ?? {};
  return { at: isoTime(at), status, result, version: version && (shown as Omit<PageVersion, 'print'>) };
}

function ledgerRetry({ reason, attempts, notBefore, givenUp }: NonNullable<LedgerLine['retry']>): LedgerRetry {
  return { reason, attempts, notBefore: isoTime(notBefore), givenUp: isoTime(givenUp) };
}
