import { LONGEST_WAIT } from '../../base/core/failure-policy.ts';
import type { EpochMs, Fate } from '../../base/core/types.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { FrontierParts } from './frontier-parts.ts';
import { healthRestored } from './host-health.ts';
import type { HostState } from './hosts.ts';
import { afterRest } from './rest.ts';
import type { StoredFate, StoredRetry } from './store.ts';
import type { Slot } from './url-table.ts';

/** The state of earlier settlements. */
export interface Replayed {
  /** Number of settlements. */
  readonly settled: number;
  /** Number of settled URLs that were requested. */
  readonly visited: number;
  /** Earlier visits to URLs that wait for another visit, or had one since. */
  readonly earlierVisits: number;
  /** Number of pages that wait for another visit. */
  readonly reopened: number;
}

/**
 * Restores the state of the store's last commit. Every host first rests its delay: the last request before a crash may have been a moment ago.
 * @param use `read`: nothing will be leased, so no queue is built
 * @param mark notes how a URL ended
 */
export function replay(
  parts: FrontierParts,
  now: EpochMs,
  use: 'read' | 'write',
  mark: (slot: Slot, host: HostState, fate: Fate) => void,
): Replayed {
  const { store, urls, hosts, queue, waiting, reader, guard } = parts;
  const checkpoint = store.checkpoint();
  const replayed = checkpoint === null ? replayedColumns(parts, mark) : restored(parts, checkpoint);
  for (const [slot, retry] of store.retries()) {
    const notBefore = notBeforeRestored(retry, now);
    urls.retry(slot, retry.attempts);
    if (use === 'write' && urls.state(slot) === 'waiting' && notBefore > now) queue.offerLater(slot, notBefore);
  }
  for (const [index, health] of store.hosts()) {
    const host = hosts.known(index);
    waiting.change(host, () => {
      host.health = healthRestored(health, now);
    });
  }
  const isGuarded = checkpoint !== null && guard?.restore(checkpoint.columns);
  if (!isGuarded) guard?.replay(reader.settled(), store.unparkings());
  if (use === 'write') {
    for (const host of hosts.all()) host.restUntil = afterRest(now, host.delay);
    queue.rebuild(now);
  }
  return replayed;
}

/** Repeats the steps that first made the columns. O(discovered links). */
function replayedColumns(parts: FrontierParts, mark: (slot: Slot, host: HostState, fate: Fate) => void): Replayed {
  const { store, urls, hosts, waiting, sightings } = parts;
  const hostOf = (slot: Slot) => hosts.known(urls.hostOf(slot));
  let [settled, visited, earlierVisits, again] = [0, 0, 0, 0];
  sightings.replay();
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
    if (urls.state(slot) === 'waiting') {
      waiting.count(hostOf(slot), -1);
      waiting.countEdge(slot, -1);
    }
    mark(slot, hostOf(slot), stored.fate);
    visited += Number(stored.fate.visited);
  }
  return { settled, visited, earlierVisits, reopened: again };
}

/** Takes the columns from a checkpoint. O(URLs), a tenth of a replay. */
function restored({ urls, hosts, waiting, sightings }: FrontierParts, { columns, facts }: Checkpoint): Replayed {
  urls.restore(columns);
  hosts.restore(columns);
  waiting.restore();
  const { discoveries = 0, settled = 0, visited = 0, earlierVisits = 0, reopened = 0 } = facts;
  sightings.discoveries = discoveries;
  return { settled, visited, earlierVisits, reopened };
}

/** The state of a frontier at rest: nothing is leased, and everything is committed. */
export function checkpointOf({ urls, hosts, sightings, guard }: FrontierParts, replayed: Replayed): Checkpoint {
  const facts = { discoveries: sightings.discoveries, ...replayed };
  return { facts, columns: { ...urls.columns(), ...hosts.columns(), ...guard?.columns() } };
}

/** Number of visits to a URL before the one that gave it its fate. */
export function visitsBefore({ reopened, visitsBefore = reopened ? 1 : 0 }: StoredFate): number {
  return visitsBefore;
}

/** A stored wait, corrected at `now`: when it was written, the clock may have been ahead. */
export function notBeforeRestored({ notBefore, pause = LONGEST_WAIT }: StoredRetry, now: EpochMs): EpochMs {
  return Math.min(notBefore, now + pause);
}
