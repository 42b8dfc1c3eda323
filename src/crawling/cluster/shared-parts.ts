/** The parts of a crawl as one of several workers: each is that of a crawl on one machine, which also asks the session. */
import type { LeaseSource } from '../../base/core/parts/queueing.ts';
import type { HostPolicy, Parts } from '../../base/core/parts.ts';
import type { SharedSession } from './shared-session.ts';

/** Decorates leases, budget, lessons and host policy. @param parts those of a crawl on one machine */
export function sharedParts(parts: Parts, session: SharedSession): Parts {
  const { budget, lessons } = session;
  return {
    ...parts,
    budget,
    lessons,
    leases: sharedLeases(parts.frontier, session),
    hostPolicy: sharedHostPolicy(parts.hostPolicy, session),
  };
}

/** A worker also waits while others have clearly better URLs, and while they have the rest of the crawl. Its state is for their next look. */
function sharedLeases(
  frontier: LeaseSource,
  session: Pick<SharedSession, 'elsewhere' | 'inFlight' | 'isDrained' | 'reportState'>,
): LeaseSource {
  return {
    next(what, patience) {
      const { elsewhere } = session;
      const next = frontier.next(what, patience && elsewhere !== null ? { ...patience, elsewhere } : patience);
      const isIdle = next.kind === 'drained' && session.inFlight === 0;
      session.reportState(isIdle ? 'idle' : next.kind === 'wait' && next.outbid ? 'outbid' : 'busy');
      return isIdle && !session.isDrained ? { kind: 'wait', until: Number.POSITIVE_INFINITY, outbid: true } : next;
    },
  };
}

/** Hosts of one address that several workers have are asked one after the other. */
function sharedHostPolicy(
  own: HostPolicy | null,
  session: Pick<SharedSession, 'setGroups' | 'acquireAddress' | 'releaseAddress' | 'mayAsk'>,
): HostPolicy {
  return {
    optedOut: (url) => own?.optedOut(url) ?? false,
    withdrawn: (url) => own?.withdrawn?.(url) ?? false,
    groupsOf: async (host) => {
      const groups = (await own?.groupsOf(host)) ?? null;
      if (groups !== null) await session.setGroups(host, groups);
      return groups;
    },
    acquire: async (host) => {
      await session.acquireAddress(host);
      return session.mayAsk;
    },
    release: (host) => session.releaseAddress(host),
  };
}
