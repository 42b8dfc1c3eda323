/** The place of each visited page among all visited pages. */
import { isFirstVisit } from '../../base/core/types.ts';
import type { EntryReader } from './entry-reader.ts';
import type { FrontierStore, StoredFate } from './store.ts';
import type { Slot } from './url-table.ts';

const NOT_COUNTED = -1;

/**
 * Settlements have consecutive numbers, since a resumed crawl replays them in that order. Not every settlement is a visit: a URL that a rule refused
 * was never requested, and a sitemap, a feed or a `tdmrep.json` is not a page. So the ledger counts visits separately.
 */
export class VisitPlaces {
  readonly #store: Pick<FrontierStore, 'fates' | 'reopened'>;
  readonly #reader: EntryReader;
  /** Ascending numbers of the settlements that were visits, after `#settled` settlements. */
  #visits: number[] = [];
  #settled = NOT_COUNTED;

  constructor(store: Pick<FrontierStore, 'fates' | 'reopened'>, reader: EntryReader) {
    this.#store = store;
    this.#reader = reader;
  }

  /**
   * The place from 1; null if it was not a visit of a page. The first call after a settlement costs O(settled URLs), others O(log of them).
   * @param settled number of settlements so far
   */
  of(slot: Slot, stored: StoredFate | null, settled: number): number | null {
    if (stored === null || !this.#isVisit(slot, stored)) return null;
    if (this.#settled !== settled) this.#count(settled);
    return placeIn(this.#visits, stored.order);
  }

  /** A URL was settled for the first time, as the last one. */
  add(slot: Slot, stored: StoredFate): void {
    if (this.#settled === NOT_COUNTED) return;
    if (this.#isVisit(slot, stored)) this.#visits.push(stored.order);
    this.#settled = stored.order;
  }

  /** The end of a settled URL changed: the next call counts again. */
  forget(): void {
    this.#settled = NOT_COUNTED;
  }

  #count(settled: number): void {
    const visits: number[] = [];
    for (const [slot, stored] of this.#store.fates())
      if (this.#store.reopened(slot) === null && this.#isVisit(slot, stored)) visits.push(stored.order);
    this.#visits = visits.sort((a, b) => a - b);
    this.#settled = settled;
  }

  #isVisit(slot: Slot, { fate }: StoredFate): boolean {
    return fate.visited && (fate.relevance !== null || isFirstVisit(this.#reader.entry(slot).task));
  }
}

/** One more than the count of numbers below `order`. */
function placeIn(orders: readonly number[], order: number): number {
  let [low, high] = [0, orders.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((orders[middle] ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
