/** Settlements of leases: fates, retries and rests. */

import { beganAt } from '../../base/core/clock.ts';
import { FAILURE_POLICY, isFinal, pauseOf, ROBOTS_RETRIES } from '../../base/core/failure-policy.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { CorpusEntry } from '../../base/core/parts/keeping.ts';
import type { HostReport, Settlement } from '../../base/core/parts/queueing.ts';
import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import { EXCLUDED, type Reason, UNWANTED } from '../../base/core/reason.ts';
import { linesPrint } from '../../base/core/same-text.ts';
import type {
  CrawlRecord,
  Discovery,
  EpochMs,
  FailureCode,
  Fate,
  FetchedPage,
  FetchOutcome,
  Lease,
  Ms,
  RefusalReason,
  Revisit,
  TextPrint,
  Unit,
} from '../../base/core/types.ts';
import { discoverRedirect } from './page-records.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** Additions to the commit of a settlement: records for the corpus, and links that do not come from the page itself. */
export type Effect = CorpusEntry | { readonly kind: 'links'; readonly discovery: Discovery };

/** The result of a visit: how to settle its lease, and the effects of the same commit, in this order. */
export interface Visit {
  readonly settlement: Settlement;
  readonly effects: readonly Effect[];
}

/** A visit with nothing to keep. */
export function settledAs(settlement: Settlement): Visit {
  return { settlement, effects: [] };
}

/** Refused for good. Or postponed, if the host's robots.txt could not be fetched and will be requested again (RFC 9309 §2.3.1.4). */
export function deniedByRobots({ entry }: Lease, robots: Parts['robots']): Settlement {
  const unreachable = robots.unreachable(entry.host);
  if (unreachable === null) return done(fateOf('refused', 'robots'), null, null);
  const reason = { kind: 'robots-unreachable', cause: unreachable.cause } as const;
  if (entry.attempts >= ROBOTS_RETRIES || isFinal(unreachable.cause)) return done(fateOf('refused', reason), null, null);
  return { kind: 'retry', reason, notBefore: unreachable.until, host: null };
}

/** The fate of a page that is off topic, with its texts. @param threshold of the topic */
export function offTopicFate(read: Read, judged: Partial<Fate>, threshold: Unit): Fate {
  const { extraction, excluded, steered, hooked: { modelRelevance = 0, judgedBy = 'afterRead', because = 'off topic' } = {} } = read;
  const byHook = { kind: 'hook', hook: judgedBy, word: because } as const;
  const reason = excluded ? EXCLUDED : steered === 'unwanted' ? UNWANTED : modelRelevance >= threshold ? byHook : '';
  return fateOf('off-topic', reason, { ...judged, page: pageTexts(extraction) });
}

/** The part of persons and their hooks in a judgement, as the fate has it: whether the page is of a subtopic that a person wants more of. */
export function marksOf({ steered, hooked }: Pick<Read, 'steered' | 'hooked'>): Partial<Fate> {
  return { ...(steered === 'wanted' && { wanted: true }), ...(hooked && { hooked }) };
}

/** The print of a page that is kept; undefined for one without text. */
export function printOf({ simhash, extraction }: Pick<Read, 'simhash' | 'extraction'>): TextPrint | undefined {
  return simhash && { simhash, lines: linesPrint(extraction.text) };
}

/** The part of the browser in a visit, as the fate has it. */
export function renderedIn({ rendering }: Pick<Read, 'rendering'>): Partial<Fate> {
  return rendering === undefined ? {} : { rendered: rendering.visit };
}

/** A page that is kept, by its rendered document if it was read from that. */
export function pageToKeep(record: CrawlRecord, page: FetchedPage, { rendering }: Pick<Read, 'rendering'>): Effect {
  return { kind: 'page', record, page, ...(rendering?.document && { document: rendering.document }) };
}

/** Answers about robots.txt that a rendering asked for. The effects of the page come first. */
export function withAnswers({ settlement, effects }: Visit, { rendering }: Pick<Read, 'rendering'>): Visit {
  return { settlement, effects: [...effects, ...(rendering?.answers ?? [])] };
}

/** The fate of a document that has no text, or wants a password. */
export function refusedRead({ reason, pages }: Extract<ReadOutcome, { kind: 'refused' }>, { status, startedAt }: FetchedPage): Fate {
  const why = reason === 'no-text' && pages !== null ? ({ kind: 'no-text', pages } as const) : reason;
  return fateOf('refused', why, { status, fetchedAt: startedAt, visited: true });
}

