import type { EpochMs, Ms, Patience, Unit } from '../../base/core/types.ts';
import { HeapRooms, MaxHeap } from './heap.ts';
import { type HostGroup, type HostGroups, isFree } from './host-groups.ts';
import { type HostState, type HostTable, restOf } from './hosts.ts';
import { type Lane, laneOf } from './lanes.ts';
import { CLOCK_TICK } from './rest.ts';
import type { Slot, UrlTable } from './url-table.ts';

export interface Politeness {
  /** Most pages visited on one host; Infinity for no limit. */
  readonly maxPagesPerHost: number;
}

/**
 * Advantage that the awaited URL must have: a difference of priorities, or a factor and a small difference. Chosen on the split `dev` of
 * `npm run bench -- patience --seeds 2 --delays 1000` and of `npm run bench -- machines-focus --topics portals --web DIR --seeds 1`. On the
 * webs of the former, with the difference alone, 421 of 500 visits were on topic in 287 s, as a mean; at .1 it was 435 in 306; at .05, 443
 * in 325; at .25, 371 in 253; a share of the better priority alone, of four fifths, 421 in 293. With both it is 427 in 293. Where all
 * priorities are low, the factor matters: of the first half of the visits for the portals' mathematics, .70 were on topic in 696 s, with
 * the difference alone .46 in 266 s. With a factor of 1.5 it was .70 in 773 s, and less for another subject.
 */
const BETTER = { by: 0.15, times: 2, atLeast: 0.02 } as const;

/** The lowest priority that is clearly better than another one. */
function clearlyBetter(priority: Unit): Unit {
  return Math.min(priority + BETTER.by, Math.max(priority * BETTER.times, priority + BETTER.atLeast));
}

/** Have other workers a clearly better URL? */
export function isOutbid(priority: Unit, elsewhere: Unit | null): boolean {
  return elsewhere !== null && elsewhere >= clearlyBetter(priority);
}

type Taken = { readonly slot: Slot } | { readonly until: EpochMs; readonly outbid?: true };

/**
 * Most resting hosts that each lease examines, among those whose rest ends within the patience: some 70 µs of `npm run bench -- frontier` with 500 of
 * them. A crawl with 16 parallel requests has some hundred at a delay of a second. With more, the others are as good.
 */
const LOOKED_AT = 512;

const NO_PATIENCE: Patience = { longest: 0, pace: 0 };

/** A queue is cleared of stale items when most of it is stale, and the stale items outnumber the links of a page. */
const STALE_AT_LEAST = 64;

/**
 * Finds the best waiting URL of a host that is rested and not leased, and whose groups are too. Hosts are in one of two heaps: `ready` by the
 * priority of their best URL, or `resting` by the time they may be asked. A host that only a group keeps waiting is in that group's own heap. The
 * best of these goes to `ready` when the group is free, and the next one whenever that one leaves. Items in all heaps may be stale (a priority rose,
 * a host was leased since). Each is checked when it reaches the top.
 */
export class PoliteQueue {
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #groups: HostGroups;
  readonly #options: Politeness;
  /** Items of all heaps by priority. */
  readonly #rooms: HeapRooms;
  readonly #ready: MaxHeap;
  readonly #resting: MaxHeap;
  /** Leased hosts, each with the time of its lease. */
  readonly #leased = new Map<HostState, EpochMs>();
  /** Leased hosts that are awaited. Used again for each lease. */
  readonly #awaited: HostState[] = [];
  /** Retries that may not start yet, by time, and as a set. */
  readonly #delayed: MaxHeap;
  readonly #tooEarly = new Set<Slot>();

  /** @param rooms those of `hosts` and `groups` too */
  constructor(urls: UrlTable, hosts: HostTable, groups: HostGroups, options: Politeness, tie: 'oldest' | 'newest', rooms: HeapRooms) {
    this.#urls = urls;
    this.#hosts = hosts;
    this.#groups = groups;
    this.#options = options;
    this.#rooms = rooms;
    this.#ready = new MaxHeap(rooms, tie);
    const times = new HeapRooms('times');
    this.#resting = new MaxHeap(times);
    this.#delayed = new MaxHeap(times);
  }

