import type { LinkScorer, Strategy } from '../core/parts.ts';
import { Apprentice, type ApprenticeOptions } from './apprentice.ts';
import { anchorFirst, breadthFirst, depthFirst, parentFirst, randomOrder, sharkSearch } from './baselines.ts';

export const STRATEGIES = ['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'dfs', 'random'] as const satisfies readonly Strategy[];

export interface Settings extends ApprenticeOptions {
  /** Of chance (random). */
  readonly seed: number;
}

/** A fresh link scorer. */
export function linkScorer(strategy: Strategy, settings: Settings): LinkScorer {
  switch (strategy) {
    case 'apprentice':
      return new Apprentice(settings);
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
