import type { Clock } from '../../base/core/clock.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type { HostReport } from '../../base/core/parts/queueing.ts';
import type { EpochMs, FrontierEntry, HostKey, Lease, LeaseId, Ms, NextLease } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import { type HostHealth, readmitted } from './host-health.ts';
import type { HostState } from './hosts.ts';
import type { Slot } from './url-table.ts';

/** A lease that is held. */
interface HeldLease {
  readonly slot: Slot;
  readonly host: HostState;
  readonly at: EpochMs;
  /** Are the groups of its host leased with it? */
  holdsGroups: boolean;
  /** The other host that its request asks; null if it asks its own. */
  turnedTo: HostState | null;
  /** True for a revisit of a kept page. */
  readonly again: boolean;
}

export type EndedLease = Pick<HeldLease, 'slot' | 'host' | 'turnedTo' | 'again'>;

/** The leases that are held, and the hosts that are held with them: nobody else asks these meanwhile, and they rest afterwards. */
export class HostLeases {
  readonly #parts: Pick<FrontierParts, 'store' | 'urls' | 'hosts' | 'clocks' | 'queue' | 'waiting'>;
  readonly #clock: Clock;
  readonly #held = new Map<LeaseId, HeldLease>();
  #count = 0;

  constructor(parts: FrontierParts, clock: Clock) {
    [this.#parts, this.#clock] = [parts, clock];
  }

  /** Number of held leases. */
  get size(): number {
    return this.#held.size;
  }

  /** @param again a revisit of a kept page */
  hold(slot: Slot, entry: FrontierEntry, again: boolean): Extract<NextLease, { kind: 'lease' }> {
    const { clocks, queue } = this.#parts;
    const host = this.#hostOf(slot);
    const at = this.#clock.now();
    clocks.hold(host);
    queue.hold(host, at);
    this.#count += 1;
    const id = this.#count as LeaseId;
    this.#held.set(id, { slot, host, at, holdsGroups: true, turnedTo: null, again });
    return { kind: 'lease', lease: { id, entry, joined: host.joined } };
  }

  /** See `Queue.join`. */
  join(lease: Lease, keys: readonly string[]): boolean {
    const held = this.#heldBy(lease);
    held.holdsGroups = this.#parts.clocks.join(held.host, keys, this.#clock.now());
    return held.holdsGroups;
  }

  /** See `Queue.turnTo`. */
  turnTo(lease: Lease, key: HostKey, groups: readonly string[] | null): boolean {
    const { hosts, clocks, queue } = this.#parts;
    const held = this.#heldBy(lease);
    const [host, asked, now] = [held.host, hosts.guest(key), this.#clock.now()];
    if (asked.health.givenUp) {
      // Its rules are at a host that is given up: so is it, for this run.
      this.#changeHealth(host, () => {
        host.health = { ...host.health, givenUp: true };
      });
      return false;
    }
    if (groups !== null && !asked.joined && !asked.leased) clocks.introduce(asked, groups);
    const turn = clocks.turnOf(asked, host, now);
    if (turn !== null) {
      host.restUntil = Math.max(host.restUntil, turn);
      return false;
    }
    clocks.hold(asked);
    queue.hold(asked, now);
    held.turnedTo = asked;
    return true;
  }

  /** Ends a lease. Its hosts come back with `place`, once its URL is settled. @throws InvariantError for a lease that was settled before */
  end(lease: Lease, report: HostReport | null, now: EpochMs): EndedLease {
    const { clocks } = this.#parts;
    const held = this.#heldBy(lease);
    const { host, at, holdsGroups, turnedTo } = held;
    this.#held.delete(lease.id);
    if (turnedTo) this.#changeHealth(turnedTo, () => clocks.release(turnedTo, report, true, at, now));
    this.#changeHealth(host, () => clocks.release(host, turnedTo ? null : report, holdsGroups, at, now));
    return held;
  }

  /** The hosts of an ended lease are back in the queue. */
  place({ host, turnedTo }: EndedLease, now: EpochMs): void {
    this.#place(host, now);
    if (turnedTo) this.#place(turnedTo, now);
  }

  /** See `Queue.setHostDelay`. */
  setDelay(host: HostKey, delay: Ms): void {
    const { clocks, hosts } = this.#parts;
    clocks.setCrawlDelay(hosts.guest(host), delay);
  }

  /** See `Queue.readmitHosts`. */
  readmit(): number {
    const { hosts, queue } = this.#parts;
    const givenUp = hosts.all().filter(({ health }) => health.givenUp);
    for (const host of givenUp) {
      this.#changeHealth(host, () => {
        host.health = readmitted(host.health);
      });
      queue.place(host, this.#clock.now());
    }
    return givenUp.length;
  }

  /** Does something that may change the health of a host. */
  #changeHealth(host: HostState, how: () => void): void {
    const { store, waiting } = this.#parts;
    const before: HostHealth = host.health;
    waiting.change(host, how);
    // A guest has no number: its health lasts as long as the process.
    if (host.health !== before && host.index >= 0) store.putHost(host.index, host.health, host.key);
  }

  #place(host: HostState, now: EpochMs): void {
    const { clocks, queue } = this.#parts;
    queue.place(host, now);
    clocks.released(host);
  }

  #heldBy({ id, entry }: Lease): HeldLease {
    const held = this.#held.get(id);
    if (held === undefined) throw new InvariantError(`frontier: ${entry.url} was settled twice, or never leased`);
    return held;
  }

  #hostOf(slot: Slot): HostState {
    const { hosts, urls } = this.#parts;
    return hosts.known(urls.hostOf(slot));
  }
}
