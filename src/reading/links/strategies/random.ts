import { combineHashes, hashWord } from '../../../base/text/tokens.ts';
import { fixedScorer } from '../fixed-scorer.ts';
import { strategy } from '../link-strategy.ts';

/** Strategy that orders by a hash of seed and URL: the same order in every run with that seed. */
export const random = strategy({
  name: 'random',
  help: 'any order, the same with the same seed',
  scorer: ({ seed }) => {
    const salt = hashWord(`random order ${seed}`);
    return fixedScorer('random', 'none', ({ url }) => [['hash of the URL', (combineHashes(salt, hashWord(url)) >>> 0) / 2 ** 32]]);
  },
});
