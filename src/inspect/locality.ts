/** Do links of on-topic pages lead to on-topic pages? Measured on the links a crawl has followed. */
import { isOnTopic } from '../core/on-topic.ts';
import type { Fate, FrontierEntry, Unit } from '../core/types.ts';
import { isListed } from '../reader/read-list.ts';

/** Links that were followed, and how many of them led to an on-topic page. */
export interface FollowedLinks {
  readonly followed: number;
  readonly onTopic: number;
}

/**
 * Measured locality. Each URL that was asked for counts once, by the link it was followed by; one that gave no page counts as off topic, and a
 * redirect with its target. What a sitemap or feed named was no link of a page. A crawl follows the links it thinks best: of all links that lead out of its pages, fewer would be on topic.
 */
export interface MeasuredLocality {
  readonly ofOnTopicPages: FollowedLinks;
  readonly ofOffTopicPages: FollowedLinks;
}

/** Counted over settled URLs, relevances as they are now. */
export class LocalityCount {
  readonly #threshold: Unit;
  readonly #on = { followed: 0, onTopic: 0 };
  readonly #off = { followed: 0, onTopic: 0 };

  constructor(threshold: Unit) {
    this.#threshold = threshold;
  }

  add({ edge, task }: FrontierEntry, { state, visited, relevance }: Fate): void {
    if (edge === null || !visited || state === 'fetched' || task.kind !== 'page' || isListed(edge.link)) return;
    const side = isOnTopic(edge.referrer.relevance, this.#threshold) ? this.#on : this.#off;
    side.followed += 1;
    if (isOnTopic(relevance, this.#threshold)) side.onTopic += 1;
  }

  measured(): MeasuredLocality {
    return { ofOnTopicPages: { ...this.#on }, ofOffTopicPages: { ...this.#off } };
  }
}
