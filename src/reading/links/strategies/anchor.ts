import { fixedScorer } from '../fixed-scorer.ts';
import { strategy } from '../link-strategy.ts';

/** Best-first by the page model's relevance of anchor text and context. */
export const anchor = strategy({
  name: 'anchor',
  help: 'links with the most relevant anchor text and context first',
  scorer: () => fixedScorer('anchor', 'context', ({ edge }) => [['relevance of anchor and context', edge.link.contextScore ?? 0]]),
});
