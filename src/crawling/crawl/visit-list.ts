/** One sitemap or feed, from lease to its links. */
import { beganAt } from '../../base/core/clock.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type { Settlement } from '../../base/core/parts/queueing.ts';
import type { ListSource, ReadLink } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { Discovery, FetchOutcome, Lease, ListKind, RevisitTask, Task } from '../../base/core/types.ts';
import { emitFetched } from './events.ts';
import { linksOfList } from './lists.ts';
import { discoverRedirectFrom } from './page-records.ts';
import type { VisitProgress } from './running.ts';
import {
  done,
  durationOf,
  failed,
  fateOf,
  isAbsent,
  isRequest,
  reportOf,
  revisited,
  settledAs,
  settlementFor,
  type Visit,
} from './settlements.ts';

type ListTask = Extract<Task, { kind: 'list' }>;

/**
 * Fetches and reads a list that robots.txt allows. Its fate is `fetched`: it is not a page, and says nothing about the link that led to it. Like a
 * robots.txt, it does not count as a visit.
 */
export async function visitList(lease: Lease, task: ListTask, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit> {
  const { lists } = parts;
  const { url, host } = lease.entry;
  if (!lists) throw new InvariantError(`${url}: a list is leased in a crawl that follows none`);
  progress.at('list');
  const outcome = await lists.fetch(url, signal);
  emitFetched(url, outcome, parts);
  if (outcome.kind === 'page') return readList(lease, task, outcome, lists, parts);
  // Nobody named it: most hosts without a sitemap have nothing there.
  if (isAbsent(outcome) && url === lists.usualPlaceOf(host)) return emptyList(outcome, task, parts);
  return settledAs(asNoVisit(onlyToLists(unscoped(settlementFor(outcome, lease, parts)), lists)));
}

function emptyList(outcome: FetchOutcome, { list }: ListTask, { clock }: Parts): Visit {
  const status = outcome.kind === 'failed' ? outcome.status : null;
  const known = { status, fetchedAt: beganAt(clock, durationOf(outcome)), visited: false };
  return settledAs(done(fateOf('fetched', { kind: 'list', list, links: 0 }, known), null, reportOf(outcome)));
}

/** A list that is here: the links it names, and the fate of its own URL. */
export async function readList(
  lease: Lease,
  task: ListTask,
  outcome: Extract<FetchOutcome, { kind: 'page' }>,
  lists: ListSource,
  parts: Parts,
): Promise<Visit> {
  const host = reportOf(outcome);
  const { status, startedAt } = outcome.page;
  const read = await lists.read(outcome.page, task.list);
  if (read.kind === 'failed') return settledAs(asNoVisit(failed(read.code, status, startedAt, host)));
  noteChanges(read.links, task.list, parts);
  const links = read.links.length + read.lists.length;
  const fate = fateOf('fetched', { kind: 'list', list: task.list, links }, { status, fetchedAt: startedAt, visited: false });
  const found = linksOfList(lease.entry, task, read, parts);
  return { settlement: done(fate, null, host), effects: found.map((discovery) => ({ kind: 'links', discovery })) };
}

/**
 * Requests a list again, for its new URLs and its dates. It has changed if it leads to a URL that was never discovered. The target of a redirect is a list of
 * its own.
 */
export async function visitListAgain(
  lease: Lease,
  { list: task }: Extract<RevisitTask, { of: 'list' }>,
  parts: Parts,
  signal: AbortSignal,
  progress: VisitProgress,
): Promise<Visit> {
  const { lists, frontier } = parts;
  const { url } = lease.entry;
  if (!lists) return settledAs(revisited(null, null, null));
  progress.at('list');
  const outcome = await lists.fetch(url, signal);
  emitFetched(url, outcome, parts);
  const host = reportOf(outcome);
  if ((outcome.kind === 'redirect' || outcome.kind === 'failed') && outcome.again) return settledAs({ kind: 'released', host });
  if (outcome.kind === 'redirect' || (outcome.kind === 'failed' && isAbsent(outcome))) {
    const gone = { at: beganAt(parts.clock, outcome.ms), status: outcome.status ?? 0, result: 'gone', version: null } as const;
    const isMoved = outcome.kind === 'redirect' && lists.mayBeList(outcome.to);
    const discovered = isMoved ? ofLists(discoverRedirectFrom({ ...lease.entry, task }, outcome.to, parts)) : null;
    return settledAs(revisited(gone, discovered, host));
  }
  if (outcome.kind !== 'page') return settledAs(revisited(null, null, isRequest(outcome) ? host : null));
  const { page } = outcome;
  const read = await lists.read(page, task.list);
  if (read.kind === 'failed') return settledAs(revisited(null, null, host));
  noteChanges(read.links, task.list, parts);
  const found = linksOfList(lease.entry, task, read, parts);
  const isNew = found.some(({ links }) => links.some((link) => !frontier.knows(link.url)));
  const revisit = { at: page.startedAt, status: page.status, result: isNew ? 'changed' : 'same', version: null } as const;
  return { settlement: revisited(revisit, null, host), effects: found.map((discovery) => ({ kind: 'links', discovery })) };
}

/** Tells the order of revisits when the pages of a list changed last, as the list states. */
function noteChanges(links: readonly ReadLink[], list: ListKind, { frontier }: Parts): void {
  for (const { url, modified } of links) if (modified !== undefined) frontier.hint(url, modified, list);
}

export function asNoVisit(settlement: Settlement): Settlement {
  return settlement.kind === 'done' ? { ...settlement, fate: { ...settlement.fate, visited: false } } : settlement;
}

/** Many sites redirect a missing file to their front page, which must not be taken for a list. */
function onlyToLists(settlement: Settlement, { mayBeList }: ListSource): Settlement {
  const leads =
    settlement.kind !== 'done' || settlement.discovered === null || settlement.discovered.links.every(({ url }) => mayBeList(url));
  return leads ? settlement : { ...settlement, discovered: null };
}

/** The target of a list's redirect is a list too: a scope is about pages. */
export function unscoped(settlement: Settlement): Settlement {
  if (settlement.kind !== 'done' || settlement.discovered === null) return settlement;
  return { ...settlement, discovered: ofLists(settlement.discovered) };
}

function ofLists(discovery: Discovery): Discovery {
  return { ...discovery, links: discovery.links.map((link) => (link.refusal === 'redirect-limit' ? link : { ...link, refusal: null })) };
}
