import { fixedScorer } from '../fixed-scorer.ts';
import { strategy } from '../link-strategy.ts';

/** Shark-Search (Hersovici et al. 1998): decay of inherited relevance, anchor against its context, inherited against neighbourhood. */
const SHARK = { delta: 0.5, beta: 0.8, gamma: 0.5 } as const;

/**
 * Shark-Search. An off-topic page inherits full relevance, decayed by δ for each hop since the last on-topic page; that needs no memory of the path.
 * "similarity > 0" is read as relevance ≥ threshold.
 */
export const shark = strategy({
  name: 'shark',
  help: 'Shark-Search: inherited relevance with that of anchor text and context',
  scorer: ({ threshold }) => {
    const { delta, beta, gamma } = SHARK;
    return fixedScorer('shark', 'anchor-and-context', ({ edge: { referrer, link } }) => {
      const inherited = referrer.offTopicDepth === 0 ? delta * referrer.relevance : delta ** (referrer.offTopicDepth + 1);
      const anchor = link.anchorScore ?? 0;
      const context = anchor >= threshold ? 1 : (link.contextScore ?? 0);
      return [
        ['inherited relevance', gamma * inherited],
        ['relevance of anchor', (1 - gamma) * beta * anchor],
        ['relevance of context', (1 - gamma) * (1 - beta) * context],
      ];
    });
  },
});
