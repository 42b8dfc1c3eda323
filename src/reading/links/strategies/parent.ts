import { fixedScorer } from '../fixed-scorer.ts';
import { strategy } from '../link-strategy.ts';

/** Best-first by the page that has the link. */
export const parent = strategy({
  name: 'parent',
  help: 'links of the most relevant pages first',
  scorer: () => fixedScorer('parent', 'none', ({ edge }) => [['referrer relevance', edge.referrer.relevance]]),
});
