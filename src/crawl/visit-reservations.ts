/** A host's `tdmrep.json`: when it is asked for, and what comes of it. */
import { beganAt, isoTime } from '../core/clock.ts';
import { InvariantError } from '../core/errors.ts';
import type { Settlement } from '../core/parts/queueing.ts';
import type { ReadOutcome, ReservationSource } from '../core/parts/reading.ts';
import type { Parts } from '../core/parts.ts';
import type { Discovery, EpochMs, FetchedPage, FetchOutcome, FrontierEntry, Lease, ReservationFile } from '../core/types.ts';
import { emitFetched } from './events.ts';
import { fileOfHost } from './lists.ts';
import { referrerOf } from './page-records.ts';
import { done, fateOf, reportOf, settlementFor } from './settlements.ts';
import { unscoped } from './visit-list.ts';

/** The file of a host that a page is kept of, to be asked for once, before its other pages. null when it is known already, or no host is asked. */
export function reservationsOfHost(
  entry: FrontierEntry,
  { extraction, relevance }: Extract<ReadOutcome, { kind: 'read' }>,
  parts: Parts,
): Discovery | null {
  if (!parts.reservations) return null;
  const referrer = referrerOf(entry, extraction.title, relevance, true);
  return fileOfHost(referrer, parts.reservations.urlOf(entry.host), { kind: 'reservations', level: 0 }, parts);
}

export interface ReservationVisit {
  readonly settlement: Settlement;
  /** null while it is not known: the request failed. */
  readonly reservations: ReservationFile | null;
}

/** Fetch and read one. It is no page, and like a robots.txt not counted as a visit. Where there is none the host reserves nothing. */
export async function visitReservations(lease: Lease, parts: Parts, signal: AbortSignal): Promise<ReservationVisit> {
  const { url } = lease.entry;
  const { clock, reservations: source } = parts;
  if (!source) throw new InvariantError(`${url}: a file of reservations is leased in a crawl that asks for none`);
  const outcome = await source.fetch(url, signal);
  emitFetched(url, outcome, parts);
  if (outcome.kind === 'page') return ofFile(outcome, outcome.page, lease, source);
  const fetchedAt = beganAt(clock, outcome.ms);
  if (isAbsent(outcome)) return settled(outcome, fetchedAt, { url, to: null, rules: [] });
  const settlement = uncounted(unscoped(settlementFor(outcome, lease, parts)));
  const reservations = outcome.kind === 'redirect' ? { url, fetchedAt: isoTime(fetchedAt), to: outcome.to, rules: [] } : null;
  return { settlement, reservations };
}

function ofFile(
  outcome: FetchOutcome,
  { body, startedAt }: FetchedPage,
  { entry: { url } }: Lease,
  source: ReservationSource,
): ReservationVisit {
  return settled(outcome, startedAt, { url, to: null, rules: source.rulesIn(body, url) });
}

/** “Failure to provide access to such a representation implies that the origin server does not implement this protocol.” A server in trouble is asked again. */
function isAbsent(outcome: FetchOutcome): boolean {
  return outcome.kind === 'failed' && outcome.code === 'http-4xx';
}

function settled(outcome: FetchOutcome, fetchedAt: EpochMs, file: Omit<ReservationFile, 'fetchedAt'>): ReservationVisit {
  const status = outcome.kind === 'page' ? outcome.page.status : outcome.kind === 'failed' ? outcome.status : null;
  const fate = fateOf('fetched', `reservations:${file.rules.length}`, { status, fetchedAt, visited: false });
  return { settlement: done(fate, null, reportOf(outcome)), reservations: { ...file, fetchedAt: isoTime(fetchedAt) } };
}

function uncounted(settlement: Settlement): Settlement {
  return settlement.kind === 'done' ? { ...settlement, fate: { ...settlement.fate, visited: false } } : settlement;
}
