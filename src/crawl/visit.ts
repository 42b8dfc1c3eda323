/** One page, from frontier lease to corpus record. Read this file first. */
import type { FrozenVisit } from '../core/frozen-visit.ts';
import type { Parts, ReadOutcome, Settlement } from '../core/parts.ts';
import type { CanonicalUrl, CorpusRecord, Discovery, FetchedPage, Lease, ListMark, Ms, RefusalReason } from '../core/types.ts';
import type { HostHealth } from './host-health.ts';
import { listsOfPage } from './lists.ts';
import { frozenPage } from './recording.ts';
import { discoverOutlinks, payloadDigest, toRecord } from './records.ts';
import { deniedByRobots, done, durationOf, failed, fateOf, settlementFor } from './settlements.ts';
import { visitList } from './visit-list.ts';

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
}

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** Visit one leased URL. What the web does is a value here, never a throw. */
export async function visit(lease: Lease, parts: Parts, health: HostHealth, signal: AbortSignal): Promise<Visit> {
  const { clock, frontier, robots, fetcher, reader, topic, emit } = parts;
  const { url, host } = lease.entry;

  // 1. May we? Where the host's robots.txt is not cached, that is this lease's one request.
  const list = lease.entry.edge?.link.list ?? null;
  const refusal = refusalOfLease(url, list, parts);
  if (refusal) return without(done(fateOf('refused', refusal), null));
  const verdict = robots.verdict(url);
  if (verdict === 'unknown') {
    const { crawlDelay } = await robots.load(host, signal);
    if (crawlDelay !== null) frontier.setHostDelay(host, Math.min(crawlDelay, MAX_CRAWL_DELAY));
    return without({ kind: 'released', hostRest: 0 });
  }
  if (verdict === 'deny') return without(deniedByRobots(lease, robots));

  // 2. Fetch: one request, one outcome.
  if (list && parts.lists) {
    const { settlement, more } = await visitList(lease, list, parts.lists, parts, health, signal);
    return { ...without(settlement), more };
  }
  const outcome = await fetcher.fetch(url, signal);
  emit({ type: 'fetched', at: clock.now(), url, outcome: outcome.kind, ms: durationOf(outcome) });
  if (outcome.kind !== 'page') return without(settlementFor(outcome, lease, parts, health));
  health.succeeded(host);
  const { page } = outcome;

  // 3. Read it, off this thread: main text, outlinks, and the page's relevance to the topic.
  const read = await reader.read(page);
  if (read.kind === 'failed') return without(failed(read.code, page.status, page.endedAt, 0));
  const { relevance } = read;
  const onTopic = relevance >= topic.threshold;
  emit({ type: 'judged', at: clock.now(), url, relevance, onTopic });
  const frozen = parts.corpus.record ? frozenPage(page, read) : null;

  // 4. Score the outlinks, and refuse those no rule lets us follow.
  const discovered = discoverOutlinks(lease.entry, read, onTopic, parts);
  const lists = onTopic ? listsOfPage(lease.entry, read, parts) : null;

  // 5. Keep it. The record joins the commit that settles the lease: never lost, never there twice.
  const visited = keepOrNot(lease, page, read, discovered, parts);
  return { ...visited, frozen, ...(lists && { more: [lists] }) };
}

/** A list is no page that a scope could be about. In a crawl that does not follow lists it is not asked for. */
function refusalOfLease(url: CanonicalUrl, list: ListMark | null, { scope, lists }: Parts): RefusalReason | null {
  if (list === null) return scope.refuses(url);
  return lists ? null : 'content-type';
}

/** What a page that was read comes to. */
function keepOrNot(lease: Lease, page: FetchedPage, read: Read, discovered: Discovery | null, parts: Parts): Visit {
  const { url } = lease.entry;
  const { extraction, relevance, relevances, simhash } = read;
  const judged = {
    status: page.status,
    fetchedAt: page.endedAt,
    relevance,
    ...(relevances && { relevances }),
    ...(simhash && { simhash }),
  };
  const { title, text, lang } = extraction;
  if (relevance < parts.topic.threshold)
    return without(done(fateOf('off-topic', '', { ...judged, page: { title, text, lang } }), discovered));
  if (extraction.noindex) return without(done(fateOf('refused', 'noindex', judged), discovered));
  const payloadSha256 = payloadDigest(page);
  const first = parts.kept.claim(payloadSha256, url, relevances);
  if (first !== null) return without(done(fateOf('duplicate', `payload of ${first}`, judged), discovered));
  const record = toRecord(lease.entry, page, extraction, read, payloadSha256, parts);
  const fate = fateOf('kept', '', { ...judged, recordId: record.id, payloadSha256 });
  return { settlement: done(fate, discovered), keep: { record, page }, frozen: null };
}

function without(settlement: Settlement): Visit {
  return { settlement, keep: null, frozen: null };
}
