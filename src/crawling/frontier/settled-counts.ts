import type { Fate, Unit } from '../../base/core/types.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { HostState } from './hosts.ts';
import type { Replayed } from './replay.ts';
import type { Slot } from './url-table.ts';

/** Counts of settled URLs: their places in the order of settlement, and the visits among them. */
export class SettledCounts {
  readonly #parts: Pick<FrontierParts, 'urls' | 'waiting'>;
  #settled = 0;
  #visited = 0;
  #earlierVisits = 0;
  #reopened = 0;

  constructor(parts: Pick<FrontierParts, 'urls' | 'waiting'>) {
    this.#parts = parts;
  }

  get counts(): Replayed {
    return { settled: this.#settled, visited: this.#visited, earlierVisits: this.#earlierVisits, reopened: this.#reopened };
  }

  /** Takes the counts of a replay, which marked its URLs meanwhile. */
  restore({ settled, visited, earlierVisits, reopened }: Replayed): void {
    [this.#settled, this.#visited, this.#earlierVisits, this.#reopened] = [settled, visited, earlierVisits, reopened];
  }

  /** Visits, those to pages that were reopened later included. */
  get visits(): number {
    return this.#visited + this.#earlierVisits;
  }

  /** Number of settlements: the last place in their order. */
  get last(): number {
    return this.#settled;
  }

  /** A URL was settled at this place in the order. */
  reach(order: number): void {
    this.#settled = Math.max(this.#settled, order);
  }

  /** Counts visits to settled URLs before their last one; a negative number takes them back. */
  countEarlier(visits: number): void {
    this.#earlierVisits += visits;
  }

  /** The next place in the order of settlement. */
  next(): number {
    this.#settled += 1;
    return this.#settled;
  }

  /** Notes how a URL ended. */
  mark(slot: Slot, host: HostState, fate: Fate): void {
    this.#parts.urls.end(slot, fate.state);
    if (fate.state === 'kept') host.kept += 1;
    if (!fate.visited) return;
    this.#visited += 1;
    if (fate.state !== 'failed') host.gave = true;
    this.#parts.waiting.change(host, () => {
      host.visits += 1;
    });
  }

  /** A page that was read waits for another visit. @param fate the one that it had */
  waitAgain(slot: Slot, host: HostState, fate: Fate, relevance: Unit): void {
    this.putBack(slot, host, fate);
    this.#parts.urls.reopen(slot, relevance);
    // Its former visit becomes an earlier one.
    this.#reopened += 1;
    this.#earlierVisits += 1;
  }

  /** A URL waits again: it is as before `mark`. @param fate the one that it had */
  putBack(slot: Slot, host: HostState, fate: Fate): void {
    const { urls, waiting } = this.#parts;
    urls.putBack(slot);
    waiting.count(host, 1);
    waiting.countEdge(slot, 1);
    if (fate.state === 'kept') host.kept -= 1;
    if (!fate.visited) return;
    this.#visited -= 1;
    this.#parts.waiting.change(host, () => {
      host.visits -= 1;
    });
  }

  /** A reopened URL had its visit, or waits like any other. */
  visitAgain(): void {
    this.#reopened -= 1;
  }
}
