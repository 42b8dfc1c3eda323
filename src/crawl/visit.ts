/** One page, from frontier lease to corpus record. Read this file first. */
import type { FrozenVisit } from '../core/frozen-visit.ts';
import type { HostReport, Settlement } from '../core/parts/queueing.ts';
import type { ReadOutcome } from '../core/parts/reading.ts';
import type { Parts } from '../core/parts.ts';
import type {
  CanonicalUrl,
  CorpusRecord,
  Discovery,
  FetchedPage,
  Lease,
  ListMark,
  Ms,
  RefusalReason,
  ReservationFile,
  RevisitRecord,
} from '../core/types.ts';
import { emitFetched } from './events.ts';
import { listsOfPage } from './lists.ts';
import { discoverOutlinks, payloadDigest, toRecord } from './page-records.ts';
import { frozenPage } from './recording.ts';
import type { VisitProgress } from './running.ts';
import { deniedByRobots, done, failed, fateOf, reportOf, revisited, settlementFor } from './settlements.ts';
import { visitAgain } from './visit-again.ts';
import { visitList } from './visit-list.ts';
import { reservationsOfHost, visitReservations } from './visit-reservations.ts';

/** A Crawl-delay beyond this is cut: five minutes are 288 pages a day; of 2,111 real files one asks for more. */
const MAX_CRAWL_DELAY: Ms = 300_000;

/** What a visit came to: how to settle its lease, and the corpus record that belongs to the same commit. */
export interface Visit {
  readonly settlement: Settlement;
  readonly keep: { readonly record: CorpusRecord; readonly page: FetchedPage } | null;
  /** The page that was read, for the recording; null where there was none, or the crawl is not recorded. */
  readonly frozen: FrozenVisit | null;
  /** Discoveries besides the settlement's, of the same commit: sitemaps, feeds and what they list. Left out where there are none. */
  readonly more?: readonly Discovery[];
  /** A page that is as it was when it was kept. Left out of all other visits. */
  readonly again?: { readonly record: RevisitRecord; readonly page: FetchedPage };
  /** What a host's file of reservations came to. Left out of all other visits. */
  readonly reservations?: ReservationFile;
}

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** Visit one leased URL. What the web does is a value here, never a throw. */
export async function visit(lease: Lease, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const { clock, robots, fetcher, reader, topic, emit } = parts;
  const { url } = lease.entry;

  // 1. May we? Where the host's robots.txt is not cached, that is this lease's one request.
  const list = lease.entry.edge?.link.list ?? null;
  const refusal = refusalOfLease(url, list, parts);
  const { kept } = lease.entry;
  if (refusal) return without(kept ? revisited(null, null, null) : done(fateOf('refused', refusal), null, null));
  if (!(await mayBeAskedNow(lease, parts))) return without({ kind: 'released', host: null });
  const verdict = robots.verdict(url);
  if (verdict === 'unknown') {
    progress.at('robots');
    return without({ kind: 'released', host: await loadRobots(lease, parts, signal) });
  }
  if (verdict === 'deny') return without(kept ? revisited(null, null, null) : deniedByRobots(lease, robots));
  if (kept) return visitAgain(lease, kept, parts, signal, progress);

  // 2. Fetch: one request, one outcome.
  progress.at(list ? 'list' : 'fetch');
  if (list) return visitFile(lease, list, parts, signal);
  const outcome = await fetcher.fetch(url, signal);
  emitFetched(url, outcome, parts);
  if (outcome.kind !== 'page') return without(settlementFor(outcome, lease, parts));
  const { page } = outcome;
  const report = reportOf(outcome);

  // 3. Read it, off this thread: main text, outlinks, and the page's relevance to the topic.
  progress.at('read');
  const read = await reader.read(page);
  if (read.kind === 'failed') return without(failed(read.code, page.status, page.startedAt, report));
  const { relevance } = read;
  const onTopic = relevance >= topic.threshold;
  emit({ type: 'judged', at: clock.now(), url, relevance, onTopic, ms: clock.now() - progress.since });
  const frozen = parts.corpus.record ? frozenPage(page, read) : null;

  // 4. Score the outlinks, and refuse those no rule lets us follow.
  const discovered = discoverOutlinks(lease.entry, read, onTopic, parts);
  const lists = onTopic ? listsOfPage(lease.entry, read, parts) : null;

  // 5. Keep it. The record joins the commit that settles the lease: never lost, never there twice.
  const visited = keepOrNot(lease, page, read, discovered, report, parts);
  const reservations = visited.keep && reservationsOfHost(lease.entry, read, parts);
  const more = [lists, reservations].filter((discovery) => discovery !== null);
  return { ...visited, frozen, ...(more.length > 0 && { more }) };
}

