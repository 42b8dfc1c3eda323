/** A revisit of a page of the corpus: its result, and the parts that are kept. */
import { beganAt, isoTime } from '../../base/core/clock.ts';
import type { HostReport, Settlement } from '../../base/core/parts/queueing.ts';
import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import { isSameText } from '../../base/core/same-text.ts';
import {
  type AbsenceState,
  type EpochMs,
  type FetchedPage,
  type FetchOutcome,
  isAbsence,
  type KeptVersion,
  type Lease,
  type RevisitRecord,
  type RevisitResult,
  type RevisitTask,
  type StoredResponse,
} from '../../base/core/types.ts';
import { alternatesOfPage, judgedAsAlternate } from './alternates.ts';
import { askBeforeKeep } from './before-keep.ts';
import { emitFetched, emitJudged } from './events.ts';
import { discoverFound, discoverRedirectFrom, payloadDigest, toRecord } from './page-records.ts';
import type { VisitProgress } from './running.ts';
import { isRequest, pageToKeep, printOf, reportOf, revisited, settledAs, type Visit, withAnswers } from './settlements.ts';

type PageAgain = Extract<RevisitTask, { of: 'page' }>;
type Read = Extract<ReadOutcome, { kind: 'read' }>;
type NoPage = Exclude<FetchOutcome, { kind: 'page' }>;

/**
 * Requests the page. If its main text has changed, stores another version with a record of its own; for the same payload, a revisit record. Notes when it is gone,
 * and when it is back.
 */
export async function visitAgain(
  lease: Lease,
  { kept, last }: PageAgain,
  parts: Parts,
  signal: AbortSignal,
  progress: VisitProgress,
): Promise<Visit> {
  const { settlement, effects } = await askAgain(lease, kept, parts, signal, progress);
  const revisit = settlement.kind === 'revisited' ? settlement.revisit : null;
  const state = revisit === null ? null : stateAfter(last, revisit.result);
  if (revisit === null || state === null) return { settlement, effects };
  const to = state === 'moved' && settlement.kind === 'revisited' ? (settlement.discovered?.links[0]?.url ?? null) : null;
  const absence = { url: lease.entry.url, at: isoTime(revisit.at), status: revisit.status, state, to, recordId: kept.recordId };
  return { settlement, effects: [...effects, { kind: 'absence', absence }] };
}

/** Requests a seed that is off topic again, for its links alone. It has changed if it leads to a URL that was never discovered. */
export async function visitSeedAgain(lease: Lease, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const { entry } = lease;
  progress.at('fetch');
  const outcome = await parts.fetcher.fetch(entry.url, signal);
  emitFetched(entry.url, outcome, parts);
  if (outcome.kind !== 'page') return settledAs(settledAgain(outcome, lease, parts));
  const { page } = outcome;
  const report = reportOf(outcome);
  progress.at('read');
  const read = await parts.reader.read(page);
  if (read.kind !== 'read' || read.extraction.wall !== undefined) return settledAs(revisited(null, null, report));
  emitJudged(entry.url, page, read, progress, parts);
  const discovered = discoverFound(entry, read, read.relevance >= parts.topic.threshold, parts);
  const isNew = discovered?.links.some(({ url }) => !parts.frontier.knows(url)) ?? false;
  return withAnswers(settledAs({ ...answered(isNew ? 'changed' : 'same', page, report), discovered }), read);
}

/** The change of a page that makes no version; null if it is as at the last answer, or has another version. */
function stateAfter(last: RevisitResult | null, now: RevisitResult): AbsenceState | null {
  if (isAbsence(now)) return now === last ? null : now;
  return now !== 'changed' && last !== null && isAbsence(last) ? 'back' : null;
}

async function askAgain(lease: Lease, kept: KeptVersion, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const { url } = lease.entry;
  progress.at('fetch');
  const stored = parts.stored?.get(kept.recordId);
  const outcome = await parts.fetcher.fetch(url, signal, stored);
  emitFetched(url, outcome, parts);
  if (outcome.kind !== 'page') return settledAs(settledAgain(outcome, lease, parts));
  const { page } = outcome;
  const report = reportOf(outcome);
  const asItWas = (result: RevisitResult, profile: RevisitRecord['profile']): Visit => ({
    settlement: answered(result, page, report),
    effects: [{ kind: 'revisit', record: { profile, of: kept.recordId, stored: stored ?? null }, page }],
  });
  if (page.status === 304) return asItWas('not-modified', 'server-not-modified');
  // If the response that the page was kept by is lost, the page is kept again.
  const isLost = parts.stored?.has(kept.recordId) === false;
  if (!isLost && payloadDigest(page) === kept.payloadSha256) return asItWas('same', 'identical-payload-digest');
  progress.at('read');
  const found = await parts.reader.read(page);
  const read = found.kind === 'read' ? judgedAsAlternate(lease.entry, found, parts) : found;
  // A wall in place of the page, or a damaged document, says nothing about it.
  if (read.kind !== 'read' || read.extraction.wall !== undefined || isShellAlone(read, stored))
    return settledAs(revisited(null, null, report));
  const isSame = stored?.rendered && payloadDigest(page, read) === kept.payloadSha256;
  return withAnswers(
    isSame ? asItWas('same', 'identical-payload-digest') : await another({ lease, kept, isLost, page, read, report }, parts, progress),
    read,
  );
}

