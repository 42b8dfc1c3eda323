import { LONGEST_WAIT } from '../core/failure-policy.ts';
import type { EpochMs, Fate } from '../core/types.ts';
import type { EntryReader } from './entry-reader.ts';
import { healthRestored } from './host-health.ts';
import type { HostState, HostTable } from './hosts.ts';
import type { PoliteQueue } from './polite-queue.ts';
import { afterRest } from './rest.ts';
import type { Sightings } from './sightings.ts';
import type { FrontierStore, StoredFate, StoredRetry } from './store.ts';
import type { TrapGuard } from './trap-guard.ts';
import type { Slot, UrlTable } from './url-table.ts';
import type { Waiting } from './waiting.ts';

/** What a frontier is made of. */
export interface FrontierParts {
  readonly store: FrontierStore;
  readonly urls: UrlTable;
  readonly hosts: HostTable;
  readonly queue: PoliteQueue;
  readonly waiting: Waiting;
  readonly reader: EntryReader;
  readonly sightings: Sightings;
  /** null where nothing is parked by its pattern. */
  readonly guard: TrapGuard | null;
}

/** What was settled before. */
export interface Replayed {
  /** Settlements. */
  readonly settled: number;
  /** Visits to URLs that wait for another, or had one since. */
  readonly earlierVisits: number;
  /** Pages that wait for another. */
  readonly reopened: number;
}

/**
 * Bring the columns to where the store's last commit left them, by the same steps as when it was written.
 * Every host rests its delay first: the last request before a crash may have been a moment ago.
 * @param use `read`: nothing will be leased, so no queue is built
 * @param mark notes how a URL ended
 */
export function replay(
  parts: FrontierParts,
  now: EpochMs,
  use: 'read' | 'write',
  mark: (slot: Slot, host: HostState, fate: Fate) => void,
): Replayed {
  const { store, urls, hosts, queue, waiting, reader, sightings, guard } = parts;
  const hostOf = (slot: Slot) => hosts.known(urls.hostOf(slot));
  let [settled, earlierVisits, again] = [0, 0, 0];
  if (!sightings.replay()) return { settled, earlierVisits, reopened: again };
  for (const [slot, stored] of store.fates()) {
    settled = Math.max(settled, stored.order);
    earlierVisits += visitsBefore(stored);
    const reopened = store.reopened(slot);
    if (reopened !== null) {
      earlierVisits += 1;
      again += 1;
      urls.reopen(slot, reopened);
      continue;
    }
    if (urls.state(slot) === 'queued') {
      waiting.count(hostOf(slot), -1);
      waiting.countEdge(slot, -1);
    }
    mark(slot, hostOf(slot), stored.fate);
  }
  for (const [slot, retry] of store.retries()) {
    const notBefore = notBeforeRestored(retry, now);
    urls.retry(slot, retry.attempts);
    if (use === 'write' && urls.state(slot) === 'queued' && notBefore > now) queue.offerLater(slot, notBefore);
  }
  for (const [index, health] of store.hosts()) {
    const host = hosts.known(index);
    waiting.change(host, () => {
      host.health = healthRestored(health, now);
    });
  }
  guard?.replay(reader.settled(), store.unparkings());
  if (use === 'write') {
    for (const host of hosts.all()) host.restUntil = afterRest(now, host.delay);
    queue.rebuild(now);
  }
  return { settled, earlierVisits, reopened: again };
}

/** Visits to a URL before the one that gave it its fate. */
export function visitsBefore({ reopened, visitsBefore = reopened ? 1 : 0 }: StoredFate): number {
  return visitsBefore;
}

/** As a stored wait counts at `now`: the clock may have been ahead when it was written, and have been set right since. */
function notBeforeRestored({ notBefore, pause = LONGEST_WAIT }: StoredRetry, now: EpochMs): EpochMs {
  return Math.min(notBefore, now + pause);
}
