/** The ledger of a crawl in the form for users: one line for each discovered URL. */
import { isoTime } from '../core/clock.ts';
import { type IsoTime, type LedgerLine, REOPENED, type Revisit } from '../core/types.ts';
import { judgementsOf } from '../crawl/topic-judgements.ts';
import type { CrawlManifest } from '../crawl-dir/crawl-directory.ts';
import { type OpenCrawl, stopReasonOf, withPriorities } from '../crawl-dir/open-crawl.ts';

/** Why the last request for a URL failed, the number of tries, the time of the next try, and the earliest time at which the URL is given up. */
export interface ToldRetry {
  readonly reason: string;
  readonly attempts: number;
  readonly notBefore: IsoTime;
  readonly givenUp: IsoTime;
}

/** A line of a crawl's ledger in the form for users: times in ISO 8601. In a crawl of several topics, a judged page has the names of its topics. */
export type CrawlLedgerLine = Omit<LedgerLine, 'relevances' | 'keptFor' | 'fetchedAt' | 'retry' | 'revisit'> & {
  /** When the last request for it began; null without a request. */
  readonly fetchedAt: IsoTime | null;
  /** For a URL that waits after a failed request; absent otherwise. */
  readonly retry?: ToldRetry;
  /** Its last revisit. Absent if there was none. */
  readonly revisit?: Omit<Revisit, 'at'> & { readonly at: IsoTime };
  readonly topics?: readonly string[];
};

/**
 * One line for each discovered URL. URLs that still waited when the crawl stopped are `not-reached`, with the reason of the stop, or `reopened`.
 * @param places see `Ledger.ledger`
 */
export function ledgerOf(crawl: OpenCrawl, places?: Iterable<number>): Generator<CrawlLedgerLine> {
  return ledgerLines(withPriorities(crawl), places);
}

/** The same without computing priorities that are not stored: for callers that do not use them. */
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
  return toldLine(running ? line : stoppedLine(line, reason), manifest);
}

/** Is the URL still to be requested? */
export function waits(state: LedgerLine['state']): boolean {
  return state === 'queued' || state === 'leased';
}

/** The state of a URL that still waits when its crawl has stopped. @param reason why it stopped */
export function notReached(reason: string): { readonly state: 'not-reached'; readonly reason: string } {
  return { state: 'not-reached', reason };
}

/** In a stopped crawl, a waiting URL is `not-reached`, for the reason of the stop, or `reopened`. */
export function stoppedLine<L extends Pick<LedgerLine, 'state' | 'reason'>>(line: L, reason: string): L {
  if (!waits(line.state)) return line;
  return { ...line, ...notReached(line.reason === REOPENED ? REOPENED : reason) };
}

function toldLine({ relevances, keptFor: _, fetchedAt, retry, revisit, ...line }: LedgerLine, { topics }: CrawlManifest): CrawlLedgerLine {
  const on = relevances && judgementsOf(topics, relevances).filter(({ onTopic }) => onTopic);
  return {
    ...line,
    fetchedAt: fetchedAt === null ? null : isoTime(fetchedAt),
    ...(retry && { retry: toldRetry(retry) }),
    ...(revisit && { revisit: { ...revisit, at: isoTime(revisit.at) } }),
    ...(on && { topics: on.map(({ name }) => name) }),
  };
}

function toldRetry({ reason, attempts, notBefore, givenUp }: NonNullable<LedgerLine['retry']>): ToldRetry {
  return { reason, attempts, notBefore: isoTime(notBefore), givenUp: isoTime(givenUp) };
}
