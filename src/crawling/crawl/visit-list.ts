/** One sitemap or feed, from lease to its links. */
import { InvariantError } from '../../base/core/errors.ts';
import type { Settlement } from '../../base/core/parts/queueing.ts';
import type { ListSource } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { FetchOutcome, Lease, Task } from '../../base/core/types.ts';
import { emitFetched } from './events.ts';
import { linksOfList } from './lists.ts';
import type { VisitProgress } from './running.ts';
import { done, failed, fateOf, reportOf, settledAs, settlementFor, type Visit } from './settlements.ts';

/** Fetches and reads a list that robots.txt allows. Its fate is `fetched`: it is not a page, and says nothing about the link that led to it. */
export async function visitList(
  lease: Lease,
  task: Extract<Task, { kind: 'list' }>,
  parts: Parts,
  signal: AbortSignal,
  progress: VisitProgress,
): Promise<Visit> {
  const { lists } = parts;
  if (!lists) throw new InvariantError(`${lease.entry.url}: a list is leased in a crawl that follows none`);
  progress.at('list');
  const outcome = await lists.fetch(lease.entry.url, signal);
  emitFetched(lease.entry.url, outcome, parts);
  if (outcome.kind !== 'page') return settledAs(unscoped(settlementFor(outcome, lease, parts)));
  return readList(lease, task, outcome, lists, parts);
}

/** A list that is here: the links it names, and the fate of its own URL. */
export async function readList(
  lease: Lease,
  task: Extract<Task, { kind: 'list' }>,
  outcome: Extract<FetchOutcome, { kind: 'page' }>,
  lists: ListSource,
  parts: Parts,
): Promise<Visit> {
  const host = reportOf(outcome);
  const { status, startedAt } = outcome.page;
  const read = await lists.read(outcome.page, task.list);
  if (read.kind === 'failed') return settledAs(failed(read.code, status, startedAt, host));
  const links = read.links.length + read.lists.length;
  const fate = fateOf('fetched', { kind: 'list', list: task.list, links }, { status, fetchedAt: startedAt });
  const found = linksOfList(lease.entry, task, read, parts);
  return { settlement: done(fate, null, host), effects: found.map((discovery) => ({ kind: 'links', discovery })) };
}

/** The target of a list's redirect is a list too: a scope is about pages. */
export function unscoped(settlement: Settlement): Settlement {
  if (settlement.kind !== 'done' || settlement.discovered === null) return settlement;
  const { discovered } = settlement;
  const links = discovered.links.map((link) => (link.refusal === 'redirect-limit' ? link : { ...link, refusal: null }));
  return { ...settlement, discovered: { ...discovered, links } };
}
