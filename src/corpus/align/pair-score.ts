import type { Unit } from '../../base/core/types.ts';
import type { AlignSide } from './aligned-text.ts';
import { GALE_CHURCH_VARIANCE, lengthGain } from './length-gain.ts';
import { sideTokens } from './side-tokens.ts';
import type { TranslationTable } from './translation-table.ts';
import { WordGains } from './word-gain.ts';

/**
 * Weights of the evidence with a table, and without, and of the odds of pair and page. Those of a pair are a logistic regression on manuals of Debian, by `npm run bench -- align-noise --use tuning --fit`.
 * For a page the regression gives [-1.1, 1, 0.3]; a pair counts a little less here, since a page with the wrong partner costs a corpus more.
 */
const PAIR_WEIGHTS = { table: [-2.2, 1.67, 0.32, 0.91], plain: [-0.14, 0.76, 1.11, 1.38] } as const;
const PAGE_WEIGHTS = [-1.5, 0.8, 0.8] as const;
/** Pairs of sentences by which the weights of a table count half: one that was learned from a few pages knows too few words. */
const FEW_PAIRS = 100;
/** Odds of a sentence without partner, for the page. */
const ALONE = -4;

/** Evidence that two texts translate each other: a constant, words by the root of their number, words by their number, lengths. In nats. */
export type PairEvidence = readonly [one: number, words: number, wordsEach: number, lengths: number];

/** @param ratio characters of the right language for each of the left one */
export function pairEvidence(left: AlignSide, right: AlignSide, table: TranslationTable | null, ratio: number): PairEvidence {
  const lefts = sideTokens(left.text, [{ start: 0, end: left.text.length }]);
  const rights = sideTokens(right.text, [{ start: 0, end: right.text.length }]);
  const words = new WordGains(lefts, rights, table);
  words.prepare(0, 0, 1, Number.POSITIVE_INFINITY);
  const gain = words.gain(0, 1, 0, 1);
  const size = Math.max(1, lefts.words.length + rights.words.length);
  const lengths = lengthGain(left.text.length, right.text.length, { ratio, variance: GALE_CHURCH_VARIANCE });
  return [1, gain / Math.sqrt(size), gain / size, lengths];
}

/** Logarithm of the odds that the evidence gives. */
export function beadOdds(evidence: PairEvidence, table: TranslationTable | null): number {
  const plain = dot(PAIR_WEIGHTS.plain, evidence);
  const pairs = table?.columns.pairs ?? 0;
  return plain + (pairs / (pairs + FEW_PAIRS)) * (dot(PAIR_WEIGHTS.table, evidence) - plain);
}

/** Odds of a page by those of its pairs, each weighted by its sentences. @param alone sentences without partner */
export function pageOdds(pairs: readonly { readonly odds: number; readonly sentences: number }[], alone: number): number {
  const sentences = pairs.reduce((sum, pair) => sum + pair.sentences, 0);
  const odds = pairs.reduce((sum, pair) => sum + pair.odds * pair.sentences, 0);
  return (odds + ALONE * alone) / Math.max(1, sentences + alone);
}

/** Probability that a pair of sentences is right, by its own odds and those of its page. */
export function scoreOnPage(pair: number, page: number): Unit {
  return logistic(dot(PAGE_WEIGHTS, [1, pair, page]));
}

/** Probability that the two texts translate each other, by their own evidence alone. */
export function pairScore(left: AlignSide, right: AlignSide, table: TranslationTable | null): Unit {
  return logistic(beadOdds(pairEvidence(left, right, table, table?.columns.ratio ?? 1), table));
}

function dot(weights: readonly number[], values: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (values[i] ?? 0), 0);
}

function logistic(odds: number): Unit {
  return 1 / (1 + Math.exp(-odds));
}
