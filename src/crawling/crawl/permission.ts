/** Decides whether a leased URL may be requested now. */
import type { Settlement } from '../../base/core/parts/queueing.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { HostKey, Lease, Ms, RefusalReason, Task } from '../../base/core/types.ts';
import { seedRefusal, unlessName } from './page-records.ts';
import type { VisitProgress } from './running.ts';
import { deniedByRobots, done, fateOf, revisited, settledAs, type Visit } from './settlements.ts';

/** A longer Crawl-delay is cut to this: five minutes are 288 pages a day. Of 2,111 real files, one asks for more. */
export const MAX_CRAWL_DELAY: Ms = 300_000;

/**
 * The settlement of a lease whose URL must not be requested; null if it may be. If the host's robots.txt is not cached, loading it is the
 * one request of the lease.
 */
export async function whyNotAsked(lease: Lease, parts: Parts, signal: AbortSignal, progress: VisitProgress): Promise<Visit | null> {
  const { robots } = parts;
  const refusal = refusalOf(lease, parts);
  if (refusal) return refused(lease, done(fateOf('refused', refusal), null, null));
  if (!(await mayBeAskedNow(lease, parts))) return NOT_NOW;
  const verdict = robots.verdict(lease.entry.url);
  if (verdict === 'unknown') {
    if (!(await hasTurn(lease, parts))) return NOT_NOW;
    progress.at('robots');
    return loadRobots(lease, parts, signal);
  }
  slowDown(lease.entry.host, parts);
  return verdict === 'deny' ? refused(lease, deniedByRobots(lease, robots)) : null;
}

const NOT_NOW: Visit = settledAs({ kind: 'released', host: null });

/** A kept page stays kept, even if a rule now forbids the request. */
function refused({ entry: { task } }: Lease, settlement: Settlement): Visit {
  return settledAs(task.kind === 'revisit' ? revisited(null, null, null) : settlement);
}

/** A scope is about pages. A crawl that does not request a kind of file requests none of it. */
function refusalOf({ entry: { url, task, edge } }: Lease, parts: Parts): RefusalReason | null {
  const { scope, reservations, hostPolicy } = parts;
  if (hostPolicy?.optedOut(url)) return 'opt-out';
  if (hostPolicy?.withdrawn?.(url)) return 'withdrawn';
  switch (task.kind) {
    case 'page':
    case 'alternate':
      return edge === null ? seedRefusal(url, parts) : unlessName(scope.refuses(url));
    case 'revisit':
      return task.of === 'list' ? listRefusal(task.list, parts) : unlessName(scope.refuses(url));
    case 'list':
      return listRefusal(task, parts);
    case 'reservations':
      return reservations ? null : 'content-type';
  }
}

/** A list that another list names may belong to a seed. */
function listRefusal({ level }: Extract<Task, { kind: 'list' }>, { lists, followsLists }: Parts): RefusalReason | null {
  return lists && (followsLists !== 'never' || level > 0) ? null : 'no-sitemaps';
}

/**
 * The groups of a host follow from its address, so its first lease supplies them. While they rest, no request is made; without an address, none is
 * possible.
 */
async function mayBeAskedNow(lease: Lease, { frontier, hostPolicy }: Parts): Promise<boolean> {
  const { host } = lease.entry;
  const groups = lease.joined || !hostPolicy ? null : await hostPolicy.groupsOf(host);
  if (groups !== null && !frontier.join(lease, groups)) return false;
  return (await hostPolicy?.acquire?.(host)) ?? true;
}

/** True if the robots.txt of the host may be asked now. Where it redirects to another host, the clocks of that host decide. */
async function hasTurn(lease: Lease, { frontier, hostPolicy, robots }: Parts): Promise<boolean> {
  const { host, url } = lease.entry;
  const asked = robots.asks?.(host) ?? host;
  if (asked === host) return true;
  const groups = (await hostPolicy?.groupsOf(asked)) ?? null;
  // Meanwhile the answer to another lease may have told it.
  if (robots.verdict(url) !== 'unknown' || robots.asks?.(host) !== asked) return false;
  return frontier.turnTo(lease, asked, groups);
}

/** Loads a robots.txt. Its answer joins the commit that gives the lease back. */
async function loadRobots({ entry: { host, url } }: Lease, parts: Parts, signal: AbortSignal): Promise<Visit> {
  const { clock, emit, robots } = parts;
  const startedAt = clock.now();
  const asked = robots.asks?.(host) ?? host;
  const { crawlDelay, answer } = await robots.load(host, signal);
  slowDown(host, parts, crawlDelay);
  if (asked !== host) slowDown(asked, parts);
  const ms = clock.now() - startedAt;
  emit({ type: 'robots', at: clock.now(), url, ms });
  return { settlement: { kind: 'released', host: { ms, sign: 'unclear', retryAfter: null } }, effects: answer ? [answer] : [] };
}

/** Sets the Crawl-delay of a host. Its rules may have come with a lease of another host. */
function slowDown(host: HostKey, { frontier, robots }: Parts, crawlDelay = robots.crawlDelay?.(host) ?? null): void {
  if (crawlDelay !== null) frontier.setHostDelay(host, Math.min(crawlDelay, MAX_CRAWL_DELAY));
}