  /** A URL started to wait, or its priority rose. O(log n). */
  offer(slot: Slot, now: EpochMs): void {
    if (this.#tooEarly.has(slot)) return;
    const host = this.#hostOf(slot);
    const before = host.queue.topKey;
    const key = this.#urls.keyOf(slot);
    host.queue.push(key, slot);
    if (key > before || host.queue.topItem === slot) this.place(host, now);
  }

  /**
   * Priorities of waiting URLs changed. O(log n) each. Items with the old keys are dropped when they reach the top, or when the host's queue is next
   * cleared.
   */
  reorder(slots: readonly Slot[], now: EpochMs): void {
    for (const slot of slots) {
      if (this.#urls.isAside(slot)) continue;
      this.offer(slot, now);
      const { queue, waiting } = this.#hostOf(slot);
      if (queue.size > 2 * waiting + STALE_AT_LEAST) queue.keep((key, item) => this.#isWaiting(item, key));
    }
  }

  /** A URL may be requested again, but not before a given time. */
  offerLater(slot: Slot, notBefore: EpochMs): void {
    this.#tooEarly.add(slot);
    this.#delayed.push(-notBefore, slot);
  }

  /** A host was leased. It stays leased until it is placed again. */
  hold(host: HostState, now: EpochMs): void {
    this.#leased.set(host, now);
  }

  /** Puts a host where its clocks require. Called when it is settled, or when its best URL changed. */
  place(host: HostState, now: EpochMs): void {
    if (host.leased) return;
    this.#leased.delete(host);
    if (host.queue.size === 0 || this.isSkipped(host)) return;
    const rest = restOf(host);
    const blocker = rest > now ? null : this.#groups.blockerOf(host, now);
    if (rest > now) {
      if (host.restingUntil === rest) return;
      host.restingUntil = rest;
      this.#resting.push(-rest, host.index);
    } else if (blocker) this.#groups.block(host, blocker);
    else if (host.readyUnder !== host.queue.topKey) {
      host.readyUnder = host.queue.topKey;
      this.#ready.push(host.queue.topKey, host.index);
    }
  }

  isFull(host: HostState): boolean {
    return host.visits >= this.#options.maxPagesPerHost;
  }

  /** Does the crawl request nothing from it, although it waits? Due pages come first, so a full host is asked only for those. */
  isSkipped(host: HostState): boolean {
    return (this.isFull(host) && host.due === 0) || host.health.givenUp || host.away;
  }

  /**
   * Takes the best URL that may be requested now. Otherwise returns when to look again: Infinity if only a settlement can change anything, or other workers
   * have clearly better URLs (`outbid`).
   * @param only only URLs of this lane; null: of any
   */
  take(now: EpochMs, only: Lane | null = null, patience: Patience = NO_PATIENCE): Taken {
    this.#wake(now);
    const host = this.#bestReady(now);
    if (!host || (only !== null && laneOf(host.queue.topKey) !== only)) return { until: this.#nextWake };
    const key = host.queue.topKey;
    const awaited = this.#worthWaitingFor(clearlyBetter(key), now, patience);
    if (awaited !== null) return { until: Math.min(awaited, this.#nextWake) };
    const isOfBudget = patience.longest > 0 && patience.pace === Number.POSITIVE_INFINITY;
    if (isOfBudget && isOutbid(key, patience.elsewhere ?? null)) return { until: this.#nextWake, outbid: true };
    const slot = host.queue.pop();
    this.#popReady(now);
    return { slot };
  }

  /** Is the best URL that may be requested now of this lane? */
  hasReady(lane: Lane, now: EpochMs): boolean {
    this.#wake(now);
    const host = this.#bestReady(now);
    return host !== null && laneOf(host.queue.topKey) === lane;
  }

  /**
   * The highest priority of a URL whose host and groups may be asked within a time, or are leased; null if there is none. Of more resting hosts than a lease
   * examines, the rest does not count.
   */
  best(now: EpochMs, within: Ms): Unit | null {
    this.#wake(now);
    let best = Number.NEGATIVE_INFINITY;
    const see = (key: number) => {
      if (laneOf(key) === 'waiting') best = Math.max(best, key);
    };
    const seeHost = (host: HostState) => {
      if (!this.isSkipped(host) && this.#best(host) >= 0) see(host.queue.topKey);
    };
    const ready = this.#bestReady(now);
    if (ready) see(ready.queue.topKey);
    for (const host of this.#leased.keys()) {
      seeHost(host);
      for (const group of host.groups) see(this.#bestBlocked(group));
    }
    let left = LOOKED_AT;
    this.#resting.some(-(now + within), (index) => {
      seeHost(this.#hosts.known(index));
      return --left === 0;
    });
    this.#groups.someResting(now + within, now, (group) => {
      see(this.#bestBlocked(group));
      return false;
    });
    return best === Number.NEGATIVE_INFINITY ? null : best;
  }

  /** Time at which something that rests may be requested again; Infinity if nothing rests. */
  get #nextWake(): EpochMs {
    return Math.min(-this.#resting.topKey, -this.#delayed.topKey, this.#groups.nextWake);
  }

  /** May a URL be requested now, regardless of its priority? */
  isFree(slot: Slot, now: EpochMs): boolean {
    if (this.#urls.state(slot) !== 'waiting' || this.#urls.isAside(slot) || this.#tooEarly.has(slot)) return false;
    const host = this.#hostOf(slot);
    return !this.isFull(host) && this.#mayBeAsked(host, now);
  }

  /** Rebuilds every host's queue: after priorities fell, or when a stored frontier is opened. O(n). */
  rebuild(now: EpochMs): void {
    this.#ready.clear();
    this.#resting.clear();
    this.#groups.clear();
    for (const host of this.#hosts.all()) {
      host.queue.clear();
      host.readyUnder = Number.NaN;
      host.restingUntil = Number.NaN;
      host.blockedBy = null;
    }
    this.#fill();
    for (const host of this.#hosts.all()) this.place(host, now);
  }

  /**
   * Fills all empty queues, each at once in a place of its own. Single pushes would be slower: with ten million URLs, a queue leaves the processor's
   * cache before its next push.
   */
  #fill(): void {
    this.#rooms.clear();
    const [urls, hosts] = [this.#urls, this.#hosts.all()];
    const mayStand = (slot: Slot) => urls.isWaiting(slot) && !this.#tooEarly.has(slot);
    const counts = new Uint32Array(hosts.length);
    for (let slot = 0; slot < urls.size; slot++) if (mayStand(slot)) counts[urls.hostOf(slot)] = (counts[urls.hostOf(slot)] ?? 0) + 1;
    const rows = Uint32Array.from(hosts, ({ queue, index }) => queue.reserve(counts[index] ?? 0));
    for (let slot = 0; slot < urls.size; slot++) {
      if (!mayStand(slot)) continue;
      const host = urls.hostOf(slot);
      const row = rows[host] ?? 0;
      this.#rooms.set(row, urls.keyOf(slot), slot);
      rows[host] = row + 1;
    }
    for (const { queue } of hosts) queue.restore();
  }

  #hostOf(slot: Slot): HostState {
    return this.#hosts.known(this.#urls.hostOf(slot));
  }

  #mayBeAsked(host: HostState, now: EpochMs): boolean {
    return !host.leased && restOf(host) <= now && !this.isSkipped(host) && this.#groups.blockerOf(host, now) === null;
  }

  /** Moves due retries, and rested hosts and groups, to where they can be taken. */
  #wake(now: EpochMs): void {
    while (this.#delayed.size > 0 && -this.#delayed.topKey <= now) {
      const slot = this.#delayed.pop();
      this.#tooEarly.delete(slot);
      this.offer(slot, now);
    }
    while (this.#resting.size > 0 && -this.#resting.topKey <= now) {
      const until = -this.#resting.topKey;
      const host = this.#hosts.at(this.#resting.pop());
      if (!host) continue;
      if (host.restingUntil === until) host.restingUntil = Number.NaN;
      if (this.#best(host) >= 0) this.place(host, now);
    }
    for (const group of this.#groups.woken(now)) this.#admitNext(group, now);
  }

  /** Moves the best host that waits for a group to `ready`, if the group is free. */
  #admitNext(group: HostGroup, now: EpochMs): void {
    while (isFree(group, now)) {
      const host = this.#groups.unblock(group, (index) => this.#hosts.at(index));
      if (!host) return;
      if (this.#best(host) < 0) continue;
      if (host.queue.topKey < group.blocked.topKey) {
        this.#groups.putBack(host, group);
        continue;
      }
      this.place(host, now);
      if (this.#mayBeAsked(host, now)) return;
    }
    this.#groups.schedule(group);
  }

  /** The ready host with the best URL, at the top of `ready` with its true key; null if there is none. */
  #bestReady(now: EpochMs): HostState | null {
    while (this.#ready.size > 0) {
      const key = this.#ready.topKey;
      const host = this.#hosts.at(this.#ready.topItem);
      if (host && this.#mayBeAsked(host, now) && this.#best(host) >= 0) {
        if (host.queue.topKey === key) return host;
      }
      this.#popReady(now);
      if (host) this.place(host, now);
    }
    return null;
  }

  #popReady(now: EpochMs): void {
    const key = this.#ready.topKey;
    const host = this.#hosts.at(this.#ready.pop());
    if (host?.readyUnder === key) host.readyUnder = Number.NaN;
    for (const group of host?.groups ?? []) this.#admitNext(group, now);
  }

  /** Best waiting URL of a host, after dropping stale items; -1 if none waits. */
  #best(host: HostState): Slot {
    for (;;) {
      const slot = host.queue.topItem;
      if (slot < 0) return -1;
      if (this.#isWaiting(slot, host.queue.topKey)) return slot;
      host.queue.pop();
    }
  }

  /** Does a URL wait with this key, and may it start? Items with another key are stale. So are those of a URL that is excluded or waits for a retry. */
  #isWaiting(slot: Slot, key: number): boolean {
    return this.#urls.isWaiting(slot) && this.#urls.keyOf(slot) === key && !this.#tooEarly.has(slot);
  }

  /** The priority of the best URL that a group keeps waiting; -Infinity if it has none. Drops stale items. */
  #bestBlocked(group: HostGroup): Unit {
    for (;;) {
      const key = group.blocked.topKey;
      const host = this.#hosts.at(group.blocked.topItem);
      if (!host) return key;
      const isOfIt = host.blockedBy === group && host.blockedUnder === key;
      if (isOfIt && this.#best(host) >= 0 && host.queue.topKey === key) return key;
      group.blocked.pop();
      if (!isOfIt) continue;
      host.blockedBy = null;
      if (host.queue.size > 0) this.#groups.block(host, group);
    }
  }

  /**
   * Time until which to wait for a URL of priority `bar` or more; null if waiting is not worth it. A resting host or group is awaited if
   * its rest ends within the patience. A leased host is awaited as if its lease ended now, but not if it was leased longer ago than that.
   * With several such hosts, one becomes free that many times sooner. So each may be awaited that many times as long as a page may take.
   */
  #worthWaitingFor(bar: Unit, now: EpochMs, { longest, pace }: Patience): EpochMs | null {
    if (longest <= 0 || pace <= 0 || bar > 1) return null;
    const enough = longest / pace;
    const leased = this.#awaited;
    leased.length = 0;
    for (const [host, at] of this.#leased) {
      if (!this.#holdsAwaited(host, bar)) continue;
      leased.push(host);
      // The patience is the longest now, and the hosts behind this one were leased later: their patience ends later.
      if (leased.length >= enough && host.delay <= longest && at + longest > now) break;
    }
    let count = leased.length;
    let soonest = Number.POSITIVE_INFINITY;
    // More of them do not increase the patience. `take` looks again when any of them has rested.
    const isEnough = (until: EpochMs) => {
      soonest = Math.min(soonest, until);
      return ++count >= enough;
    };
    const last = now + longest + CLOCK_TICK;
    let left = LOOKED_AT;
    const isLast = (index: number) => (this.#restsAwaited(index, bar, now) && isEnough(restOf(this.#hosts.known(index)))) || --left === 0;
    if (!this.#resting.some(-last, isLast))
      this.#groups.someResting(last, now, (group) => isAwaited(this.#bestBlocked(group), bar) && isEnough(group.restUntil));
    const patience = Math.min(longest, pace * count);
    let until = soonest - now > patience + CLOCK_TICK ? Number.POSITIVE_INFINITY : soonest;
    for (const host of leased) {
      const end = (this.#leased.get(host) ?? 0) + patience;
      if (host.delay <= patience && end > now) until = Math.min(until, end);
    }
    return until === Number.POSITIVE_INFINITY ? null : until;
  }

  /** A stale item belongs to a host that is in the heap twice. */
  #restsAwaited(index: number, bar: Unit, now: EpochMs): boolean {
    const host = this.#hosts.known(index);
    return host.queue.topKey >= bar && !host.leased && host.restingUntil > now && restOf(host) > now && this.#hasAwaited(host, bar);
  }

  #hasAwaited(host: HostState, bar: Unit): boolean {
    return host.queue.topKey >= bar && !this.isSkipped(host) && this.#best(host) >= 0 && isAwaited(host.queue.topKey, bar);
  }

  /** Does a leased host, or a group that is leased with it, keep such a URL waiting? */
  #holdsAwaited(host: HostState, bar: Unit): boolean {
    // The current visit may be the last that the host may have.
    const isLast = host.visits + 1 >= this.#options.maxPagesPerHost;
    if (!isLast && this.#hasAwaited(host, bar)) return true;
    for (const group of host.groups) if (group.leased && isAwaited(this.#bestBlocked(group), bar)) return true;
    return false;
  }
}

/** A revisit comes before all waiting URLs, but is not worth waiting for: it takes no visit from other URLs. */
function isAwaited(key: number, bar: Unit): boolean {
  return key >= bar && laneOf(key) === 'waiting';
}
