/** One sitemap or feed, from lease to what it leads to. */
import { InvariantError } from '../core/errors.ts';
import type { Settlement } from '../core/parts/queueing.ts';
import type { Parts } from '../core/parts.ts';
import type { Discovery, Lease, ListKind, ListMark } from '../core/types.ts';
import { emitFetched } from './events.ts';
import { linksOfList } from './lists.ts';
import { done, failed, fateOf, reportOf, settlementFor } from './settlements.ts';

/** How to settle the lease, and what is to be discovered besides. */
export interface ListVisit {
  readonly settlement: Settlement;
  readonly more: readonly Discovery[];
}

/** Fetch and read a list that robots.txt allows. Its fate is `fetched`: it is no page, and says nothing of the link that led to it. */
export async function visitList(
  lease: Lease,
  list: ListMark & { readonly kind: ListKind },
  parts: Parts,
  signal: AbortSignal,
): Promise<ListVisit> {
  const { lists } = parts;
  if (!lists) throw new InvariantError(`${lease.entry.url}: a list is leased in a crawl that follows none`);
  const outcome = await lists.fetch(lease.entry.url, signal);
  emitFetched(lease.entry.url, outcome, parts);
  if (outcome.kind !== 'page') return without(unscoped(settlementFor(outcome, lease, parts)));
  const host = reportOf(outcome);
  const { status, startedAt } = outcome.page;
  const read = await lists.read(outcome.page, list.kind);
  if (read.kind === 'failed') return without(failed(read.code, status, startedAt, host));
  const count = read.links.length + read.lists.length;
  const fate = fateOf('fetched', `${list.kind}:${count}`, { status, fetchedAt: startedAt });
  return { settlement: done(fate, null, host), more: linksOfList(lease.entry, list, read, parts) };
}

function without(settlement: Settlement): ListVisit {
  return { settlement, more: [] };
}

/** The target of a list's redirect is a list: no page that a scope could be about. */
export function unscoped(settlement: Settlement): Settlement {
  if (settlement.kind !== 'done' || settlement.discovered === null) return settlement;
  const { discovered } = settlement;
  const links = discovered.links.map((link) => (link.refusal === 'redirect-limit' ? link : { ...link, refusal: null }));
  return { ...settlement, discovered: { ...discovered, links } };
}
