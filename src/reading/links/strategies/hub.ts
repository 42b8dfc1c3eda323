import { hubScorer } from '../hubs.ts';
import { strategy } from '../link-strategy.ts';

/** Links of the best hub pages (Chakrabarti, van den Berg, Dom 1999). */
export const hub = strategy({
  name: 'hub',
  help: 'links of the pages that link most to pages on topic first',
  scorer: hubScorer,
});
