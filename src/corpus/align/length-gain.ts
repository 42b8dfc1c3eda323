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
const SPREAD_OF_VARIANCE = Math.log(GALE_CHURCH_VARIANCE) / 2;
/** Spread of lengths of sentences that do not belong together, as a share of their length: about that of the sentences of a manual. */
const UNRELATED_SPREAD = 2.5;
/** Lowest evidence of a length: translators abridge and explain, so no length excludes a pair. */
const FLOOR = -8;

/** Logarithms of `(UNRELATED_SPREAD * mean + 1) / sqrt(2 * pi * spread)` without the variance, by the whole part of the mean. */
const SPREADS = Float64Array.from({ length: 4096 }, (_, mean) =>
  Math.log((UNRELATED_SPREAD * mean + 1) / Math.sqrt(2 * Math.PI * (mean + 1))),
);

/** Logarithm of how much likelier two lengths are for translations than for unrelated sentences. */
export function lengthGain(left: number, right: number, { ratio, variance }: LengthModel): number {
  const expected = left * ratio;
  const mean = (expected + right) / 2;
  const distance = (right - expected) ** 2 / (variance * (mean + 1));
  return Math.max(FLOOR, (SPREADS[Math.min(SPREADS.length - 1, Math.floor(mean))] as number) - SPREAD_OF_VARIANCE - distance / 2);
}
