/** The only list of strategies. To add one, add a file in `strategies/` and a name here. */
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

export const LINK_STRATEGIES = [apprentice, parent, anchor, shark, opic, pagerank, hub, authority, bfs, dfs, random] as const;

export type Strategy = (typeof LINK_STRATEGIES)[number]['name'];
/** Their names, in that order. */
export const STRATEGIES: readonly Strategy[] = LINK_STRATEGIES.map(({ name }) => name);

/** @throws RangeError for an unknown name */
export function strategyNamed(name: Strategy): LinkStrategy<Strategy> {
  const found = LINK_STRATEGIES.find((strategy) => strategy.name === name);
  if (found === undefined) throw new RangeError(`${name}: no strategy`);
  return found;
}

/** The names of the strategies for which `are` holds. */
export function strategiesThat(are: (strategy: LinkStrategy) => boolean): readonly Strategy[] {
  return LINK_STRATEGIES.filter(are).map(({ name }) => name);
}

/** A fresh link scorer. */
export function linkScorer(strategy: Strategy, settings: StrategySettings): LinkScorer {
  return strategyNamed(strategy).scorer(settings);
}
