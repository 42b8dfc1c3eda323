/** One partner for each page, and a reason for each page without one. */
import { sigmoid } from '../../base/core/odds.ts';
import type { Unit } from '../../base/core/types.ts';
import { byRank, type PairEdge } from './page-edges.ts';
import { type PairedBy, pairedBy } from './page-evidence.ts';
import type { NoPartnerReason } from './page-no-partner.ts';

export interface PagePair {
  /** Ordinals of the records, in the order of `add`. */
  readonly left: number;
  readonly right: number;
  readonly by: PairedBy;
  /** True if both pages state it (`hreflang`, `link`), or if no other page fits either of them better (`url`, `structure`). */
  readonly isReciprocal: boolean;
  readonly score: Unit;
}

/** Pairs of the best candidates first, by numbers of sketches. */
export function assignedPairs(edges: readonly PairEdge[]): readonly PagePair[] {
  const taken = new Set<number>();
  const seen = new Set<number>();
  const pairs: PagePair[] = [];
  for (const { left, right, logit, evidence } of edges.filter(isLikely).sort(byRank)) {
    const isFirst = !seen.has(left) && !seen.has(right);
    seen.add(left).add(right);
    if (taken.has(left) || taken.has(right)) continue;
    taken.add(left).add(right);
    const by = pairedBy(evidence);
    const stated = by === 'hreflang' ? evidence.declarations : evidence.links;
    const isReciprocal = by === 'hreflang' || by === 'link' ? stated > 1 : isFirst;
    pairs.push({ left, right, by, isReciprocal, score: sigmoid(logit) });
  }
  return pairs;
}

function isLikely({ logit, isSameText }: PairEdge): boolean {
  return logit > 0 && !isSameText;
}

/** Reasons of pages that have candidates and no partner, by their best candidate. */
export function edgeReasons(edges: readonly PairEdge[]): ReadonlyMap<number, NoPartnerReason> {
  const best = new Map<number, PairEdge>();
  for (const edge of edges)
    for (const page of [edge.left, edge.right]) if (edge.logit > (best.get(page)?.logit ?? Number.NEGATIVE_INFINITY)) best.set(page, edge);
  return new Map([...best].map(([page, edge]) => [page, edgeReason(edge)]));
}

function edgeReason({ isSameText, logit }: PairEdge): NoPartnerReason {
  if (isSameText) return 'same-text';
  return logit > 0 ? 'partner-taken' : 'too-unlike';
}
