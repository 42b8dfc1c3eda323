/** The contestants of an evaluation, by name. */
import { UsageError } from '../../base/core/errors.ts';
import { strategyNamed } from '../../reading/links/strategies.ts';
import { STRATEGIES, type Strategy, strategiesThat } from '../../reading/links/strategy-names.ts';
import { type ContestantSuffix, SUFFIXES, suffixOf } from './contestant-suffix.ts';
import { ORACLES, type Oracle, oracle } from './oracles.ts';
import type { Contestant, Trial } from './trial.ts';

export const DEFAULT_CONTESTANTS: readonly string[] = [...strategiesThat(({ competes }) => competes), ...ORACLES];

/** A contestant by its name: a strategy or an oracle, and its aid. */
export interface NamedContestant {
  readonly plain: Strategy | Oracle;
  readonly aid: ContestantSuffix;
}

/**
 * A strategy with the settings of a crawl, or an oracle. Strategies that do not use the topic, and oracles, cross any number of off-topic pages.
 * @param tunnel number of off-topic pages in a row that the others cross
 * @throws UsageError for an unknown name
 */
export function contestantOf(name: string, trial: Omit<Trial, 'budget'>, tunnel: number, seed: number): Contestant {
  const { plain, aid } = contestantNamed(name);
  const common = { name, explore: null, asks: aid.asks, warmUp: aid.warmUp, listed: aid.listed, seed };
  if (isOracle(plain))
    return { ...common, guide: trial.guide, scorer: () => oracle(plain, trial), tunnel: Number.POSITIVE_INFINITY, tie: 'oldest' };
  const { usesTopic, tie, scorer } = strategyNamed(plain);
  return {
    ...common,
    guide: aid.truth ? trial.guide.withTruth(trial.judge.relevant) : trial.guide,
    scorer: (threshold) => scorer({ threshold, seed }),
    tunnel: usesTopic ? tunnel : Number.POSITIVE_INFINITY,
    tie,
  };
}

/** @throws UsageError for an unknown name, and for an aid that changes nothing */
export function contestantNamed(name: string): NamedContestant {
  const { plain, aid } = suffixOf(name);
  const found = [...STRATEGIES, ...ORACLES].find((known) => known === plain);
  if (found === undefined)
    throw new UsageError(
      `--strategies ${name}: not one of ${[...STRATEGIES, ...ORACLES].join(', ')}, perhaps with ${SUFFIXES.join(' or ')} behind it`,
    );
  if (plain !== name && !usesGuide(found))
    throw new UsageError(
      `--strategies ${name}: ${plain} does not look at the topic of pages, so this changes nothing; name ${plain} alone`,
    );
  return { plain: found, aid };
}

function usesGuide(name: Strategy | Oracle): boolean {
  return !isOracle(name) && strategyNamed(name).usesTopic;
}

function isOracle(name: Strategy | Oracle): name is Oracle {
  return ORACLES.some((known) => known === name);
}
