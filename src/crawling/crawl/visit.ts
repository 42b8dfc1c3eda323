/** One URL, from its lease to its settlement and its corpus record. Read this file first. */
import type { HostReport, Settlement } from '../../base/core/parts/queueing.ts';
import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { Discovery, FetchedPage, FetchOutcome, Lease, RefusalReason } from '../../base/core/types.ts';
import { alternatesOfPage, judgedAsAlternate } from './alternates.ts';
import { askBeforeKeep, droppedFate } from './before-keep.ts';
import { emitFetched, emitJudged } from './events.ts';
import { listsOfLostSeed, listsOfPage } from './lists.ts';
import { discoverOutlinks, discoverRedirect, payloadDigest, toRecord, unlessName } from './page-records.ts';
import { whyNotAsked } from './permission.ts';
import { frozenPage } from './recording.ts';
import type { VisitProgress } from './running.ts';
import {
  done,
  type Effect,
  failed,
  fateOf,
  isAbsent,
  marksOf,
  offTopicFate,
  pageToKeep,
  printOf,
  refusedRead,
  renderedIn,
  reportOf,
  settledAs,
  settlementFor,
  type Visit,
  withAnswers,
} from './settlements.ts';
import { visitAgain, visitSeedAgain } from './visit-again.ts';
import { readList, visitList, visitListAgain } from './visit-list.ts';
import { reservationsOfHost, visitReservations } from './visit-reservations.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** The status of an answer that confirms a stored response. */
const NOT_MODIFIED = 304;

/** Visits one leased URL. Failures of the web are values here, never errors. */
export async function visit(lease: Lease, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const notAsked = await whyNotAsked(lease, parts, signal, progress);
  if (notAsked) return notAsked;
  const { task } = lease.entry;
  switch (task.kind) {
    case 'page':
    case 'alternate':
      return visitPage(lease, parts, signal, progress);
    case 'revisit':
      if (task.of === 'list') return visitListAgain(lease, task, parts, signal, progress);
      return task.of === 'seed' ? visitSeedAgain(lease, parts, signal, progress) : visitAgain(lease, task, parts, signal, progress);
    case 'list':
      return visitList(lease, task, parts, signal, progress);
    case 'reservations':
      return visitReservations(lease, parts, signal, progress);
  }
}

/** The first visit of a page. */
async function visitPage(lease: Lease, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const { corpus, fetcher, reader, topic, lists, seeds, scope, fileNames } = parts;
  const { url } = lease.entry;

  // 1. Fetch: one request, one outcome.
  progress.at('fetch');
  const isSeed = lease.entry.edge === null && seeds !== null;
  const outcome = isSeed ? await seeds.fetch(url, signal) : await fetcher.fetch(url, signal);
  emitFetched(url, outcome, parts);
  if (outcome.kind === 'redirect' && outcome.later !== undefined) return waitForCookie(lease, outcome, parts);
  if (outcome.kind === 'refused' && outcome.reason === 'content-type') fileNames?.answered(url, false);
  if (outcome.kind !== 'page') {
    const lost = lease.entry.edge === null && isAbsent(outcome) ? listsOfLostSeed(lease.entry, parts) : null;
    return { settlement: settlementFor(outcome, lease, parts), effects: linksIn(lost) };
  }
  const { page } = outcome;
  const kind = isSeed ? seeds.kindOf(page) : 'page';
  const refusal = isSeed && kind === 'page' ? unlessName(scope.refuses(url)) : null;
  if (refusal !== null) return settledAs(settlementFor(refusedPage(outcome, refusal), lease, parts));
  if (kind === null) return settledAs(settlementFor(refusedPage(outcome, 'content-type'), lease, parts));
  if (kind !== 'page' && lists) return readList(lease, { kind: 'list', list: kind, level: 0 }, outcome, lists, parts);
  const report = reportOf(outcome);

  // 2. Read it, on another thread: main text, outlinks, and its relevance to the topic.
  progress.at('read');
  const found = await reader.read(page);
  if (found.kind === 'failed') return settledAs(failed(found.code, page.status, page.startedAt, report));
  if (found.kind === 'refused') return settledAs(done(refusedRead(found, page), null, report));
  const read = judgedAsAlternate(lease.entry, found, parts);
  const { relevance } = read;
  const onTopic = relevance >= topic.threshold;
  emitJudged(url, page, read, progress, parts);

  // 3. Score the outlinks, and refuse those that a rule excludes.
  const discovered = discoverOutlinks(lease.entry, read, onTopic, parts);
  const lifted = fileNames?.answered(url, true) ?? null;
  const ownLists = listsOfPage(lease.entry, read, onTopic, parts);

  // 4. Keep it. Its record joins the commit that settles the lease: never lost, never stored twice.
  const { settlement, effects } = withAnswers(await keepOrNot(lease, page, read, discovered, report, parts), read);
  const [kept] = effects;
  const reservations = kept?.kind === 'page' ? reservationsOfHost(lease.entry, kept.record, parts) : null;
  const alternates = isInCorpus(settlement) ? alternatesOfPage(lease.entry, read, parts) : null;
  const recording: Effect[] = corpus.recorded ? [{ kind: 'visit', visit: frozenPage(page, read) }] : [];
  const others = [alternates, lifted, ownLists, reservations].flatMap(linksIn);
  return { settlement, effects: [...effects, ...recording, ...others] };
}

