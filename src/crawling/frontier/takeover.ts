/** A running frontier takes the steps of another one from their log: of partitions that it did not hold. */
import { InvariantError } from '../../base/core/errors.ts';
import type { CanonicalUrl, EpochMs, Fate } from '../../base/core/types.ts';
import { healthRestored } from './host-health.ts';
import type { HostState } from './hosts.ts';
import type { LmdbStore } from './lmdb-store.ts';
import type { LogEntry } from './log-entry.ts';
import { type FrontierParts, notBeforeRestored } from './replay.ts';
import type { StoredFate } from './store.ts';
import type { Slot } from './url-table.ts';

/** The counts of the frontier. */
export interface Settled {
  /** Gives the next place in the order of settlement. */
  next(): number;
  /** Notes how a URL ended. */
  mark(slot: Slot, host: HostState, fate: Fate): void;
  /** Notes that a visited URL waits for another visit (1), or that it had that visit (-1). */
  reopened(host: HostState, by: 1 | -1): void;
}

/**
 * Repeats the steps. The hosts are away meanwhile, so nothing of them is leased; the caller rebuilds the queue when they no longer are.
 * @param view the part of the store whose puts go to no log
 * @throws InvariantError for an entry of a URL whose discovery did not come before
 */
export function takeEntries(entries: Iterable<LogEntry>, parts: FrontierParts, view: LmdbStore, settled: Settled, now: EpochMs): void {
  const { urls, hosts, waiting, queue, sightings, guard, reader } = parts;
  const slotOf = (url: CanonicalUrl): Slot => {
    const slot = urls.find(url);
    if (slot < 0) throw new InvariantError(`frontier: the log has an entry of ${url}, and no discovery of it`);
    return slot;
  };
  const end = (url: CanonicalUrl, stored: StoredFate) => {
    const slot = slotOf(url);
    const host = hosts.known(urls.hostOf(slot));
    if (urls.state(slot) === 'waiting') {
      if (view.reopened(slot) !== null) settled.reopened(host, -1);
      waiting.count(host, -1);
      waiting.countEdge(slot, -1);
    }
    settled.mark(slot, host, stored.fate);
    const here = { ...stored, order: settled.next() };
    view.putFate(slot, here);
    if (guard?.settled(reader.asLeased(slot, here), here)) waiting.readmitAll();
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'discovery':
        sightings.take(entry.discovery, view);
        break;
      case 'fate':
        end(entry.url, entry.stored);
        break;
      case 'retry': {
        const slot = slotOf(entry.url);
        urls.retry(slot, entry.retry.attempts);
        view.putRetry(slot, entry.retry);
        if (urls.state(slot) === 'waiting') queue.offerLater(slot, notBeforeRestored(entry.retry, now));
        break;
      }
      case 'revisit':
        view.putRevisit(slotOf(entry.url), entry.revisit);
        break;
      case 'health': {
        const host = hosts.get(entry.host);
        waiting.change(host, () => {
          host.health = healthRestored(entry.health, now);
        });
        view.putHost(host.index, entry.health);
        break;
      }
      case 'lost': {
        const slot = slotOf(entry.url);
        const kept = view.fate(slot);
        if (kept?.fate.recordId !== entry.record || view.reopened(slot) !== null) break;
        const host = hosts.known(urls.hostOf(slot));
        view.putLost(slot, entry.record);
        urls.putBack(slot);
        urls.reopen(slot, kept.fate.relevance ?? 0);
        waiting.count(host, 1);
        waiting.countEdge(slot, 1);
        settled.reopened(host, 1);
        break;
      }
      case 'unparking':
        if ((guard?.unpark(entry.unparking.pattern) ?? []).length > 0) waiting.readmitAll();
        view.putUnparking(entry.unparking);
    }
  }
}
