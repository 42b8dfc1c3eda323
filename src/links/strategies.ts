import type { LinkScorer, Strategy } from '../core/parts/scoring.ts';
import { Apprentice, type ApprenticeOptions } from './apprentice.ts';
import { anchorFirst, breadthFirst, depthFirst, parentFirst, randomOrder, sharkSearch } from './baselines.ts';
import { authorities, hubs } from './hubs.ts';
import { opic, pageRank } from './importance.ts';
import { Portfolio } from './portfolio.ts';

export const STRATEGIES = [
  'apprentice',
  'parent',
  'anchor',
  'shark',
  'opic',
  'pagerank',
  'hub',
  'authority',
  'bfs',
  'dfs',
  'random',
  'portfolio',
] as const satisfies readonly Strategy[];

/** Those that do not look at the topic: they pass through any number of off-topic pages. */
export const AIMLESS: readonly Strategy[] = ['opic', 'pagerank', 'bfs', 'dfs', 'random'];
/** Those that go by the graph of all links seen: a crawl by one of them is recorded, since its frontier has not all links. */
export const BY_GRAPH: readonly Strategy[] = ['opic', 'pagerank', 'hub', 'authority'];

/** The learner, what it is made of alone, and the order that looks at nothing: insurance where one of them is blind. */
const PORTFOLIO = ['apprentice', 'anchor', 'parent', 'bfs'] as const satisfies readonly Strategy[];

export interface Settings extends ApprenticeOptions {
  /** Of chance (random, portfolio). */
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
    case 'opic':
      return opic();
    case 'pagerank':
      return pageRank();
    case 'hub':
      return hubs();
    case 'authority':
      return authorities();
    case 'bfs':
      return breadthFirst();
    case 'dfs':
      return depthFirst();
    case 'random':
      return randomOrder(settings.seed);
    case 'portfolio':
      return new Portfolio(
        PORTFOLIO.map((one) => linkScorer(one, settings)),
        settings.seed,
      );
  }
}
