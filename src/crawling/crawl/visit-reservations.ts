/** The `tdmrep.json` of a host: when it is requested, and how it is settled. */
import { beganAt, isoTime } from '../../base/core/clock.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type { ReadOutcome, ReservationSource } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { Discovery, EpochMs, FetchedPage, FetchOutcome, FrontierEntry, Lease, ReservationFile } from '../../base/core/types.ts';
import { emitFetched } from './events.ts';
import { reservationsAt } from './lists.ts';
import { referrerOf } from './page-records.ts';
import type { VisitProgress } from './running.ts';
import { done, fateOf, isAbsent, reportOf, settledAs, settlementFor, type Visit } from './settlements.ts';
import { asNoVisit, unscoped } from './visit-list.ts';

/** The file of the host of a kept page, requested once, before its other pages. null if it is known already, or if no host is asked. */
export function reservationsOfHost(
  entry: FrontierEntry,
  { extraction, relevance }: Extract<ReadOutcome, { kind: 'read' }>,
  parts: Parts,
): Discovery | null {
  if (!parts.reservations) return null;
  const referrer = referrerOf(entry, extraction.title, relevance, true);
  return reservationsAt(referrer, parts.reservations.urlOf(entry.host), parts);
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
  if (isAbsent(outcome)) return settled(outcome, fetchedAt, { url, to: null, rules: [] });
  const settlement = asNoVisit(unscoped(settlementFor(outcome, lease, parts)));
  // If the request failed, the reservations of the host are unknown.
  if (outcome.kind !== 'redirect') return settledAs(settlement);
  return { settlement, effects: [{ kind: 'reservations', file: { url, fetchedAt: isoTime(fetchedAt), to: outcome.to, rules: [] } }] };
}

function ofFile(outcome: FetchOutcome, { body, startedAt }: FetchedPage, { entry: { url } }: Lease, source: ReservationSource): Visit {
  return settled(outcome, startedAt, { url, to: null, rules: source.rulesIn(body, url) });
}

function settled(outcome: FetchOutcome, fetchedAt: EpochMs, file: Omit<ReservationFile, 'fetchedAt'>): Visit {
  const status = outcome.kind === 'page' ? outcome.page.status : outcome.kind === 'failed' ? outcome.status : null;
  const fate = fateOf('fetched', { kind: 'reservations', rules: file.rules.length }, { status, fetchedAt, visited: false });
  const effect = { kind: 'reservations', file: { ...file, fetchedAt: isoTime(fetchedAt) } } as const;
  return { settlement: done(fate, null, reportOf(outcome)), effects: [effect] };
}
