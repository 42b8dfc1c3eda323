/** Do links of on-topic pages lead to on-topic pages? Measures it on the links that a crawl followed. */

import { isListed } from '../../base/core/listed-links.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Fate, FrontierEntry, Unit } from '../../base/core/types.ts';

/** Followed links, and how many of them led to an on-topic page. */
export interface FollowedLinks {
  readonly followed: number;
  readonly onTopic: number;
}

/**
 * Measured locality. Each requested URL counts once, for the link through which the crawl reached it. A URL without a page counts as off topic, and a
 * redirect counts with its target. URLs from a sitemap or feed do not count, since no page linked to them. A crawl follows the links that it rates best:
 * of all links on its pages, fewer would lead to on-topic pages.
 */
export interface MeasuredLocality {
  readonly ofOnTopicPages: FollowedLinks;
  readonly ofOffTopicPages: FollowedLinks;
}

/** Counts settled URLs, with their current relevances. */
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
