import type { LinkScorer, Strategy } from '../core/parts.ts';
import type { Unit } from '../core/types.ts';
import { Apprentice, type Part } from './apprentice.ts';
import { anchorFirst, breadthFirst, depthFirst, parentFirst, randomOrder, sharkSearch } from './baselines.ts';

export const STRATEGIES = ['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'dfs', 'random'] as const satisfies readonly Strategy[];

export interface Settings {
  /** Of the topic. */
  readonly threshold: Unit;
  /** Of chance (random). */
  readonly seed: number;
  /** Parts of the apprentice to leave out, to see what they are worth. */
  readonly without?: ReadonlySet<Part>;
}

/** A fresh link scorer. */
export function linkScorer(strategy: Strategy, settings: Settings): LinkScorer {
  switch (strategy) {
    case 'apprentice':
      return new Apprentice(settings.threshold, settings.without);
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
