/** What competes, by its name. */
import { UsageError } from '../core/errors.ts';
import type { Oracle, Strategy } from '../core/parts/scoring.ts';
import { AIMLESS, BY_GRAPH, linkScorer, STRATEGIES } from '../links/strategies.ts';
import { oracle } from './oracles.ts';
import type { Contestant, Trial } from './trial.ts';

const ORACLES = ['one-step', 'distance'] as const satisfies readonly Oracle[];
/** Depth-first is left out, since it gets lost in one corner of the web, which tells nothing; and those by the graph of links, for the time they take. */
export const DEFAULT_CONTESTANTS: readonly string[] = [
  ...STRATEGIES.filter((name) => name !== 'dfs' && !BY_GRAPH.includes(name)),
  ...ORACLES,
];

/**
 * A strategy with the settings of a crawl, or an oracle. What does not look at the topic, and what knows it, goes through any number of
 * off-topic pages.
 * @param tunnel off-topic pages in a row that the others pass through
 * @throws UsageError for a name that is none
 */
export function contestantOf(name: string, trial: Omit<Trial, 'budget'>, tunnel: number, seed: number): Contestant {
  const found = contestantNamed(name);
  if (isOracle(found)) return { name, scorer: () => oracle(found, trial), tunnel: Number.POSITIVE_INFINITY, explore: null };
  return {
    name,
    scorer: () => linkScorer(found, { threshold: trial.guide.model.threshold, seed }),
    tunnel: AIMLESS.includes(found) ? Number.POSITIVE_INFINITY : tunnel,
    explore: null,
  };
}

/** @throws UsageError */
export function contestantNamed(name: string): Strategy | Oracle {
  const found = [...STRATEGIES, ...ORACLES].find((known) => known === name);
  if (found === undefined) throw new UsageError(`--strategies ${name}: not one of ${[...STRATEGIES, ...ORACLES].join(', ')}`);
  return found;
}

function isOracle(name: Strategy | Oracle): name is Oracle {
  return ORACLES.some((known) => known === name);
}
