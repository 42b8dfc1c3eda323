/** Weights of tokens as evidence, for those with a partner and those without. */
import { type SideTokens, TOKEN } from './side-tokens.ts';

/** Weights of the tokens of a side. */
export interface TokenWeights {
  /** Chance that a translation has the token's partner; 0 for tokens that say nothing. */
  readonly chances: Float32Array;
  /** Share of the tokens of a text that are like this one. */
  readonly shares: Float64Array;
  /** Sums of `log(1 - chance)` of the tokens before each sentence. */
  readonly misses: Float64Array;
}

/** Chances by kind of token, for one whose key is in the other text too. */
const KEPT = [0, 0.4, 0.4, 0.8] as const;
/** Chance for a number that the other text does not have at all. */
const LOST_NUMBER = 0.6;
/** Chance for a word of the translation table. */
const TRANSLATED = 0.7;
/** Tokens of a text by which the table's frequencies count. */
const PRIOR_TOKENS = 500;
/** Frequency of a word that no table has. */
const UNKNOWN_SHARE = 1e-5;

/**
 * @param isKept whether the other text has the key
 * @param tableShare frequency of a word by the table; 0 if it is not in there. null without a table
 */
export function tokenWeights(
  side: SideTokens,
  isKept: (key: number) => boolean,
  tableShare: ((word: number) => number) | null,
): TokenWeights {
  const size = side.starts.at(-1) ?? 0;
  const counts = new Map<number, number>();
  for (let at = 0; at < size; at++) counts.set(side.words[at] as number, (counts.get(side.words[at] as number) ?? 0) + 1);
  const chances = new Float32Array(size);
  const shares = new Float64Array(size);
  const misses = new Float64Array(side.lengths.length + 1);
  for (let sentence = 0; sentence < side.lengths.length; sentence++) {
    let miss = misses[sentence] as number;
    for (let at = side.starts[sentence] as number; at < (side.starts[sentence + 1] as number); at++) {
      const word = side.words[at] as number;
      const kind = side.kinds[at] as number;
      const known = kind === TOKEN.sign ? 0 : (tableShare?.(word) ?? 0);
      const lost = kind === TOKEN.number ? LOST_NUMBER : 0;
      const kept = kind !== TOKEN.plain && isKept(side.keys[at] as number) ? (KEPT[kind] as number) : lost;
      const chance = Math.max(kept, known > 0 ? TRANSLATED : 0);
      chances[at] = chance;
      shares[at] = ((counts.get(word) as number) + PRIOR_TOKENS * Math.max(known, UNKNOWN_SHARE)) / (size + PRIOR_TOKENS);
      miss += Math.log(1 - chance);
    }
    misses[sentence + 1] = miss;
  }
  return { chances, shares, misses };
}
