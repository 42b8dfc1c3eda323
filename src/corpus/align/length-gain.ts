/** Evidence of lengths, after Gale and Church, "A Program for Aligning Sentences in Bilingual Corpora" (Computational Linguistics 19:1, 1993). */

/** Relation of the lengths of translations. */
export interface LengthModel {
  /** Characters of the right text for each of the left text. */
  readonly ratio: number;
  /** Variance of the right length for each character. */
  readonly variance: number;
}

/** Variance of Gale and Church, from translated paragraphs of bank reports. */
export const GALE_CHURCH_VARIANCE = 6.8;
/** Spread of lengths of sentences that do not belong together, as a share of their length: about that of the sentences of a manual. */
const UNRELATED_SPREAD = 2.5;
/** Lowest evidence of a length: translators abridge and explain, so no length excludes a pair. */
const FLOOR = -8;

/** Logarithm of how much likelier two lengths are for translations than for unrelated sentences. */
export function lengthGain(left: number, right: number, { ratio, variance }: LengthModel): number {
  const expected = left * ratio;
  const mean = (expected + right) / 2;
  const spread = variance * mean + 1;
  const distance = (right - expected) ** 2 / spread;
  return Math.max(FLOOR, -distance / 2 + Math.log((UNRELATED_SPREAD * mean + 1) / Math.sqrt(2 * Math.PI * spread)));
}
