import type { EpochMs, HostKey, Ms, Unit } from '../../base/core/types.ts';
import type { LogMark } from './frontier-log.ts';
import { type FrontierOptions, partsOf } from './frontier-parts.ts';
import { FrontierQueue } from './frontier-queue.ts';
import type { LmdbStore } from './lmdb-store.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogOutbox } from './log-outbox.ts';
import type { HostShare, LoggedFrontier } from './logged-frontier.ts';
import { afterRest } from './rest.ts';
import { StepReader } from './step-reader.ts';

/** The queue of one of several workers. See `LoggedFrontier` for the contract. */
export class SharedQueue extends FrontierQueue implements LoggedFrontier {
  readonly #store: LmdbStore;
  readonly #outbox: LogOutbox;

  /** @param outbox that of the store */
  constructor(store: LmdbStore, outbox: LogOutbox, options: FrontierOptions, share: HostShare) {
    super(partsOf(store, options, { isAway: share.isAway, passOn: (discovery) => outbox.passOn(discovery) }), options);
    [this.#store, this.#outbox] = [store, outbox];
  }

  get heads(): ReadonlyMap<number, number> {
    return this.#store.head.heads;
  }

  get logged(): LogMark | null {
    return this.#store.head.logged;
  }

  take(entries: Iterable<LogEntry>, heads: Iterable<readonly [partition: number, commit: number]>, mark?: LogMark): void {
    this.#outbox.taking(() => this.#repeat(entries));
    for (const [partition, commit] of heads) this.#store.head.noteHead(partition, commit);
    if (mark) this.#store.head.noteLogged(mark);
  }

  /** The hosts of these steps are away meanwhile, so nothing of them is leased; the queue is rebuilt when they no longer are. */
  #repeat(entries: Iterable<LogEntry>): void {
    const reader = new StepReader(this.parts, this.settlements, this.clock.now());
    for (const entry of entries) {
      const own = entry.kind === 'fate' ? { ...entry, stored: { ...entry.stored, order: this.settlements.last + 1 } } : entry;
      const key = this.#keyOf(own, reader);
      reader.repeat(own);
      this.#store.push(key, own);
      if (own.kind === 'fate' || own.kind === 'revisit') this.again.taken(key);
    }
  }

  /** The number that this frontier gives to the discovery, URL or host of a step. */
  #keyOf(entry: LogEntry, reader: StepReader): number {
    if (entry.kind === 'discovery') return this.parts.sightings.discoveries;
    if (entry.kind === 'unparking') return this.#store.unparkings().length;
    return entry.kind === 'health' ? this.parts.hosts.get(entry.host).index : reader.slotOf(entry.url);
  }

  shareChanged(restedBy: (host: HostKey) => EpochMs): void {
    const { hosts, queue, waiting } = this.parts;
    const now = this.clock.now();
    for (const host of hosts.all()) {
      const away = hosts.isAway(host.key);
      if (away === host.away) continue;
      waiting.change(host, () => {
        host.away = away;
      });
      if (!away) host.restUntil = Math.max(host.restUntil, restedBy(host.key), afterRest(now, host.delay));
    }
    this.again.shareChanged();
    queue.rebuild(now);
  }

  get isLogged(): boolean {
    return this.#outbox.isEmpty;
  }

  get anyWaiting(): boolean {
    return this.parts.waiting.any;
  }

  best(within: Ms): Unit | null {
    return this.parts.queue.best(this.clock.now(), within);
  }

  get bestPassedOn(): Unit | null {
    return this.#outbox.bestPassedOn;
  }
}
