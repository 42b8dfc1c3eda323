/** Rounds of a crawl: links to other hosts wait until a round is over, each URL once. */
import type { Parts } from '../../base/core/parts.ts';
import type { Discovery, FrontierEntry } from '../../base/core/types.ts';
import { priorityOf } from './list-priority.ts';
import { NO_TEXT } from './page-records.ts';

/**
 * Lets the URLs wait that the round held back, with priorities by the present knowledge of the scorer. They are committed with the number of the round.
 * O(discovered URLs).
 * @returns whether there were any
 */
export function beginRound({ frontier, scorer }: Pick<Parts, 'frontier' | 'scorer'>): boolean {
  let any = false;
  for (const page of byReferrer(frontier.held())) {
    frontier.add(released(page, scorer));
    any = true;
  }
  if (any) frontier.note({ round: roundOf(frontier) + 1 });
  return any;
}

/** The round of a crawl, from 1. */
export function roundOf({ notes }: Pick<Parts['frontier'], 'notes'>): number {
  return notes.round ?? 1;
}

/** Neighbours that were found by one way: one discovery stores their referrer once. */
function* byReferrer(held: Iterable<FrontierEntry>): Generator<readonly [FrontierEntry, ...FrontierEntry[]]> {
  let page: [FrontierEntry, ...FrontierEntry[]] | null = null;
  for (const entry of held) {
    if (page !== null && isOneWay(page[0], entry)) {
      page.push(entry);
      continue;
    }
    if (page !== null) yield page;
    page = [entry];
  }
  if (page !== null) yield page;
}

function isOneWay(a: FrontierEntry, b: FrontierEntry): boolean {
  return (
    a.edge?.referrer.url === b.edge?.referrer.url &&
    a.depth === b.depth &&
    a.offTopicDepth === b.offTopicDepth &&
    a.redirects === b.redirects
  );
}

function released(page: readonly [FrontierEntry, ...FrontierEntry[]], scorer: Parts['scorer']): Discovery {
  const [{ edge, depth, offTopicDepth, redirects }] = page;
  const { learnedFrom } = scorer;
  const now = page.map((entry) => ({ ...entry, edge: entry.edge && { ...entry.edge, learnedFrom } }));
  const scores = scorer.score(now);
  const links = page.flatMap(({ url, host, edge: own, task, priority }, i) =>
    task.kind === 'revisit'
      ? []
      : [{ url, host, priority: priorityOf(task, priority) ?? scores[i] ?? priority, refusal: null, text: own?.link ?? NO_TEXT, task }],
  );
  return { referrer: edge?.referrer ?? null, depth, offTopicDepth, redirects, learnedFrom, links };
}
