/** Estimates the share on topic of the waiting URLs, from the random visits. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Fate, FrontierEntry, Unit } from '../../base/core/types.ts';
import { type Interval, wilson } from '../../reading/topic/wilson.ts';

/** Results of random visits; the share has its 95 % interval. */
export interface ExploredYield extends Interval {
  readonly visits: number;
  readonly onTopic: number;
}

/** Counts settled URLs, with their current relevances. */
export class ExplorationCount {
  readonly #threshold: Unit;
  #visits = 0;
  #onTopic = 0;

  constructor(threshold: Unit) {
    this.#threshold = threshold;
  }

  add({ explored }: FrontierEntry, { visited, relevance }: Fate): void {
    if (!explored || !visited) return;
    this.#visits += 1;
    if (isOnTopic(relevance, this.#threshold)) this.#onTopic += 1;
  }

  /** null before the first visit. */
  measured(): ExploredYield | null {
    if (this.#visits === 0) return null;
    return { visits: this.#visits, onTopic: this.#onTopic, ...wilson(this.#onTopic, this.#visits) };
  }
}
