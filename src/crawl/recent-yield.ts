import { isOnTopic } from '../core/on-topic.ts';
import type { Fate, Unit } from '../core/types.ts';

/** When too few of the last visits were on topic for a crawl to go on. */
export interface YieldLimit {
  /** Least share on topic, above 0. */
  readonly share: Unit;
  /** Of so many visits; nothing is said before there were as many. */
  readonly visits: number;
}

/** How many of the last visits of a crawl were on topic: all of its life counts, whatever runs it came in. */
export class RecentYield {
  readonly #window: number;
  readonly #threshold: Unit;
  /** Of the last visits, the oldest at `#next` once it is full. */
  readonly #onTopic: boolean[] = [];
  #next = 0;
  #sum = 0;

  constructor(window: number, threshold: Unit) {
    this.#window = window;
    this.#threshold = threshold;
  }

  /** A URL was settled; one that was not asked for is passed over. */
  add({ visited, relevance }: Pick<Fate, 'visited' | 'relevance'>): void {
    if (!visited) return;
    const onTopic = isOnTopic(relevance, this.#threshold);
    this.#sum += Number(onTopic) - Number(this.#onTopic[this.#next] ?? false);
    this.#onTopic[this.#next] = onTopic;
    this.#next = (this.#next + 1) % this.#window;
  }

  /** The last visits: as many as the window, or all where there were fewer. */
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
