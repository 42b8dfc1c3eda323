/** Link scorers with knowledge of the truth: they show how much a strategy could still gain. */
import type { LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import { nearestFirst } from './best-orders.ts';
import type { Trial } from './trial.ts';
import { errandOf } from './trial.ts';

/** Orders with knowledge of the truth, for scale: only evaluations have them. */
export const ORACLES = ['one-step', 'distance'] as const;
export type Oracle = (typeof ORACLES)[number];

/** Priorities are single precision, so this many places in an order below 1 are distinct. */
const PLACES = 2 ** 24;

/**
 * `one-step` knows whether the page behind a link is on topic (the oracle of Craw4LLM, Yu et al. 2025). `distance` knows the whole web: it always
 * goes to the nearest on-topic page not found yet. Both are greedy and no upper bound; `mostFound` is.
 */
export function oracle(name: Oracle, trial: Omit<Trial, 'budget'>): LinkScorer {
  const worth = name === 'one-step' ? Float32Array.from(trial.judge.onTopic) : worthByOrder(trial);
  const priorityOf = ({ url }: ScorableLink) => worth[trial.web.indexOf(url)] ?? 0;
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

function worthByOrder(trial: Omit<Trial, 'budget'>): Float32Array {
  const worth = new Float32Array(trial.web.size);
  for (const [place, url] of nearestFirst(errandOf(trial)).entries()) worth[url] = 1 - place / PLACES;
  return worth;
}
