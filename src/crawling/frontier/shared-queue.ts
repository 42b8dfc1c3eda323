import type { EpochMs, HostKey, Ms, Unit } from '../../base/core/types.ts';
import type { LogMark } from './frontier-log.ts';
import { type FrontierOptions, partsOf } from './frontier-parts.ts';
import { FrontierQueue } from './frontier-queue.ts';
import type { LmdbStore } from './lmdb-store.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogOutbox } from './log-outbox.ts';
import type { HostShare, LoggedFrontier } from './logged-frontier.ts';
import { afterRest } from './rest.ts';
import { takeEntries } from './takeover.ts';

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
    return this.#store.heads;
  }

  get logged(): LogMark | null {
    return this.#store.logged;
  }

  take(entries: Iterable<LogEntry>, heads: Iterable<readonly [partition: number, commit: number]>, mark?: LogMark): void {
    this.#outbox.taking(() => takeEntries(entries, this.parts, this.#store, this.settlements, this.clock.now()));
    for (const [partition, commit] of heads) this.#store.noteHead(partition, commit);
    if (mark) this.#store.noteLogged(mark);
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