/** Has the corpus the page now, or that of an earlier crawl? */
function isInCorpus(settlement: Settlement): boolean {
  return settlement.kind === 'done' && (settlement.fate.state === 'kept' || settlement.fate.reason === 'unchanged');
}

/** The target of the redirect gets its own lease; the page waits for the cookie that it may set. */
function waitForCookie({ entry }: Lease, outcome: Extract<FetchOutcome, { kind: 'redirect' }>, parts: Parts): Visit {
  const notBefore = parts.clock.now() + (outcome.later ?? 0);
  const found = parts.frontier.standing(outcome.to) === null ? discoverRedirect(entry, outcome.to, parts) : null;
  return { settlement: { kind: 'retry', reason: 'needs-cookies', notBefore, host: reportOf(outcome) }, effects: linksIn(found) };
}

/** A seed that came and is neither a list nor a page that the crawl may keep. */
function refusedPage({ page }: Extract<FetchOutcome, { kind: 'page' }>, reason: RefusalReason): FetchOutcome & { kind: 'refused' } {
  return { kind: 'refused', reason, status: page.status, ms: page.endedAt - page.startedAt };
}

function linksIn(discovery: Discovery | null): Effect[] {
  return discovery === null ? [] : [{ kind: 'links', discovery }];
}

/** Settles a page that was read: keeps it or not. */
async function keepOrNot(
  lease: Lease,
  page: FetchedPage,
  read: Read,
  discovered: Discovery | null,
  report: HostReport,
  parts: Parts,
): Promise<Visit> {
  const { url } = lease.entry;
  const { extraction, relevance, relevances, simhash } = read;
  const judged = {
    status: page.confirmed ? NOT_MODIFIED : page.status,
    fetchedAt: page.startedAt,
    relevance,
    ...(relevances && { relevances }),
    ...(simhash && { simhash }),
    ...marksOf(read),
    ...renderedIn(read),
  };
  if (extraction.wall !== undefined) return settledAs(done(fateOf('refused', extraction.wall, judged), discovered, report));
  if (relevance < parts.topic.threshold) return settledAs(done(offTopicFate(read, judged, parts.topic.threshold), discovered, report));
  if (extraction.noindex) return settledAs(done(fateOf('refused', 'noindex', judged), discovered, report));
  if (read.dropped) return settledAs(done(droppedFate(read.dropped, judged), discovered, report));
  const payloadSha256 = payloadDigest(page, read);
  const print = printOf(read);
  const earlier = parts.since?.compare({ url, print, payloadSha256 }) ?? null;
  if (page.confirmed || earlier?.isSame) return settledAs(done(fateOf('refused', 'unchanged', judged), discovered, report));
  const first = await parts.kept.claim(payloadSha256, url, relevances);
  if (first !== null)
    return settledAs(done(fateOf('duplicate', { kind: 'copy', of: first }, { ...judged, payloadSha256 }), discovered, report));
  const changedFrom = earlier && { changedFrom: earlier.recordId };
  const toKeep = { ...toRecord(lease.entry, page, extraction, read, payloadSha256, parts), ...changedFrom };
  const asked = await askBeforeKeep(toKeep, judged, parts);
  if (asked.record === null) return settledAs(done(asked.fate, discovered, report));
  const { record } = asked;
  const known = { ...asked.marks, ...(earlier && { changed: true as const }), ...print };
  const reason = read.alternateOf === undefined ? '' : ({ kind: 'alternate', of: read.alternateOf } as const);
  const fate = fateOf('kept', reason, { ...judged, ...known, recordId: record.id, payloadSha256 });
  return { settlement: done(fate, discovered, report), effects: [pageToKeep(record, page, read)] };
}
