/** The scorer of a strategy of the user. Its module has judged each link in a thread of its own, when the page with the link was read: this reads its word. */
import type { LinkJudgement } from '../../base/core/parts/reading.ts';
import type { LinkExplanation, LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Edge, OwnScore } from '../../base/core/types.ts';

const SEED: OwnScore = { priority: 1, contributions: [['seed', 1]], rule: 'a seed has priority 1' };
const SUM = 'priority = sum of the contributions, by a strategy of the user';

/** @param strategy path of its module */
export function ownScorer(strategy: string, judgement: LinkJudgement): LinkScorer {
  return {
    strategy,
    judgement,
    learnedFrom: 0,
    score: (links) => Float32Array.from(links, (link) => scoreOf(link).priority),
    explain: (link) => explained(scoreOf(link)),
  };
}

function scoreOf({ edge }: ScorableLink): OwnScore {
  if (edge === null) return SEED;
  return edge.link.own ?? fallbackScore(edge, 'the strategy was not asked about this link');
}

/** The score of a link that the strategy gave none: the relevance of its page, as by the strategy `parent`. @param why cause, for `why` */
export function fallbackScore({ referrer: { relevance } }: Pick<Edge, 'referrer'>, why: string): OwnScore {
  const priority = Math.fround(relevance);
  return { priority, contributions: [['referrer relevance', priority]], rule: `${why}; priority = relevance of the page with the link` };
}

function explained({ priority, bias = 0, contributions, rule = SUM }: OwnScore): LinkExplanation {
  const parts = contributions.map(([feature, contribution]) => ({ feature, contribution }));
  const logit = parts.reduce((sum, { contribution }) => sum + contribution, bias);
  return { logit, bias, contributions: parts, priority: Math.fround(priority), rule };
}
