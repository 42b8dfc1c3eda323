import { strategy } from '../link-strategy.ts';
import { Portfolio } from '../portfolio.ts';
import { anchor } from './anchor.ts';
import { apprentice } from './apprentice-strategy.ts';
import { bfs } from './bfs.ts';
import { parent } from './parent.ts';

/** The learner, its two main ingredients alone, and the order that looks at nothing: insurance if one of them is blind. */
const ARMS = [apprentice, anchor, parent, bfs];

/** Several strategies in turn, by their yield. */
export const portfolio = strategy({
  name: 'portfolio',
  help: `${ARMS.map(({ name }) => name).join(', ')}: each rescoring draws one by their yields`,
  scorer: (settings) =>
    new Portfolio(
      ARMS.map((arm) => arm.scorer(settings)),
      settings.seed,
    ),
});
