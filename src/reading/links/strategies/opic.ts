import { opicScorer } from '../importance.ts';
import { strategy } from '../link-strategy.ts';

/** On-line page importance (Abiteboul, Preda, Cobena 2003). */
export const opic = strategy({
  name: 'opic',
  help: 'the most important page by OPIC first, regardless of the topic',
  scorer: opicScorer,
});