/** Is it a page that was kept by its rendered document, and now without one? The browser was in trouble, or no browser rendered a page that looks empty. */
function isShellAlone({ extraction, rendering }: Read, stored: StoredResponse | undefined): boolean {
  if (!stored?.rendered || rendering?.document) return false;
  return rendering ? rendering.visit.trouble !== undefined : extraction.shell === true;
}

/** An answer with another payload than that of the version in the corpus. */
interface Another {
  readonly lease: Lease;
  /** The version in the corpus. */
  readonly kept: KeptVersion;
  /** The response of that version is lost. */
  readonly isLost: boolean;
  readonly page: FetchedPage;
  readonly read: Read;
  readonly report: HostReport;
}

/**
 * Another payload is judged, and its links are followed like those of any page. It is another version if its main text has changed: kept regardless of its
 * relevance. A page that asks not to be stored is not kept.
 */
async function another(
  { lease, kept: before, isLost, page, read, report }: Another,
  parts: Parts,
  progress: VisitProgress,
): Promise<Visit> {
  const { topic, kept } = parts;
  const { extraction, relevance, relevances, dropped, alternateOf } = read;
  const onTopic = relevance >= topic.threshold;
  emitJudged(lease.entry.url, page, read, progress, parts);
  const discovered = alternateOf === undefined ? discoverFound(lease.entry, read, onTopic, parts) : null;
  if (extraction.noindex) return settledAs({ ...answered('noindex', page, report), discovered });
  const print = printOf(read);
  const stated = alternatesOfPage(lease.entry, read, parts);
  const alternates = stated === null ? [] : [{ kind: 'links' as const, discovery: stated }];
  if (!isLost && isSameText(print ?? {}, before.print ?? {}))
    return { settlement: { ...answered('alike', page, report), discovered }, effects: alternates };
  // The version in the corpus stays, and the page is due again in another run.
  const notKept = () => settledAs(revisited(null, discovered, report));
  if (dropped) return notKept();
  const payloadSha256 = payloadDigest(page, read);
  // A page with the former content of this one is no longer its copy.
  const asked = await askBeforeKeep(toRecord(lease.entry, page, extraction, read, payloadSha256, parts), {}, parts);
  if (asked.record === null) return notKept();
  const { record } = asked;
  kept.release(before.payloadSha256, lease.entry.url);
  await kept.claim(payloadSha256, lease.entry.url, relevances);
  const version = {
    recordId: record.id,
    payloadSha256,
    relevance,
    ...(relevances && { relevances }),
    modelId: topic.id,
    ...(print && { print }),
  };
  const result = payloadSha256 === before.payloadSha256 ? 'same' : 'changed';
  const revisit = { at: page.startedAt, status: page.status, result, version } as const;
  return {
    settlement: { ...revisited(revisit, discovered, report), ...dateOf(page) },
    effects: [pageToKeep(record, page, read), ...alternates],
  };
}

/** No page was returned. A moved or gone page is noted; any other result says nothing about the page. */
function settledAgain(outcome: NoPage, { entry }: Lease, parts: Parts): Settlement {
  const at = beganAt(parts.clock, outcome.ms);
  const report = isRequest(outcome) ? reportOf(outcome) : null;
  if (outcome.kind !== 'refused' && outcome.again) return { kind: 'released', host: report };
  if (outcome.kind === 'redirect') {
    const { status, to, later } = outcome;
    // A gate in front of the page, which may set the cookie that it wants.
    if (later !== undefined) return revisited(null, null, report);
    return revisited({ at, status, result: 'moved', version: null }, discoverRedirectFrom(entry, to, parts), report);
  }
  const { status } = outcome;
  if (status === 404 || status === 410) return revisited({ at, status, result: 'gone', version: null }, null, report);
  return revisited(null, null, report);
}

function answered(result: RevisitResult, page: FetchedPage, report: HostReport): Extract<Settlement, { kind: 'revisited' }> {
  const { status, startedAt: at } = page;
  return { ...revisited({ at, status, result, version: null }, null, report), ...dateOf(page) };
}

/** The time of the last change of the page, as its server states it. */
function dateOf({ headers }: FetchedPage): { readonly modified?: EpochMs } {
  const modified = Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(modified) ? {} : { modified };
}
