import type { LinkScorer, Strategy } from '../core/parts.ts';
import type { Unit } from '../core/types.ts';
import { Apprentice } from './apprentice.ts';
import { anchorFirst, breadthFirst, depthFirst, parentFirst, randomOrder, sharkSearch } from './baselines.ts';

export const STRATEGIES = ['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'dfs', 'random'] as const satisfies readonly Strategy[];

/** A fresh link scorer. @param settings the topic's threshold (shark), and the seed of chance (random). */
export function linkScorer(strategy: Strategy, settings: { readonly threshold: Unit; readonly seed: number }): LinkScorer {
  switch (strategy) {
    case 'apprentice':
      return new Apprentice();
    case 'parent':
      return parentFirst();
    case 'anchor':
      return anchorFirst();
    case 'shark':
      return sharkSearch(settings.threshold);
    case 'bfs':
      return breadthFirst();
    case 'dfs':
      return depthFirst();
    case 'random':
      return randomOrder(settings.seed);
  }
}
