/** What competes, by its name. */
import { UsageError } from '../core/errors.ts';
import type { Oracle, Strategy } from '../core/parts.ts';
import { linkScorer, STRATEGIES } from '../links/strategies.ts';
import { oracle } from './oracles.ts';
import type { Contestant, Trial } from './trial.ts';

const ORACLES = ['one-step', 'distance'] as const satisfies readonly Oracle[];
/** Depth-first is left out: it gets lost in one corner of the web, which tells nothing. */
export const DEFAULT_CONTESTANTS: readonly string[] = [...STRATEGIES.filter((name) => name !== 'dfs'), ...ORACLES];

/**
 * A strategy with the settings of a crawl, or an oracle. What does not look at the topic, and what knows it, goes through any number of
 * off-topic pages.
 * @param tunnel off-topic pages in a row that the others pass through
 * @throws UsageError for a name that is none
 */
export function contestantOf(name: string, trial: Omit<Trial, 'budget' | 'starts'>, tunnel: number, seed: number): Contestant {
  const { web, graph, judge, guide } = trial;
  const found = contestantNamed(name);
  if (isOracle(found)) return { name, scorer: () => oracle(found, web, graph, judge), tunnel: Number.POSITIVE_INFINITY };
  const aimless = found === 'bfs' || found === 'dfs' || found === 'random';
  const scorer = () => linkScorer(found, { threshold: guide.model.threshold, seed });
  return { name, scorer, tunnel: aimless ? Number.POSITIVE_INFINITY : tunnel };
}

/** @throws UsageError */
export function contestantNamed(name: string): Strategy | Oracle {
  const found = [...STRATEGIES, ...ORACLES].find((known) => known === name);
  if (found !== undefined) return found;
  throw new UsageError(`--strategies ${name}: not one of ${[...STRATEGIES, ...ORACLES].join(', ')}`);
}

function isOracle(name: Strategy | Oracle): name is Oracle {
  return ORACLES.some((known) => known === name);
}
