import { authorityScorer } from '../hubs.ts';
import { strategy } from '../link-strategy.ts';

/** The URLs that the best hubs link to most (Kleinberg 1999, weighted by relevance). */
export const authority = strategy({
  name: 'authority',
  help: 'pages that most hubs of the topic link to first',
  scorer: authorityScorer,
});
