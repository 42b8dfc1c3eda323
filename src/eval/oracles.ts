/** Link scorers that know the truth: what is left for a strategy to gain. */
import type { LinkScorer, Oracle, ScorableLink } from '../core/parts.ts';
import type { FrozenWeb } from '../corpus/frozen-web.ts';
import type { WebGraph } from './graph.ts';
import type { Judge } from './judge.ts';

/**
 * `one-step` knows whether the page behind a link is on topic (the oracle of Craw4LLM, Yu et al. 2025). `distance` knows how many hops
 * lie between the link and the nearest page on topic, visited or not.
 */
export function oracle(name: Oracle, web: FrozenWeb, graph: WebGraph, judge: Judge): LinkScorer {
  const worth = name === 'one-step' ? Float32Array.from(judge.onTopic) : graph.distances(judge.onTopic).map((hops) => 1 / (1 + hops));
  const priorityOf = ({ url }: ScorableLink) => worth[web.indexOf(url)] ?? 0;
  return {
    strategy: name,
    judgement: 'none',
    learnedFrom: 0,
    score: (links) => Float32Array.from(links, priorityOf),
    explain: (link) => {
      const priority = priorityOf(link);
      return {
        logit: priority,
        bias: 0,
        contributions: [{ feature: 'truth', contribution: priority }],
        priority,
        rule: 'priority = truth',
      };
    },
  };
}
