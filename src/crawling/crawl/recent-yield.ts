import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Fate, Unit } from '../../base/core/types.ts';

/** A crawl stops when too few of its last visits were on topic. */
export interface YieldLimit {
  /** Least share of on-topic visits, above 0. */
  readonly share: Unit;
  /** Number of visits in the window; the crawl does not stop before it has made that many. */
  readonly visits: number;
}

/** Counts the on-topic pages among the last visits of a crawl, over all its runs. */
export class RecentYield {
  readonly #window: number;
  readonly #threshold: Unit;
  /** The last visits; the oldest is at `#next` once the array is full. */
  readonly #onTopic: boolean[] = [];
  #next = 0;
  #sum = 0;

  constructor(window: number, threshold: Unit) {
    this.#window = window;
    this.#threshold = threshold;
  }

  /** A URL was settled. Ignores URLs that were not requested. A copy of a kept page brings nothing, regardless of its relevance. */
  add({ visited, relevance, state }: Pick<Fate, 'visited' | 'relevance' | 'state'>): void {
    if (!visited) return;
    const onTopic = state !== 'duplicate' && isOnTopic(relevance, this.#threshold);
    this.#sum += Number(onTopic) - Number(this.#onTopic[this.#next] ?? false);
    this.#onTopic[this.#next] = onTopic;
    this.#next = (this.#next + 1) % this.#window;
  }

  /** Number of visits in the window: all visits if there were fewer. */
  get visits(): number {
    return this.#onTopic.length;
  }

  get onTopic(): number {
    return this.#sum;
  }

  /** Were there enough visits, and too few of them on topic? */
  isBelow({ share, visits }: YieldLimit): boolean {
    return this.visits >= visits && this.onTopic < share * this.visits;
  }
}
