/** Settles visits again that a frontier has lost, from other sources. Makes no request. */

import type { FrozenVisit } from '../../base/core/frozen-visit.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { OwnPayloads } from '../../base/core/parts/keeping.ts';
import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import {
  type Absence,
  type CorpusRecord,
  type Fate,
  type Lease,
  type LinkTask,
  type LinkText,
  PAGE,
  type PageVersion,
} from '../../base/core/types.ts';
import { alternatesOfPage } from './alternates.ts';
import { lessonOf } from './lessons.ts';
import { discoverFound, discoverOutlinks, discoverRedirect } from './page-records.ts';
import { done, fateOf, marksOf, offTopicFate, printOf, revisited } from './settlements.ts';

type Read = Extract<ReadOutcome, { kind: 'read' }>;

/** The parts that settling needs without requests. */
export interface RestoringParts
  extends Pick<Parts, 'alternates' | 'frontier' | 'scorer' | 'topic' | 'scope' | 'expansion' | 'newRecordId' | 'hostKeyOf'> {
  readonly kept: OwnPayloads;
}

/** The current relevance of a page to the topics, and the model that gave it. */
export type RestoredJudgement = Pick<PageVersion, 'relevance' | 'relevances' | 'modelId'>;

/**
 * A page of the corpus. If the frontier does not know its URL, the URL becomes known through the link in its record.
 * @param read the page, read again for its links; null if its bytes are lost
 * @returns false if the frontier already has it as kept, or may not request it
 */
export function restoreKept(
  record: CorpusRecord,
  { modelId: _, ...judged }: RestoredJudgement,
  read: Read | null,
  parts: RestoringParts,
): boolean {
  const lease = parts.frontier.lease(record.url) ?? leaseByRecord(record, parts);
  if (lease === null) return false;
  const { id: recordId, payloadSha256, alternateOf } = record;
  const page = read && { ...read, ...judged, ...(alternateOf !== undefined && { alternateOf }) };
  const discovered = page && discoverOutlinks(lease.entry, page, true, parts);
  const alternates = page && alternatesOfPage(lease.entry, page, parts);
  if (alternates) parts.frontier.add(alternates);
  // Identifies a recorded copy of it.
  parts.kept.claim(payloadSha256, record.url, judged.relevances);
  const fetchedAt = Date.parse(record.fetchedAt);
  const fate = fateOf('kept', alternateOf === undefined ? '' : { kind: 'alternate', of: alternateOf }, {
    ...judged,
    status: 200,
    fetchedAt,
    recordId,
    payloadSha256,
    ...(record.changedFrom !== undefined && { changed: true }),
    ...(read && { ...printOf(read), ...marksOf(read) }),
  });
  settle(lease, fate, discovered, parts);
  return true;
}

/** Another version of a kept page, as if it had been requested again. @returns false if the frontier has not kept the page */
export function restoreVersion(record: CorpusRecord, judged: RestoredJudgement, read: Read | null, parts: RestoringParts): boolean {
  const lease = parts.frontier.lease(record.url, 'kept');
  if (lease === null) return false;
  const { id: recordId, payloadSha256 } = record;
  const onTopic = isOnTopic(judged.relevance, parts.topic.threshold);
  const discovered = read && discoverFound(lease.entry, { ...read, relevance: judged.relevance }, onTopic, parts);
  const print = read && printOf(read);
  const version = { recordId, payloadSha256, ...judged, ...(print && { print }) };
  const revisit = { at: Date.parse(record.fetchedAt), status: 200, result: 'changed', version } as const;
  parts.frontier.settle(lease, revisited(revisit, discovered, null));
  return true;
}

/** The last absence of a kept page, as if it had been requested again. @returns false if the frontier has not kept the page */
export function restoreAbsence({ url, at, status, state }: Absence, { frontier }: Pick<RestoringParts, 'frontier'>): boolean {
  const lease = frontier.lease(url, 'kept');
  if (lease === null) return false;
  const result = state === 'back' ? 'same' : state;
  frontier.settle(lease, revisited({ at: Date.parse(at), status, result, version: null }, null, null));
  return true;
}

