import type { EpochMs, HostKey, Ms, Unit } from '../../base/core/types.ts';
import type { LogMark } from './frontier-log.ts';
import { type FrontierOptions, partsOf } from './frontier-parts.ts';
import { FrontierQueue } from './frontier-queue.ts';
import type { LogEntry } from './log-entry.ts';
import type { HostShare, LoggedFrontier } from './logged-frontier.ts';
import type { LoggedStore } from './logged-store.ts';
import { afterRest } from './rest.ts';
import { takeEntries } from './takeover.ts';

/** The queue of one of several workers. See `LoggedFrontier` for the contract. */
export class SharedQueue extends FrontierQueue implements LoggedFrontier {
  readonly #store: LoggedStore;

  constructor(store: LoggedStore, options: FrontierOptions, share: HostShare) {
    const parts = partsOf(store, options, { isAway: share.isAway, passOn: (discovery) => store.passOn(discovery) });
    const { hosts, reader } = parts;
    store.nameBy({
      urlOf: (slot) => {
        const { url, host } = reader.entry(slot);
        return { url, host };
      },
      hostOf: (index) => hosts.known(index).key,
    });
    super(parts, options);
    this.#store = store;
  }

  get heads(): ReadonlyMap<number, number> {
    return this.#store.view.heads;
  }

  get logged(): LogMark | null {
    return this.#store.view.logged;
  }

  take(entries: Iterable<LogEntry>, heads: Iterable<readonly [partition: number, commit: number]>, mark?: LogMark): void {
    const { view } = this.#store;
    takeEntries(entries, this.parts, view, this.settlements, this.clock.now());
    for (const [partition, commit] of heads) view.noteHead(partition, commit);
    if (mark) view.noteLogged(mark);
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
    return this.#store.isLogged;
  }

  get anyWaiting(): boolean {
    return this.parts.waiting.any;
  }

  best(within: Ms): Unit | null {
    return this.parts.queue.best(this.clock.now(), within);
  }

  get bestPassedOn(): Unit | null {
    return this.#store.bestPassedOn;
  }
}
