/** A running frontier takes the steps of another one from their log: of partitions that it did not hold. */
import { InvariantError } from '../../base/core/errors.ts';
import type { CanonicalUrl, EpochMs } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import { healthRestored } from './host-health.ts';
import type { LmdbStore } from './lmdb-store.ts';
import type { LogEntry, UrlName } from './log-entry.ts';
import { notBeforeRestored } from './replay.ts';
import type { SettledCounts } from './settled-counts.ts';
import type { FrontierStore, StoredFate } from './store.ts';
import type { Slot } from './url-table.ts';

/**
 * Repeats the steps. The hosts are away meanwhile, so nothing of them is leased; the caller rebuilds the queue when they no longer are.
 * @throws InvariantError for an entry of a URL whose discovery did not come before
 */
export function takeEntries(
  entries: Iterable<LogEntry>,
  parts: FrontierParts,
  view: FrontierStore & Pick<LmdbStore, 'putLost'>,
  settlements: SettledCounts,
  now: EpochMs,
): void {
  const { urls, hosts, waiting, queue, sightings, guard, reader } = parts;
  const slotOf = (url: CanonicalUrl): Slot => {
    const slot = urls.find(url);
    if (slot < 0) throw new InvariantError(`frontier: the log has an entry of ${url}, and no discovery of it`);
    return slot;
  };
  const end = (name: UrlName, stored: StoredFate) => {
    const slot = slotOf(name.url);
    const host = hosts.known(urls.hostOf(slot));
    if (urls.state(slot) === 'waiting') {
      if (view.reopened(slot) !== null) settlements.countReopened(host, -1);
      waiting.count(host, -1);
      waiting.countEdge(slot, -1);
    }
    settlements.mark(slot, host, stored.fate);
    const here = { ...stored, order: settlements.next() };
    view.putFate(slot, here, name);
    if (guard?.settled(reader.asLeased(slot, here), here)) waiting.readmitAll();
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'discovery':
        sightings.take(entry.discovery);
        break;
      case 'fate':
        end(entry, entry.stored);
        break;
      case 'retry': {
        const slot = slotOf(entry.url);
        urls.retry(slot, entry.retry.attempts);
        view.putRetry(slot, entry.retry, entry);
        if (urls.state(slot) === 'waiting') queue.offerLater(slot, notBeforeRestored(entry.retry, now));
        break;
      }
      case 'revisit':
        view.putRevisit(slotOf(entry.url), entry.revisit, entry);
        break;
      case 'health': {
        const host = hosts.get(entry.host);
        waiting.change(host, () => {
          host.health = healthRestored(entry.health, now);
        });
        view.putHost(host.index, entry.health, entry.host);
        break;
      }
      case 'lost': {
        const slot = slotOf(entry.url);
        const kept = view.fate(slot);
        if (kept?.fate.recordId !== entry.record || view.reopened(slot) !== null) break;
        const host = hosts.known(urls.hostOf(slot));
        view.putLost(slot, entry.record, entry);
        urls.putBack(slot);
        urls.reopen(slot, kept.fate.relevance ?? 0);
        waiting.count(host, 1);
        waiting.countEdge(slot, 1);
        settlements.countReopened(host, 1);
        break;
      }
      case 'unparking':
        if ((guard?.unpark(entry.unparking.pattern) ?? []).length > 0) waiting.readmitAll();
        view.putUnparking(entry.unparking);
        break;
      case 'unsettled':
        throw new InvariantError(`frontier: ${entry.url} was taken back, which a log of several machines never has`);
    }
  }
}
