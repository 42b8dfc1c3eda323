import { fixedScorer } from '../fixed-scorer.ts';
import { strategy } from '../link-strategy.ts';

/** Depth-first. It gets lost in one corner of the web, which shows nothing: it competes only if it is named. */
export const dfs = strategy({
  name: 'dfs',
  help: 'depth-first: the most hops from a seed first',
  scorer: () => fixedScorer('dfs', 'none', ({ depth }) => [['depth / (1 + depth)', depth / (1 + depth)]]),
});
