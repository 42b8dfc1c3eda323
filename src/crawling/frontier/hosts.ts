import { InvariantError } from '../../base/core/errors.ts';
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import { ownString } from '../../base/core/own-string.ts';
import type { EpochMs, HostKey, Ms } from '../../base/core/types.ts';
import type { Checkpointed, Columns } from './checkpoint.ts';
import { type HeapRooms, MaxHeap } from './heap.ts';
import type { HostGroup } from './host-groups.ts';
import { HEALTHY, type HostHealth } from './host-health.ts';

/** One host: its two clocks, its queue, and its history. */
export interface HostState {
  readonly key: HostKey;
  /** -1 for a guest. */
  index: number;
  /** Least time between the end of one request and the start of the next. */
  delay: Ms;
  /** The clock of the crawl delay. */
  restUntil: EpochMs;
  /** Includes the clock of the backoff after trouble. */
  health: HostHealth;
  leased: boolean;
  /** Does another worker ask it? */
  away: boolean;
  /** The groups with which it shares its delay. */
  groups: readonly HostGroup[];
  /** Are the groups known? */
  joined: boolean;
  /** The group that keeps it waiting, with its key there; null if none does. */
  blockedBy: HostGroup | null;
  blockedUnder: number;
  /** Waiting URLs, best first. It may contain stale items: see `PoliteQueue.best`. */
  readonly queue: MaxHeap;
  /** Key of the host in the heap of ready hosts, and its time in the heap of resting ones; NaN if it is not there. */
  readyUnder: number;
  restingUntil: EpochMs;
  /** URLs in state `waiting`. */
  waiting: number;
  /** Number of kept pages that are due for a revisit. */
  due: number;
  visits: number;
  /** Number of its kept pages. */
  kept: number;
  /** Number of its sitemaps and feeds that were found. */
  lists: number;
  /** Has a visit of it ever ended other than with a failure? */
  gave: boolean;
}

/** Time at which both clocks of a host have run out. */
export function restOf({ restUntil, health }: HostState): EpochMs {
  return Math.max(restUntil, health.backoffUntil);
}

const ALONE: readonly HostGroup[] = [];

/** A power of two. With ten million hosts, each map has 160,000. */
const MAPS = 64;

/** Every known host. A host's best URL decides when the host is chosen. */
export class HostTable implements Checkpointed {
  /**
   * Maps by a few bits of the fingerprints of keys. A `Map` copies itself when it grows, and one of a million hosts stops the crawl for a
   * tenth of a second.
   */
  readonly #byKey = Array.from({ length: MAPS }, () => new Map<HostKey, HostState>());
  readonly #print: Fingerprint = { hi: 0, lo: 0 };
  readonly #all: HostState[] = [];
  readonly #guests = new Map<HostKey, HostState>();
  readonly #tie: 'oldest' | 'newest';
  readonly #delay: Ms;
  readonly #rooms: HeapRooms;
  readonly #isAway: (key: HostKey) => boolean;

  /**
   * @param rooms for the queues of all hosts
   * @param isAway does another worker ask a host?
   */
  constructor(delay: Ms, tie: 'oldest' | 'newest', rooms: HeapRooms, isAway: (key: HostKey) => boolean = () => false) {
    this.#isAway = isAway;
    this.#delay = delay;
    this.#tie = tie;
    this.#rooms = rooms;
  }

  get size(): number {
    return this.#all.length;
  }

  get(key: HostKey): HostState {
    const hosts = this.#mapOf(key);
    const found = hosts.get(key);
    if (found) return found;
    const host = this.#guests.get(key) ?? this.#fresh(key);
    this.#guests.delete(key);
    host.index = this.#all.length;
    hosts.set(host.key, host);
    this.#all.push(host);
    return host;
  }

  /** A host with clocks that may have no URL. It gets its number with its first URL, since numbers follow from the stored discoveries. */
  guest(key: HostKey): HostState {
    const known = this.named(key);
    if (known) return known;
    const host = this.#fresh(key);
    this.#guests.set(host.key, host);
    return host;
  }

  /** undefined for a host that no URL or request named. */
  named(key: HostKey): HostState | undefined {
    return this.#mapOf(key).get(key) ?? this.#guests.get(key);
  }

  #fresh(key: HostKey): HostState {
    return {
      key: ownString(key) as HostKey,
      index: -1,
      delay: this.#delay,
      restUntil: 0,
      health: HEALTHY,
      leased: false,
      away: this.#isAway(key),
      groups: ALONE,
      joined: false,
      blockedBy: null,
      blockedUnder: Number.NaN,
      queue: new MaxHeap(this.#rooms, this.#tie),
      readyUnder: Number.NaN,
      restingUntil: Number.NaN,
      waiting: 0,
      due: 0,
      visits: 0,
      kept: 0,
      lists: 0,
      gave: false,
    };
  }

  #mapOf(key: HostKey): Map<HostKey, HostState> {
    return this.#byKey[fingerprint(key, this.#print).lo & (MAPS - 1)] as Map<HostKey, HostState>;
  }

  /** @throws InvariantError for a number that no host has */
  known(index: number): HostState {
    const host = this.#all[index];
    if (!host) throw new InvariantError(`frontier: no host has the number ${index}`);
    return host;
  }

  at(index: number): HostState | undefined {
    return this.#all[index];
  }

  isAway(key: HostKey): boolean {
    return this.#isAway(key);
  }

  all(): readonly HostState[] {
    return this.#all;
  }

  /** Keys, counts, and whether a visit gave anything, as bytes. */
  columns(): Columns {
    return {
      hostKeys: [Buffer.from(this.#all.map(({ key }) => key).join('\n'))],
      hostVisits: [counted(this.#all, ({ visits }) => visits)],
      hostKept: [counted(this.#all, ({ kept }) => kept)],
      hostLists: [counted(this.#all, ({ lists }) => lists)],
      hostGave: [Uint8Array.from(this.#all, ({ gave }) => Number(gave))],
    };
  }

  /** Fills an empty table. O(hosts). */
  restore({ hostKeys, hostVisits, hostKept, hostLists, hostGave }: Columns): boolean {
    const [keys, gave] = [hostKeys?.[0], hostGave?.[0]];
    const [visits, kept, lists] = [hostVisits, hostKept, hostLists].map((column) => column?.[0] && new Uint32Array(column[0].buffer));
    if (!(keys && gave && visits && kept && lists)) return false;
    for (const [index, key] of (keys.length === 0 ? [] : Buffer.from(keys).toString('utf8').split('\n')).entries()) {
      const host = this.get(key as HostKey);
      host.visits = visits[index] ?? 0;
      host.kept = kept[index] ?? 0;
      host.lists = lists[index] ?? 0;
      host.gave = gave[index] === 1;
    }
    return true;
  }
}

/** A number of each host, in four bytes. */
function counted(hosts: readonly HostState[], count: (host: HostState) => number): Uint8Array {
  return new Uint8Array(Uint32Array.from(hosts, count).buffer);
}