/** The settlement of a URL that gave no page. */
export function settlementFor(outcome: Exclude<FetchOutcome, { kind: 'page' }>, lease: Lease, parts: Parts): Settlement {
  const fetchedAt = beganAt(parts.clock, outcome.ms);
  switch (outcome.kind) {
    case 'redirect': {
      if (outcome.again) return { kind: 'released', host: reportOf(outcome) };
      const fate = fateOf('fetched', { kind: 'redirect', to: outcome.to }, { status: outcome.status, fetchedAt });
      return done(fate, discoverRedirect(lease.entry, outcome.to, parts), reportOf(outcome));
    }
    case 'refused': {
      const visited = isRequest(outcome);
      const { document, hook } = outcome;
      const reason = document
        ? ({ kind: 'content-type', document } as const)
        : hook
          ? ({ kind: 'hook', ...hook } as const)
          : outcome.reason;
      const fate = fateOf('refused', reason, { status: outcome.status, fetchedAt, visited });
      return done(fate, null, visited ? reportOf(outcome) : null);
    }
    case 'failed':
      return settleFailure(outcome, lease, parts.clock.now(), fetchedAt);
  }
}

/** Was the server asked? */
export function isRequest(outcome: FetchOutcome): boolean {
  return outcome.kind !== 'refused' || !UNASKED.has(outcome.reason);
}

/** Refusals of the crawl itself, and of an archive, which has no server. */
const UNASKED: ReadonlySet<RefusalReason> = new Set(['private-address', 'hook', 'not-in-archive']);

function settleFailure(outcome: Extract<FetchOutcome, { kind: 'failed' }>, lease: Lease, now: EpochMs, fetchedAt: EpochMs): Settlement {
  const { retries, backoff } = FAILURE_POLICY[outcome.code];
  const { attempts } = lease.entry;
  const pause = pauseOf(outcome.retryAfter, backoff, attempts);
  const host = reportOf(outcome);
  if (outcome.again) return { kind: 'released', host };
  if (attempts < retries && !outcome.isFinal) return { kind: 'retry', reason: outcome.code, notBefore: now + pause, host };
  return failed(outcome.code, outcome.status, fetchedAt, host);
}

/** The report of a request about its host. */
export function reportOf(outcome: FetchOutcome): HostReport {
  const retryAfter = outcome.kind === 'failed' ? outcome.retryAfter : null;
  return { ms: durationOf(outcome), sign: signOf(outcome), retryAfter };
}

function signOf(outcome: FetchOutcome): HostReport['sign'] {
  if (outcome.kind !== 'failed') return 'well';
  if (outcome.isFinal) return 'nothing';
  if (outcome.retryAfter !== null || outcome.code === 'http-429' || outcome.code === 'blocked') return 'busy';
  // One 403 means that we may not read this page. From `BLAME_AFTER` in a row on, it means that the host wants no requests.
  if (FAILURE_POLICY[outcome.code].blame === 'host' || outcome.status === 403) return 'fault';
  return outcome.status === null || outcome.code === 'proxy' ? 'unclear' : 'nothing';
}

export function failed(code: FailureCode, status: number | null, at: EpochMs, host: HostReport | null): Settlement {
  return done(fateOf('failed', code, { status, fetchedAt: at }), null, host);
}

/** Has the server no such file? A server in trouble is asked again. */
export function isAbsent(outcome: FetchOutcome): boolean {
  return outcome.kind === 'failed' && outcome.code === 'http-4xx';
}

/** A lease that ended. @param host null if no request was made: then its host need not rest */
export function done(fate: Fate, discovered: (Settlement & { kind: 'done' })['discovered'], host: HostReport | null): Settlement {
  return { kind: 'done', fate, discovered, host };
}

/** A revisit of a kept page. @param revisit null if it showed nothing: the page is due again in another run */
export function revisited(
  revisit: Revisit | null,
  discovered: Discovery | null,
  host: HostReport | null,
): Extract<Settlement, { kind: 'revisited' }> {
  return { kind: 'revisited', revisit, discovered, host };
}

/** A fate with all known facts. A URL counts as visited if the time of a response to it is known. */
export function fateOf(state: Fate['state'], reason: Reason, known: Partial<Fate> = {}): Fate {
  const visited = known.fetchedAt !== undefined;
  return {
    state,
    reason,
    relevance: null,
    status: null,
    fetchedAt: null,
    recordId: null,
    payloadSha256: null,
    page: null,
    visited,
    ...known,
  };
}

export function durationOf(outcome: FetchOutcome): Ms {
  return outcome.kind === 'page' ? outcome.page.endedAt - outcome.page.startedAt : outcome.ms;
}
