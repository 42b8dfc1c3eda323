import { InvariantError } from '../../base/core/errors.ts';
import { HOST_PATIENCE, type HostPatience } from '../../base/core/failure-policy.ts';
import type { HostReport } from '../../base/core/parts/queueing.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';
import { type HostGroups, isFree } from './host-groups.ts';
import { healthAfter } from './host-health.ts';
import { type HostState, restOf } from './hosts.ts';
import { afterRest } from './rest.ts';

/** Longest rest of a host because of a slow answer: Heritrix's `maxDelayMs`. */
const MAX_LOAD_REST: Ms = 30_000;

/** Time between two looks at a host with a running request: the end of a request is not known in advance. */
const LEAST_TURN: Ms = 100;
/** Most turns that a host waits for before it looks again: an answer to another host may have told its rules meanwhile. */
const TURNS_AHEAD = 8;

export interface Delays {
  /** Rest of a host between the end of one request and the start of the next. */
  readonly delay: Ms;
  /** A host rests this many times as long as its last request took, up to half a minute, if that is longer. Default 0: no effect. */
  readonly delayFactor?: number;
  /** Limits after which a host in trouble is given up. Default: the values of a crawl. */
  readonly hostPatience?: HostPatience;
}

/** Sets the clocks of hosts and of their groups as leases begin and end. */
export class HostClocks {
  readonly #delay: Ms;
  readonly #factor: number;
  readonly #patience: HostPatience;
  readonly #groups: HostGroups;
  /** The last time that each host's callers got. */
  readonly #turns = new WeakMap<HostState, EpochMs>();

  constructor({ delay, delayFactor = 0, hostPatience = HOST_PATIENCE }: Delays, groups: HostGroups) {
    this.#patience = hostPatience;
    this.#delay = delay;
    this.#factor = delayFactor;
    this.#groups = groups;
  }

  hold(host: HostState): void {
    host.leased = true;
    for (const group of host.groups) group.leased = true;
  }

  /** Adds a leased host to its groups. @returns whether they are free: then they are leased with it @throws InvariantError if the host was added before */
  join(host: HostState, keys: readonly string[], now: EpochMs): boolean {
    if (host.joined) throw new InvariantError(`frontier: the groups of ${host.key} were set twice`);
    this.introduce(host, keys);
    const free = host.groups.every((group) => isFree(group, now));
    if (free) this.hold(host);
    return free;
  }

  /** Sets the groups of a host without a lease of its own. */
  introduce(host: HostState, keys: readonly string[]): void {
    host.joined = true;
    host.groups = keys.map((key) => this.#groups.get(key));
  }

  /**
   * Time at which the lease of another host may ask this host; null if now. Each caller gets a later time, with the host's delay
   * in between, up to a few delays ahead, so that not all come back at once.
   */
  turnOf(host: HostState, asking: HostState, now: EpochMs): EpochMs | null {
    const groups = host.groups.filter((group) => !asking.groups.includes(group));
    const rest = Math.max(restOf(host), ...groups.map(({ restUntil }) => restUntil));
    if (!host.leased && rest <= now && groups.every((group) => isFree(group, now))) return null;
    const step = Math.max(host.delay, LEAST_TURN);
    const first = Math.max(rest, now + LEAST_TURN);
    const turn = Math.min(Math.max(first, (this.#turns.get(host) ?? 0) + step), first + TURNS_AHEAD * step);
    this.#turns.set(host, turn);
    return turn;
  }

  /** Sets the crawl delay that a robots.txt asks for; never below the configured delay. */
  setCrawlDelay(host: HostState, delay: Ms): void {
    host.delay = Math.max(this.#delay, delay);
  }

  /**
   * Ends a lease. The delay of a host's robots.txt applies only to that host. The rest that spares the machine applies to its groups too.
   * @param held whether the lease held the host's groups
   * @param leasedAt when it started
   */
  release(host: HostState, report: HostReport | null, held: boolean, leasedAt: EpochMs, now: EpochMs): void {
    host.leased = false;
    const sparing = Math.min(this.#factor * (report?.ms ?? 0), MAX_LOAD_REST);
    if (report !== null) {
      host.restUntil = afterRest(now, Math.max(sparing, host.delay));
      host.health = healthAfter(host.health, report, leasedAt, now, this.#patience, host.gave);
    }
    if (!held) return;
    for (const group of host.groups) {
      group.leased = false;
      if (report !== null) group.restUntil = afterRest(now, Math.max(sparing, this.#delay));
    }
  }

  /** Wakes hosts that wait for the groups of a host. Call it after the host is back in its place. */
  released(host: HostState): void {
    for (const group of host.groups) this.#groups.schedule(group);
  }
}
