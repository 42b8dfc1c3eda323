import type { EpochMs } from '../../base/core/types.ts';
import { HeapRooms, MaxHeap } from './heap.ts';
import type { HostState } from './hosts.ts';

/** Hosts of one address or of one registrable domain: they are asked one at a time, with the delay in between. */
export interface HostGroup {
  readonly index: number;
  /** One of its hosts is leased. */
  leased: boolean;
  restUntil: EpochMs;
  /** Hosts that only the group keeps waiting, by the priority of their best URL. It may contain stale items: see `HostGroups.unblock`. */
  readonly blocked: MaxHeap;
  /** Time at which the group is scheduled to wake; NaN if it is not scheduled. */
  wakeAt: EpochMs;
}

/** Every known group, and when those that keep hosts waiting are free again. */
export class HostGroups {
  readonly #byKey = new Map<string, HostGroup>();
  readonly #all: HostGroup[] = [];
  readonly #resting = new MaxHeap(new HeapRooms('times'));
  readonly #tie: 'oldest' | 'newest';
  readonly #rooms: HeapRooms;

  /** @param rooms for hosts by priority */
  constructor(tie: 'oldest' | 'newest', rooms: HeapRooms) {
    this.#tie = tie;
    this.#rooms = rooms;
  }

  get(key: string): HostGroup {
    const found = this.#byKey.get(key);
    if (found) return found;
    const fresh = { leased: false, restUntil: 0, blocked: new MaxHeap(this.#rooms, this.#tie), wakeAt: Number.NaN };
    const group: HostGroup = { ...fresh, index: this.#all.length };
    this.#byKey.set(key, group);
    this.#all.push(group);
    return group;
  }

  /** The first group that keeps a host waiting; null if none does. */
  blockerOf({ groups }: HostState, now: EpochMs): HostGroup | null {
    for (const group of groups) if (!isFree(group, now)) return group;
    return null;
  }

  /** Keeps a host that is otherwise ready until its group is free. */
  block(host: HostState, group: HostGroup): void {
    if (host.blockedBy === group && host.blockedUnder === host.queue.topKey) return;
    this.putBack(host, group);
    this.schedule(group);
  }

  /** Puts a host back into a group that is being woken, while its best host is not yet found. */
  putBack(host: HostState, group: HostGroup): void {
    host.blockedBy = group;
    host.blockedUnder = host.queue.topKey;
    group.blocked.push(host.queue.topKey, host.index);
  }

  /** Takes the best host out of a group's waiting room; null if it is empty. */
  unblock(group: HostGroup, hostAt: (index: number) => HostState | undefined): HostState | null {
    while (group.blocked.size > 0) {
      const key = group.blocked.topKey;
      const host = hostAt(group.blocked.pop());
      if (host?.blockedBy !== group || host.blockedUnder !== key) continue;
      host.blockedBy = null;
      return host;
    }
    return null;
  }

  /** Schedules a group with waiting hosts to wake when its rest is over. A leased group is scheduled when the lease ends. */
  schedule(group: HostGroup): void {
    if (group.leased || group.blocked.size === 0 || group.wakeAt === group.restUntil) return;
    group.wakeAt = group.restUntil;
    this.#resting.push(-group.restUntil, group.index);
  }

  /** Groups whose rest is over, each once. */
  *woken(now: EpochMs): Generator<HostGroup> {
    while (this.#resting.size > 0 && -this.#resting.topKey <= now) {
      const at = -this.#resting.topKey;
      const group = this.#all[this.#resting.pop()];
      if (!group || group.wakeAt !== at) continue;
      group.wakeAt = Number.NaN;
      yield group;
    }
  }

  /** Time at which the next group wakes; Infinity if none is scheduled. */
  get nextWake(): EpochMs {
    return -this.#resting.topKey;
  }

  /** Is there a group for which `willDo` is true, that wakes by `until` and is not free yet? */
  someResting(until: EpochMs, now: EpochMs, willDo: (group: HostGroup) => boolean): boolean {
    return this.#resting.some(-until, (index) => {
      const group = this.#all[index];
      return group !== undefined && !group.leased && group.restUntil > now && willDo(group);
    });
  }

  /** No host waits for any group any more; the caller places the hosts again. */
  clear(): void {
    this.#resting.clear();
    for (const group of this.#all) {
      group.blocked.clear();
      group.wakeAt = Number.NaN;
    }
  }
}

export function isFree(group: HostGroup, now: EpochMs): boolean {
  return !group.leased && group.restUntil <= now;
}
