import type { Unit } from '../../base/core/types.ts';
import type { AlignSide } from './aligned-text.ts';
import { GALE_CHURCH_VARIANCE, lengthGain } from './length-gain.ts';
import { sideTokens } from './side-tokens.ts';
import type { TranslationTable } from './translation-table.ts';
import { WordGains } from './word-gain.ts';

/** Weights of a logistic regression on manuals of Debian, by `npm run bench -- align --fit`: with a table, and without. */
const WEIGHTS = {
  table: { base: 0, words: 3, length: 0.5 },
  plain: { base: 0, words: 3, length: 0.5 },
} as const;

/** Evidence that two texts translate each other. */
export interface PairEvidence {
  /** Nats a token. */
  readonly words: number;
  readonly length: number;
}

/** @param ratio characters of the right language for each of the left one */
export function pairEvidence(left: AlignSide, right: AlignSide, table: TranslationTable | null, ratio = 1): PairEvidence {
  const tokens = [left, right].map(({ text }) => sideTokens(text, [{ start: 0, end: text.length }]));
  const [lefts, rights] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
  const words = new WordGains(lefts, rights, table);
  words.prepare(0, 0, 1, Number.POSITIVE_INFINITY);
  const size = lefts.words.length + rights.words.length;
  return {
    words: words.gain(0, 1, 0, 1) / Math.max(1, Math.sqrt(size)),
    length: lengthGain(left.text.length, right.text.length, { ratio, variance: GALE_CHURCH_VARIANCE }),
  };
}

/** Probability that the two texts translate each other. */
export function pairScore(left: AlignSide, right: AlignSide, table: TranslationTable | null): Unit {
  const { words, length } = pairEvidence(left, right, table);
  const weights = table === null ? WEIGHTS.plain : WEIGHTS.table;
  return 1 / (1 + Math.exp(-(weights.base + weights.words * words + weights.length * length)));
}
