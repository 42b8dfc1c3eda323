/** How leases are settled: fates, retries and rests. */
import { FAILURE_POLICY, MAX_PAUSE } from '../core/failure-policy.ts';
import type { Parts, Settlement } from '../core/parts.ts';
import type { EpochMs, FailureCode, Fate, FetchOutcome, Lease, Ms } from '../core/types.ts';
import type { HostHealth } from './host-health.ts';
import { discoverRedirect } from './records.ts';

/** How often a URL waits for a robots.txt that cannot be had. The waits double, from a minute on: about a quarter of an hour in all. */
const ROBOTS_RETRIES = 4;

/** Refused for good; or put off, where the host's robots.txt could not be had and will be asked for again (RFC 9309 §2.3.1.4). */
export function deniedByRobots({ entry }: Lease, robots: Parts['robots']): Settlement {
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

export function failed(code: FailureCode, status: number | null, at: EpochMs, hostRest: Ms): Settlement {
  return { kind: 'done', fate: fateOf('failed', code, { status, fetchedAt: at }), discovered: null, hostRest };
}

/** A lease that ended; its host rests unless no request was made. */
export function done(fate: Fate, discovered: (Settlement & { kind: 'done' })['discovered']): Settlement {
  return { kind: 'done', fate, discovered, hostRest: fate.visited ? 0 : null };
}

/** A fate with what is known; a URL counts as visited when a response to it was timed. */
export function fateOf(state: Fate['state'], reason: string, known: Partial<Fate> = {}): Fate {
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
