import { isOnTopic } from '../../base/core/on-topic.ts';
import { shareOf } from '../../base/core/share.ts';
import type { Fate, Topic, Unit } from '../../base/core/types.ts';

/** Results of one topic in a crawl of several. A page on two topics counts for both. */
export interface TopicYield extends Topic {
  /** Pages in the corpus that are on this topic. */
  readonly kept: number;
  /** The share of all visits that are on this topic. */
  readonly harvestRate: Unit;
  /** Mean relevance of the kept pages to this topic; null if there are none. */
  readonly meanRelevance: Unit | null;
}

/** Counts, for each topic of several, the visits of a crawl one by one. */
export class TopicYields {
  readonly #topics: readonly Topic[];
  readonly #counts: { onTopic: number; kept: number; relevance: number }[];
  #visited = 0;

  constructor(topics: readonly Topic[]) {
    this.#topics = topics;
    this.#counts = topics.map(() => ({ onTopic: 0, kept: 0, relevance: 0 }));
  }

  add({ visited, state, relevances = [] }: Pick<Fate, 'visited' | 'state' | 'relevances'>): void {
    if (visited) this.#visited += 1;
    for (const [i, count] of this.#counts.entries()) {
      const relevance = relevances[i];
      if (relevance === undefined || !isOnTopic(relevance, this.#topics[i]?.threshold ?? 1)) continue;
      count.onTopic += 1;
      if (state !== 'kept') continue;
      count.kept += 1;
      count.relevance += relevance;
    }
  }

  /** Yields, in the order of the topics. */
  measured(): TopicYield[] {
    return this.#topics.map((topic, i) => {
      const { onTopic, kept, relevance } = this.#counts[i] ?? { onTopic: 0, kept: 0, relevance: 0 };
      const harvestRate = shareOf(onTopic, this.#visited);
      return { ...topic, kept, harvestRate, meanRelevance: kept === 0 ? null : relevance / kept };
    });
  }
}
