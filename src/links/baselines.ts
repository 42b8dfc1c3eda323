import type { LinkJudgement } from '../core/parts/reading.ts';
import type { LinkExplanation, LinkScorer, ScorableLink, Strategy } from '../core/parts/scoring.ts';
import type { Edge, Unit } from '../core/types.ts';
import { combineHashes, hashWord } from '../text/tokens.ts';

/** A strategy that does not learn: named shares of a link that add up to its priority. */
type Shares = (link: ScorableLink & { readonly edge: Edge }) => readonly (readonly [name: string, share: number])[];

const SUM = 'priority = sum of the contributions';

/** Shark-Search (Hersovici et al. 1998): decay of inherited relevance, anchor against its context, inherited against neighbourhood. */
const SHARK = { delta: 0.5, beta: 0.8, gamma: 0.5 } as const;

function fixed(strategy: Strategy, judgement: LinkJudgement, shares: Shares): LinkScorer {
  const sum = (link: ScorableLink & { readonly edge: Edge }) => shares(link).reduce((total, [, share]) => total + share, 0);
  return {
    strategy,
    judgement,
    learnedFrom: 0,
    score: (links) => Float32Array.from(links, (link) => (hasEdge(link) ? clamp(sum(link)) : 1)),
    explain(link): LinkExplanation {
      if (!hasEdge(link))
        return { logit: 1, bias: 0, contributions: [{ feature: 'seed', contribution: 1 }], priority: 1, rule: 'a seed has priority 1' };
      const contributions = shares(link).map(([feature, contribution]) => ({ feature, contribution }));
      return { logit: sum(link), bias: 0, contributions, priority: Math.fround(clamp(sum(link))), rule: SUM };
    },
  };
}

/** Breadth-first: nearer to a seed first; the frontier takes the earlier discovered of two. */
export const breadthFirst = (): LinkScorer => fixed('bfs', 'none', ({ depth }) => [['1 / (1 + depth)', 1 / (1 + depth)]]);

/** Depth-first: deeper first; the frontier is opened with the tie 'newest'. */
export const depthFirst = (): LinkScorer => fixed('dfs', 'none', ({ depth }) => [['depth / (1 + depth)', depth / (1 + depth)]]);

/** Any order: a hash of seed and URL, so that it is the same in every run with that seed. */
export function randomOrder(seed: number): LinkScorer {
  const salt = hashWord(`random order ${seed}`);
  return fixed('random', 'none', ({ url }) => [['hash of the URL', (combineHashes(salt, hashWord(url)) >>> 0) / 2 ** 32]]);
}

/** Best-first by the relevance of the page that has the link. */
export const parentFirst = (): LinkScorer => fixed('parent', 'none', ({ edge }) => [['referrer relevance', edge.referrer.relevance]]);

/** Best-first by the page model's relevance of anchor text and context. */
export const anchorFirst = (): LinkScorer =>
  fixed('anchor', 'context', ({ edge }) => [['relevance of anchor and context', edge.link.contextScore ?? 0]]);

/**
 * Shark-Search. What an off-topic page inherits from its ancestors is taken as full relevance decayed by δ for each
 * hop since the last on-topic page, which needs no memory of the way; "similarity > 0" reads as relevance ≥ threshold.
 */
export function sharkSearch(threshold: Unit): LinkScorer {
  const { delta, beta, gamma } = SHARK;
  return fixed('shark', 'anchor-and-context', ({ edge: { referrer, link } }) => {
    const inherited = referrer.offTopicDepth === 0 ? delta * referrer.relevance : delta ** (referrer.offTopicDepth + 1);
    const anchor = link.anchorScore ?? 0;
    const context = anchor >= threshold ? 1 : (link.contextScore ?? 0);
    return [
      ['inherited relevance', gamma * inherited],
      ['relevance of anchor', (1 - gamma) * beta * anchor],
      ['relevance of context', (1 - gamma) * (1 - beta) * context],
    ];
  });
}

function hasEdge(link: ScorableLink): link is ScorableLink & { readonly edge: Edge } {
  return link.edge !== null;
}

function clamp(x: number): Unit {
  return Math.min(1, Math.max(0, x));
}
