/** Links that a crawl refused for their names, before it read documents of that kind: they wait after all. */

import type { Parts } from '../../base/core/parts.ts';
import { storedReason, wordOf } from '../../base/core/reason.ts';
import { alternateIn, type CanonicalUrl, type Discovery, type FrontierEntry, type LinkText, PAGE } from '../../base/core/types.ts';
import { priorityOf } from './list-priority.ts';

type Readmitting = Pick<Parts, 'frontier' | 'scope' | 'scorer' | 'hostKeyOf'>;

/** @returns how many wait now. O(discovered URLs) */
export function readmitDocuments(parts: Readmitting): number {
  const { frontier, scope } = parts;
  const refused: CanonicalUrl[] = [];
  for (const { url, state, reason, status } of frontier.ledger())
    if (state === 'refused' && status === null && wordOf(storedReason(reason)) === 'content-type' && scope.refuses(url) === null)
      refused.push(url);
  let added = 0;
  for (const url of refused) {
    const entry = frontier.find(url)?.entry;
    if (entry?.edge) {
      frontier.add(discoveryOf(entry, parts));
      added += 1;
    }
  }
  return added;
}

const NO_LINK: LinkText = { anchorText: '', context: '', imageAlt: '', zone: 'other', tagPath: '', anchorScore: null, contextScore: null };

/** The link by which the URL was found, without the refusal. */
function discoveryOf(entry: FrontierEntry, { scorer, hostKeyOf }: Readmitting): Discovery {
  const { url, depth, offTopicDepth, redirects, edge } = entry;
  const task = alternateIn(entry.task) ?? PAGE;
  const priority = priorityOf(task, entry.priority) ?? scorer.score([entry])[0] ?? 0;
  const link = { url, host: hostKeyOf(url), priority, refusal: null, text: edge?.link ?? NO_LINK, task };
  return { referrer: edge?.referrer ?? null, depth, offTopicDepth, redirects, learnedFrom: scorer.learnedFrom, links: [link] };
}
