import { strategy } from '../link-strategy.ts';
import { Portfolio } from '../portfolio.ts';
import { anchor } from './anchor.ts';
import { apprentice } from './apprentice-strategy.ts';
import { bfs } from './bfs.ts';
import { parent } from './parent.ts';

/** The learner, what it is made of alone, and the order that looks at nothing: insurance where one of them is blind. */
const ARMS = [apprentice, anchor, parent, bfs];

/** Several strategies by turns, by what they yielded. */
export const portfolio = strategy({
  name: 'portfolio',
  help: `${ARMS.map(({ name }) => name).join(', ')} by turns, by what each yielded`,
  scorer: (settings) =>
    new Portfolio(
      ARMS.map((arm) => arm.scorer(settings)),
      settings.seed,
    ),
});
