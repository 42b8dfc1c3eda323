import { LONGEST_WAIT } from '../../base/core/failure-policy.ts';
import type { EpochMs } from '../../base/core/types.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { FrontierParts } from './frontier-parts.ts';
import { type HostHealth, healthRestored } from './host-health.ts';
import type { HostState } from './hosts.ts';
import { afterRest } from './rest.ts';
import type { SettledCounts } from './settled-counts.ts';
import { StepReader } from './step-reader.ts';
import type { StoredFate, StoredRetry } from './store.ts';
import type { WaitingCounts } from './waiting.ts';

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
 */
export function replay(parts: FrontierParts, settlements: SettledCounts, now: EpochMs, use: 'read' | 'write'): void {
  const { store, hosts, queue } = parts;
  const checkpoint = store.checkpoint();
  const reader = new StepReader(parts, settlements, now);
  if (checkpoint === null || !restored(parts, settlements, reader, now, checkpoint)) {
    for (const { key, entry } of store.steps()) reader.repeat(entry, entry.kind === 'discovery' ? store.priorities(key) : null);
    reader.finish();
  }
  if (use === 'read') return;
  for (const host of hosts.all()) host.restUntil = afterRest(now, host.delay);
  queue.rebuild(now);
}

/** Takes the columns from a checkpoint. O(URLs), a tenth of a replay. @returns false if it lacks some */
function restored(
  parts: FrontierParts,
  settlements: SettledCounts,
  reader: StepReader,
  now: EpochMs,
  { columns, facts }: Checkpoint,
): boolean {
  const { store, urls, hosts, waiting, sightings, guard } = parts;
  if (guard?.restore(columns) === false) return false;
  urls.restore(columns);
  hosts.restore(columns);
  waiting.restore();
  sightings.stated.restore(columns);
  const { discoveries = 0, settled = 0, visited = 0, earlierVisits = 0, reopened = 0 } = facts;
  sightings.discoveries = discoveries;
  settlements.restore({ settled, visited, earlierVisits, reopened });
  for (const [slot, retry] of store.retries()) reader.delay(slot, retry);
  for (const [index, health] of store.hosts()) restoreHealth(waiting, hosts.known(index), health, now);
  return true;
}

/** A host has the health of its last step; its backoff may have ended since. */
export function restoreHealth(waiting: WaitingCounts, host: HostState, health: HostHealth, now: EpochMs): void {
  waiting.change(host, () => {
    host.health = healthRestored(health, now);
  });
}

/** The state of a frontier at rest: nothing is leased, and everything is committed. */
export function checkpointOf({ urls, hosts, sightings, guard }: FrontierParts, replayed: Replayed): Checkpoint {
  const facts = { discoveries: sightings.discoveries, ...replayed };
  return { facts, columns: { ...urls.columns(), ...hosts.columns(), ...sightings.stated.columns(), ...guard?.columns() } };
}

/** Number of visits to a URL before the one that gave it its fate. */
export function visitsBefore({ reopened, visitsBefore = reopened ? 1 : 0 }: StoredFate): number {
  return visitsBefore;
}

/** A stored wait, corrected at `now`: when it was written, the clock may have been ahead. */
export function notBeforeRestored({ notBefore, pause = LONGEST_WAIT }: StoredRetry, now: EpochMs): EpochMs {
  return Math.min(notBefore, now + pause);
}
