import { pageRankScorer } from '../importance.ts';
import { strategy } from '../link-strategy.ts';

/** PageRank of the links seen so far. */
export const pagerank = strategy({
  name: 'pagerank',
  help: 'the highest PageRank first, regardless of the topic',
  scorer: pageRankScorer,
});
