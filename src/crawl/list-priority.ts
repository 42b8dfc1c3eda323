import type { LinkScorer, ScorableLink } from '../core/parts.ts';
import type { ListMark, Unit } from '../core/types.ts';

/** The priorities of links by a scorer; that of a list is its own: it is no page that could be on topic, and is asked for before pages. */
export function priorities(scorer: LinkScorer, links: readonly ScorableLink[]): Float32Array {
  const scores = scorer.score(links);
  for (const [i, { edge }] of links.entries()) if (edge?.link.list) scores[i] = priorityOf(edge.link.list);
  return scores;
}

/** 1, halved for each index on the way: a host's index may name many. */
export function priorityOf({ level }: ListMark): Unit {
  return 2 ** -level;
}
