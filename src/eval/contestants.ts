/** The contestants of an evaluation, by name. */
import { UsageError } from '../core/errors.ts';
import { STRATEGIES, type Strategy, strategiesThat, strategyNamed } from '../links/strategies.ts';
import { ORACLES, type Oracle, oracle } from './oracles.ts';
import type { Contestant, Trial } from './trial.ts';

export const DEFAULT_CONTESTANTS: readonly string[] = [...strategiesThat(({ competes }) => competes), ...ORACLES];

/**
 * A strategy with the settings of a crawl, or an oracle. Strategies that do not use the topic, and oracles, cross any number of off-topic pages.
 * @param tunnel number of off-topic pages in a row that the others cross
 * @throws UsageError for an unknown name
 */
export function contestantOf(name: string, trial: Omit<Trial, 'budget'>, tunnel: number, seed: number): Contestant {
  const found = contestantNamed(name);
  if (isOracle(found)) return { name, scorer: () => oracle(found, trial), tunnel: Number.POSITIVE_INFINITY, explore: null, tie: 'oldest' };
  const { usesTopic, tie, scorer } = strategyNamed(found);
  return {
    name,
    scorer: () => scorer({ threshold: trial.guide.model.threshold, seed }),
    tunnel: usesTopic ? tunnel : Number.POSITIVE_INFINITY,
    explore: null,
    tie,
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
