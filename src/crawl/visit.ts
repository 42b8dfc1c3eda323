/** One page, from frontier lease to corpus record. Read this file first. */
import { FAILURE_POLICY, MAX_PAUSE } from '../core/failure-policy.ts';
import type { FrozenVisit } from '../core/frozen-visit.ts';
import type { Parts, Settlement } from '../core/parts.ts';
import type { CorpusRecord, EpochMs, FailureCode, Fate, FetchedPage, FetchOutcome, Lease, Ms } from '../core/types.ts';
import type { HostHealth } from './host-health.ts';
import { frozenPage } from './recording.ts';
import { discoverOutlinks, discoverRedirect, payloadDigest, toRecord } from './records.ts';

/** How often a URL waits for a robots.txt that cannot be had. The waits double, from a minute on: about a quarter of an hour in all. */
const ROBOTS_RETRIES = 4;

/** A Crawl-delay beyond this is cut: five minutes are 288 pages a day; of 2,111 real files one asks for more. */
const MAX_CRAWL_DELAY: Ms = 300_000;

/** What a visit came to: how to settle its lease, and the corpus record that belongs to the same commit. */
export interface Visit {
  readonly settlement: Settlement;
  readonly keep: { readonly record: CorpusRecord; readonly page: FetchedPage } | null;
  /** The page that was read, for the recording; null where there was none, or the crawl is not recorded. */
  readonly frozen: FrozenVisit | null;
}

/** Visit one leased URL. What the web does is a value here, never a throw. */
export async function visit(lease: Lease, parts: Parts, health: HostHealth, signal: AbortSignal): Promise<Visit> {
  const { clock, frontier, robots, fetcher, reader, topic, emit } = parts;
  const { url, host } = lease.entry;

  // 1. May we? Where the host's robots.txt is not cached, that is this lease's one request.
  const refusal = parts.scope.refuses(url);
  if (refusal) return without(done(fateOf('refused', refusal), null));
  const verdict = robots.verdict(url);
  if (verdict === 'unknown') {
    const { crawlDelay } = await robots.load(host, signal);
    if (crawlDelay !== null) frontier.setHostDelay(host, Math.min(crawlDelay, MAX_CRAWL_DELAY));
    return without({ kind: 'released', hostRest: 0 });
  }
  if (verdict === 'deny') return without(deniedByRobots(lease, robots));

  // 2. Fetch: one request, one outcome.
  const outcome = await fetcher.fetch(url, signal);
  emit({ type: 'fetched', at: clock.now(), url, outcome: outcome.kind, ms: durationOf(outcome) });
  if (outcome.kind !== 'page') return without(settlementFor(outcome, lease, parts, health));
  health.succeeded(host);
  const { page } = outcome;

  // 3. Read it, off this thread: main text, outlinks, and the page's relevance to the topic.
  const read = await reader.read(page);
  if (read.kind === 'failed') return without(failed(read.code, page.status, page.endedAt, 0));
  const { extraction, relevance, simhash } = read;
  const onTopic = relevance >= topic.threshold;
  emit({ type: 'judged', at: clock.now(), url, relevance, onTopic });
  const frozen = parts.corpus.record ? frozenPage(page, read) : null;

  // 4. Score the outlinks, and refuse those no rule lets us follow.
  const discovered = discoverOutlinks(lease.entry, read, onTopic, parts);

  // 5. Keep it. The record joins the commit that settles the lease: never lost, never there twice.
  const judged = { status: page.status, fetchedAt: page.endedAt, relevance, ...(simhash && { simhash }) };
  const { title, text, lang } = extraction;
  if (!onTopic) return without(done(fateOf('off-topic', '', { ...judged, page: { title, text, lang } }), discovered), frozen);
  if (extraction.noindex) return without(done(fateOf('refused', 'noindex', judged), discovered), frozen);
  const payloadSha256 = payloadDigest(page);
  const first = parts.kept.claim(payloadSha256, url);
  if (first !== null) return without(done(fateOf('duplicate', `payload of ${first}`, judged), discovered), frozen);
  const record = toRecord(lease.entry, page, extraction, relevance, payloadSha256, parts);
  const fate = fateOf('kept', '', { ...judged, recordId: record.id, payloadSha256 });
  return { settlement: done(fate, discovered), keep: { record, page }, frozen };
}

/** Refused for good; or put off, where the host's robots.txt could not be had and will be asked for again (RFC 9309 §2.3.1.4). */
function deniedByRobots({ entry }: Lease, robots: Parts['robots']): Settlement {
  const until = robots.unreachableUntil(entry.host);
  if (until === null) return done(fateOf('refused', 'robots'), null);
  if (entry.attempts >= ROBOTS_RETRIES) return done(fateOf('refused', 'robots-unreachable'), null);
  return { kind: 'retry', notBefore: until, hostRest: null };
}

/** What the frontier should do with a URL that gave no page. */
export function settlementFor(
  outcome: Exclude<FetchOutcome, { kind: 'page' }>,
  lease: Lease,
  parts: Parts,
  health: HostHealth,
): Settlement {
  const now = parts.clock.now();
  switch (outcome.kind) {
    case 'redirect': {
      health.succeeded(lease.entry.host);
      const fate = fateOf('fetched', `redirect:${outcome.to}`, { status: outcome.status, fetchedAt: now });
      return done(fate, discoverRedirect(lease.entry, outcome.to, parts));
    }
    case 'refused':
      return done(
        fateOf('refused', outcome.reason, { status: outcome.status, fetchedAt: now, visited: outcome.reason !== 'private-address' }),
        null,
      );
    case 'failed':
      return settleFailure(outcome, lease, now, health);
  }
}

function settleFailure(outcome: Extract<FetchOutcome, { kind: 'failed' }>, lease: Lease, now: EpochMs, health: HostHealth): Settlement {
  const { retries, backoff, blame } = FAILURE_POLICY[outcome.code];
  const pause = Math.min(outcome.retryAfter ?? backoff * 2 ** lease.entry.attempts, MAX_PAUSE);
  const asked = outcome.retryAfter !== null || outcome.code === 'http-429';
  const hostRest = asked || (blame === 'host' && health.failed(lease.entry.host)) ? pause : 0;
  if (lease.entry.attempts < retries) return { kind: 'retry', notBefore: now + pause, hostRest };
  return failed(outcome.code, outcome.status, now, hostRest);
}

function failed(code: FailureCode, status: number | null, at: EpochMs, hostRest: Ms): Settlement {
  return { kind: 'done', fate: fateOf('failed', code, { status, fetchedAt: at }), discovered: null, hostRest };
}

/** A lease that ended; its host rests unless no request was made. */
function done(fate: Fate, discovered: (Settlement & { kind: 'done' })['discovered']): Settlement {
  return { kind: 'done', fate, discovered, hostRest: fate.visited ? 0 : null };
}

function without(settlement: Settlement, frozen: FrozenVisit | null = null): Visit {
  return { settlement, keep: null, frozen };
}

/** A fate with what is known; a URL counts as visited when a response to it was timed. */
function fateOf(state: Fate['state'], reason: string, known: Partial<Fate> = {}): Fate {
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

function durationOf(outcome: FetchOutcome): Ms {
  return outcome.kind === 'page' ? outcome.page.endedAt - outcome.page.startedAt : outcome.ms;
}