/**
 * A recorded visit to a waiting URL.
 * @param read of a page that is not in the corpus; otherwise null.
 * @returns false if the URL does not wait, or keeps waiting
 */
export function restoreVisit(visit: FrozenVisit, read: Read | null, at: number, parts: RestoringParts): boolean {
  const lease = parts.frontier.lease(visit.url);
  if (lease === null) return false;
  const { entry } = lease;
  const known = { status: visit.status, fetchedAt: at };
  switch (visit.kind) {
    case 'page':
      return settleRead(lease, visit.content.payloadSha256, read, known, parts);
    case 'redirect':
      settle(lease, fateOf('fetched', { kind: 'redirect', to: visit.to }, known), discoverRedirect(entry, visit.to, parts), parts);
      break;
    case 'refused':
      settle(lease, fateOf('refused', visit.reason, { ...known, visited: visit.status !== null }), null, parts);
      break;
    case 'failed':
      settle(lease, fateOf('failed', visit.code, known), null, parts);
  }
  return true;
}

/**
 * A page that was read and is not in the corpus: off topic, not to be stored, or a copy. If it is on topic and has no record, its URL keeps waiting.
 * @returns whether it is settled
 */
function settleRead(lease: Lease, payloadSha256: string, read: Read | null, known: Partial<Fate>, parts: RestoringParts): boolean {
  const onTopic = read !== null && isOnTopic(read.relevance, parts.topic.threshold);
  const first = onTopic ? parts.kept.claim(payloadSha256, lease.entry.url, read.relevances) : null;
  if (read === null || (onTopic && first === null && !read.extraction.noindex)) {
    if (onTopic) parts.kept.release(payloadSha256, lease.entry.url);
    parts.frontier.settle(lease, { kind: 'released', host: null });
    return false;
  }
  const { relevance, relevances } = read;
  const judged = {
    ...known,
    relevance,
    ...(relevances && { relevances }),
    ...(read.simhash && { simhash: read.simhash }),
    ...marksOf(read),
  };
  const fate = !onTopic
    ? offTopicFate(read, judged, parts.topic.threshold)
    : first === null
      ? fateOf('refused', 'noindex', judged)
      : fateOf('duplicate', { kind: 'copy', of: first }, { ...judged, payloadSha256 });
  settle(lease, fate, discoverOutlinks(lease.entry, read, onTopic, parts), parts);
  return true;
}

/** Settles with the lesson, like a visit. */
function settle(lease: Lease, fate: Fate, discovered: Parameters<typeof done>[1], { frontier, scorer }: RestoringParts): void {
  frontier.settle(lease, done(fate, discovered, null));
  const lesson = lessonOf(fate, lease.entry);
  if (lesson !== null) scorer.learn?.(lease.entry, lesson, fate.wanted);
}

/** A lease through the link that led to the page, as stored in its record. */
function leaseByRecord(
  { url, referrer, depth, anchorText, relevance, alternateOf }: CorpusRecord,
  { frontier, hostKeyOf, scorer }: RestoringParts,
): Lease | null {
  const { learnedFrom } = scorer;
  const edge = referrer && { url: referrer, title: '', relevance, depth: Math.max(0, depth - 1), offTopicDepth: 0 };
  const text: LinkText = { anchorText, context: '', imageAlt: '', zone: 'other', tagPath: '', anchorScore: null, contextScore: null };
  const task: LinkTask = alternateOf === undefined ? PAGE : { kind: 'alternate', of: null, hops: 0 };
  const link = { url, host: hostKeyOf(url), priority: relevance, refusal: null, text, task };
  frontier.add({ referrer: edge, depth, offTopicDepth: 0, redirects: 0, learnedFrom, links: [link] });
  return frontier.lease(url);
}
