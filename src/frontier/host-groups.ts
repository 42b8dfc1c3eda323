import type { EpochMs } from '../core/types.ts';
import { MaxHeap } from './heap.ts';
import type { HostState } from './hosts.ts';

/** Hosts that are asked one at a time, with the delay between: those of one address, or of one registrable domain. */
export interface HostGroup {
  readonly index: number;
  /** One of its hosts is leased. */
  leased: boolean;
  restUntil: EpochMs;
  /** Hosts that could be asked but for the group, by the priority of their best URL. May hold stale items: see `HostGroups.unblock`. */
  readonly blocked: MaxHeap;
  /** When it stands to be woken; NaN when it does not. */
  wakeAt: EpochMs;
}

/** Every group met, and when those that keep hosts waiting are free again. */
export class HostGroups {
  readonly #byKey = new Map<string, HostGroup>();
  readonly #all: HostGroup[] = [];
  readonly #resting = new MaxHeap();
  readonly #tie: 'oldest' | 'newest';

  constructor(tie: 'oldest' | 'newest') {
    this.#tie = tie;
  }

  get(key: string): HostGroup {
    const found = this.#byKey.get(key);
    if (found) return found;
    const fresh = { leased: false, restUntil: 0, blocked: new MaxHeap(this.#tie), wakeAt: Number.NaN };
    const group: HostGroup = { ...fresh, index: this.#all.length };
    this.#byKey.set(key, group);
    this.#all.push(group);
    return group;
  }

  /** The first group of a host that keeps it waiting; null where none does. */
  blockerOf({ groups }: HostState, now: EpochMs): HostGroup | null {
    return groups.find((group) => !isFree(group, now)) ?? null;
  }

  /** Keep a host that could be asked until its group is free. */
  block(host: HostState, group: HostGroup): void {
    if (host.blockedBy === group && host.blockedUnder === host.queue.topKey) return;
    this.putBack(host, group);
    this.schedule(group);
  }

  /** Of a group that is being woken: its best host is still to be found. */
  putBack(host: HostState, group: HostGroup): void {
    host.blockedBy = group;
    host.blockedUnder = host.queue.topKey;
    group.blocked.push(host.queue.topKey, host.index);
  }

  /** Take the best host out of a group's waiting room; -1 when it is empty. */
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

  /** See to it that a group with hosts waiting is woken when its rest is over. One that is leased is scheduled when the lease ends. */
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

  /** When the next of them is to be woken; Infinity when none is. */
  get nextWake(): EpochMs {
    return -this.#resting.topKey;
  }

  /** Some group that will be woken until `until`, is not free yet, and will do. */
  someResting(until: EpochMs, now: EpochMs, willDo: (group: HostGroup) => boolean): boolean {
    return this.#resting.some(-until, (index) => {
      const group = this.#all[index];
      return group !== undefined && !group.leased && group.restUntil > now && willDo(group);
    });
  }

  /** No host waits for any group; where they stand is found anew. */
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
