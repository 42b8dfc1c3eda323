/** The strategies. To add one, add a file in `strategies/`, its name and traits in `strategy-names.ts`, and the object here. */
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { LinkStrategy, StrategySettings } from './link-strategy.ts';
import { anchor } from './strategies/anchor.ts';
import { apprentice } from './strategies/apprentice-strategy.ts';
import { authority } from './strategies/authority.ts';
import { bfs } from './strategies/bfs.ts';
import { dfs } from './strategies/dfs.ts';
import { hub } from './strategies/hub.ts';
import { opic } from './strategies/opic.ts';
import { pagerank } from './strategies/pagerank.ts';
import { parent } from './strategies/parent.ts';
import { random } from './strategies/random.ts';
import { shark } from './strategies/shark.ts';
import { STRATEGIES, type Strategy } from './strategy-names.ts';

const BY_NAME: { readonly [Name in Strategy]: LinkStrategy<Name> } = {
  apprentice,
  parent,
  anchor,
  shark,
  opic,
  pagerank,
  hub,
  authority,
  bfs,
  dfs,
  random,
};

/** Strategies in the order of their names. */
export const LINK_STRATEGIES: readonly LinkStrategy<Strategy>[] = STRATEGIES.map((name) => BY_NAME[name]);

/** @throws RangeError for an unknown name */
export function strategyNamed(name: Strategy): LinkStrategy<Strategy> {
  const found = LINK_STRATEGIES.find((strategy) => strategy.name === name);
  if (found === undefined) throw new RangeError(`${name}: no strategy`);
  return found;
}

/** A fresh link scorer. */
export function linkScorer(strategy: Strategy, settings: StrategySettings): LinkScorer {
  return strategyNamed(strategy).scorer(settings);
}
