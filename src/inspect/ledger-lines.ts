/** The ledger of a crawl as users read it: one line for each discovered URL. */
import { isoTime } from '../core/clock.ts';
import { type IsoTime, type LedgerLine, REOPENED, type Revisit } from '../core/types.ts';
import { judgementsOf } from '../crawl/topic-judgements.ts';
import type { CrawlManifest } from '../crawl-dir/crawl-directory.ts';
import { type OpenCrawl, stopReasonOf, withPriorities } from '../crawl-dir/open-crawl.ts';

/** Why a URL could not be had the last time, how often it was tried, when it is tried again, and when at the earliest it is given up on. */
export interface ToldRetry {
  readonly reason: string;
  readonly attempts: number;
  readonly notBefore: IsoTime;
  readonly givenUp: IsoTime;
}

/** A line of a crawl's ledger as users read it: times in ISO 8601; with the names of those of several topics that the page is on, where it was judged. */
export type CrawlLedgerLine = Omit<LedgerLine, 'relevances' | 'fetchedAt' | 'retry' | 'revisit'> & {
  /** When the last request for it began; null where there was none. */
  readonly fetchedAt: IsoTime | null;
  /** Of a URL that waits since it could not be had; left out of all others. */
  readonly retry?: ToldRetry;
  /** The last time it was asked for again. Left out where it was not. */
  readonly revisit?: Omit<Revisit, 'at'> & { readonly at: IsoTime };
  readonly topics?: readonly string[];
};

/** One line for each discovered URL; what still waited when the crawl stopped reads `not-reached` with the reason it stopped, or `reopened`. */
export function ledgerOf(crawl: OpenCrawl): Generator<CrawlLedgerLine> {
  return ledgerLines(withPriorities(crawl));
}

/** The same, and no priority of a link that waits is worked out that is not stored: for who does not look at them. */
export function* ledgerLines(crawl: OpenCrawl): Generator<CrawlLedgerLine> {
  const reason = stopReasonOf(crawl);
  for (const line of crawl.frontier.ledger()) yield ledgerLineOf(crawl, line, reason);
}

/** One line as `ledgerOf` has it. @param reason why the crawl stopped */
export function ledgerLineOf(
  { running, manifest }: Pick<OpenCrawl, 'running' | 'manifest'>,
  line: LedgerLine,
  reason: string,
): CrawlLedgerLine {
  return toldLine(running ? line : stoppedLine(line, reason), manifest);
}

/** Is it still to be asked for? */
export function waits(state: LedgerLine['state']): boolean {
  return state === 'queued' || state === 'leased';
}

/** How a URL is told that still waits when its crawl has stopped. @param reason why it stopped */
export function notReached(reason: string): { readonly state: 'not-reached'; readonly reason: string } {
  return { state: 'not-reached', reason };
}

/** A URL that waits, of a crawl that does not run, was not reached, for the reason that the crawl stopped for; or was reopened. */
export function stoppedLine<L extends Pick<LedgerLine, 'state' | 'reason'>>(line: L, reason: string): L {
  if (!waits(line.state)) return line;
  return { ...line, ...notReached(line.reason === REOPENED ? REOPENED : reason) };
}

function toldLine({ relevances, fetchedAt, retry, revisit, ...line }: LedgerLine, { topics }: CrawlManifest): CrawlLedgerLine {
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
