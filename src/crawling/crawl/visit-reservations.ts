/** Files of hosts about rights and use, `tdmrep.json` and RSL documents: when they are requested, and how they are settled. */
import { beganAt, isoTime } from '../../base/core/clock.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type { ReservationSource } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type {
  CrawlRecord,
  Discovery,
  EpochMs,
  FetchedPage,
  FetchOutcome,
  FrontierEntry,
  Lease,
  ReservationFile,
} from '../../base/core/types.ts';
import { emitFetched } from './events.ts';
import { reservationsAt } from './lists.ts';
import { payloadDigest, referrerOf } from './page-records.ts';
import type { VisitProgress } from './running.ts';
import { done, fateOf, isAbsent, reportOf, settledAs, settlementFor, type Visit } from './settlements.ts';
import { asNoVisit, unscoped } from './visit-list.ts';

/**
 * The files about the rights of a kept page, requested once each, before other pages of their hosts: the `tdmrep.json`, and licences that the page or
 * its robots.txt names. null if they are known already, or if no host is asked.
 */
export function reservationsOfHost(
  entry: FrontierEntry,
  { title, relevance, rights = [] }: Pick<CrawlRecord, 'title' | 'relevance' | 'rights'>,
  parts: Parts,
): Discovery | null {
  if (!parts.reservations) return null;
  const referrer = referrerOf(entry, title, relevance, true);
  return reservationsAt(referrer, parts.reservations.urlsFor(entry.host, rights), parts);
}

/** Fetches and reads one file. It is not a page and, like a robots.txt, does not count as a visit. A host without the file reserves nothing. */
export async function visitReservations(lease: Lease, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const { url } = lease.entry;
  const { clock, reservations: source } = parts;
  if (!source) throw new InvariantError(`${url}: a file of reservations is leased in a crawl that asks for none`);
  progress.at('list');
  const outcome = await source.fetch(url, signal);
  emitFetched(url, outcome, parts);
  if (outcome.kind === 'page') return ofFile(outcome, outcome.page, lease, source);
  const fetchedAt = beganAt(clock, outcome.ms);
  // “Failure to provide access to such a representation implies that the origin server does not implement this protocol.”
  if (isAbsent(outcome)) return settled(outcome, fetchedAt, { url, to: null, rules: [] }, null);
  const settlement = asNoVisit(unscoped(settlementFor(outcome, lease, parts)));
  // If the request failed, the reservations of the host are unknown.
  if (outcome.kind !== 'redirect') return settledAs(settlement);
  const file = { url, fetchedAt: isoTime(fetchedAt), to: outcome.to, rules: [] };
  return { settlement, effects: [{ kind: 'reservations', file, page: null }] };
}

function ofFile(outcome: FetchOutcome, page: FetchedPage, { entry: { url } }: Lease, source: ReservationSource): Visit {
  return settled(outcome, page.startedAt, { url, to: null, ...source.read(page.body, url), sha256: payloadDigest(page) }, page);
}

function settled(outcome: FetchOutcome, fetchedAt: EpochMs, file: Omit<ReservationFile, 'fetchedAt'>, page: FetchedPage | null): Visit {
  const status = outcome.kind === 'page' ? outcome.page.status : outcome.kind === 'failed' ? outcome.status : null;
  const fate = fateOf(
    'fetched',
    { kind: 'reservations', rules: file.rules.length + (file.terms?.length ?? 0) },
    { status, fetchedAt, visited: false },
  );
  const effect = { kind: 'reservations', file: { ...file, fetchedAt: isoTime(fetchedAt) }, page } as const;
  return { settlement: done(fate, null, reportOf(outcome)), effects: [effect] };
}
