import type { LinkJudgement } from '../../base/core/parts/reading.ts';
import type { LinkExplanation, LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Edge, Unit } from '../../base/core/types.ts';

/** A strategy that does not learn: named shares of a link that add up to its priority. */
type Shares = (link: ScorableLink & { readonly edge: Edge }) => readonly (readonly [name: string, share: number])[];

const SUM = 'priority = sum of the contributions';

/** A scorer of such a strategy. @param strategy its name */
export function fixedScorer(strategy: string, judgement: LinkJudgement, shares: Shares): LinkScorer {
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

function hasEdge(link: ScorableLink): link is ScorableLink & { readonly edge: Edge } {
  return link.edge !== null;
}

function clamp(x: number): Unit {
  return Math.min(1, Math.max(0, x));
}
