import { fixedScorer } from '../fixed-scorer.ts';
import { strategy } from '../link-strategy.ts';

/** Breadth-first; of two URLs, the frontier takes the one discovered earlier. */
export const bfs = strategy({
  name: 'bfs',
  help: 'breadth-first: the fewest hops from a seed first',
  scorer: () => fixedScorer('bfs', 'none', ({ depth }) => [['1 / (1 + depth)', 1 / (1 + depth)]]),
});