/** A leased file that is read besides pages. */
async function visitFile(lease: Lease, { kind, level }: ListMark, parts: Parts, signal: AbortSignal): Promise<Visit> {
  if (kind === 'reservations') {
    const { settlement, reservations } = await visitReservations(lease, parts, signal);
    return { ...without(settlement), ...(reservations && { reservations }) };
  }
  const { settlement, more } = await visitList(lease, { kind, level }, parts, signal);
  return { ...without(settlement), more };
}

/** A list is no page that a scope could be about. In a crawl that does not follow such lists it is not asked for. */
function refusalOfLease(url: CanonicalUrl, list: ListMark | null, { scope, lists, reservations, manners }: Parts): RefusalReason | null {
  if (manners?.optedOut(url)) return 'opt-out';
  if (list === null) return scope.refuses(url);
  if (list.kind === 'reservations') return reservations ? null : 'content-type';
  return lists ? null : 'no-sitemaps';
}

/** A host's groups are known by its address, so they are told with its first lease; no request is made while they rest. Without an address none can be made. */
async function mayBeAskedNow(lease: Lease, { frontier, manners }: Parts): Promise<boolean> {
  if (lease.joined || !manners) return true;
  const groups = await manners.groupsOf(lease.entry.host);
  return groups === null || frontier.join(lease, groups);
}

async function loadRobots({ entry: { host, url } }: Lease, parts: Parts, signal: AbortSignal): Promise<HostReport> {
  const { clock, emit, frontier, robots } = parts;
  const startedAt = clock.now();
  const { crawlDelay } = await robots.load(host, signal);
  if (crawlDelay !== null) frontier.setHostDelay(host, Math.min(crawlDelay, MAX_CRAWL_DELAY));
  const ms = clock.now() - startedAt;
  emit({ type: 'robots', at: clock.now(), url, ms });
  return { ms, sign: 'unclear', retryAfter: null };
}

/** What a page that was read comes to. */
function keepOrNot(lease: Lease, page: FetchedPage, read: Read, discovered: Discovery | null, report: HostReport, parts: Parts): Visit {
  const { url } = lease.entry;
  const { extraction, relevance, relevances, simhash } = read;
  const judged = {
    status: page.status,
    fetchedAt: page.startedAt,
    relevance,
    ...(relevances && { relevances }),
    ...(simhash && { simhash }),
  };
  const { title, text, lang } = extraction;
  if (relevance < parts.topic.threshold)
    return without(done(fateOf('off-topic', '', { ...judged, page: { title, text, lang } }), discovered, report));
  if (extraction.noindex) return without(done(fateOf('refused', 'noindex', judged), discovered, report));
  const payloadSha256 = payloadDigest(page);
  const first = parts.kept.claim(payloadSha256, url, relevances);
  if (first !== null) return without(done(fateOf('duplicate', `payload of ${first}`, { ...judged, payloadSha256 }), discovered, report));
  const record = toRecord(lease.entry, page, extraction, read, payloadSha256, parts);
  const fate = fateOf('kept', '', { ...judged, recordId: record.id, payloadSha256 });
  return { settlement: done(fate, discovered, report), keep: { record, page }, frozen: null };
}

function without(settlement: Settlement): Visit {
  return { settlement, keep: null, frozen: null };
}
