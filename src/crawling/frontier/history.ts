/** The steps of a frontier of one machine, as a log has them: a crawl that moves into a database begins with these. */
import type { HostKey } from '../../base/core/types.ts';
import type { LmdbStore } from './lmdb-store.ts';
import type { LogEntry } from './log-entry.ts';
import { type Slot, UrlTable } from './url-table.ts';

/**
 * All discoveries, then all settlements in their order: the order of a replay (`replay.ts`), which gives the same state as the order in which they came.
 * O(discovered links); some bytes of memory a URL.
 * @throws StoreError for a damaged store
 */
export function* historyOf(store: LmdbStore): Generator<LogEntry> {
  const urls = new UrlTable();
  const hosts = new HostNumbers();
  for (const [, discovery] of store.discoveries()) {
    for (const { url, host } of discovery.links) if (urls.claim(url).isNew) hosts.add(host);
    yield { kind: 'discovery', discovery };
  }
  const names = urlNames(store, urls);
  const nameOf = (slot: Slot) => ({ url: names[slot] as (typeof names)[number], host: hosts.of(slot) });
  for (const [index, health] of store.hosts()) yield { kind: 'health', host: hosts.at(index), health };
  for (const [slot, retry] of store.retries()) yield { kind: 'retry', ...nameOf(slot), retry };
  const settled = [...store.fates()].map(([slot, { order }]) => [slot, order] as const).sort(([, a], [, b]) => a - b);
  const unparkings = [...store.unparkings()];
  for (const [slot, order] of settled) {
    for (let next = unparkings[0]; next && next.settled < order; next = unparkings[0]) {
      yield { kind: 'unparking', unparking: next };
      unparkings.shift();
    }
    const stored = store.fate(slot);
    if (stored) yield { kind: 'fate', ...nameOf(slot), stored: { ...stored, fate: { ...stored.fate, page: store.page(slot) } } };
    const revisit = store.revisit(slot);
    if (revisit) yield { kind: 'revisit', ...nameOf(slot), revisit };
  }
  for (const unparking of unparkings) yield { kind: 'unparking', unparking };
}

/** Hosts by number, in the order of their first URLs, as in `HostTable`; and the host of each URL. */
class HostNumbers {
  readonly #numbers = new Map<HostKey, number>();
  readonly #keys: HostKey[] = [];
  readonly #ofSlot: number[] = [];

  /** A new URL. */
  add(host: HostKey): void {
    const number = this.#numbers.get(host) ?? this.#keys.length;
    if (number === this.#keys.length) {
      this.#numbers.set(host, number);
      this.#keys.push(host);
    }
    this.#ofSlot.push(number);
  }

  at(index: number): HostKey {
    return this.#keys[index] as HostKey;
  }

  of(slot: Slot): HostKey {
    return this.at(this.#ofSlot[slot] as number);
  }
}

function urlNames(store: LmdbStore, urls: UrlTable) {
  const names: Extract<LogEntry, { kind: 'fate' }>['url'][] = [];
  for (const [, { links }] of store.discoveries()) for (const { url } of links) names[urls.find(url)] = url;
  return names;
}
