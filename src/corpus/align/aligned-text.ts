/** Sentences of two texts, and which of them translate each other. */
import type { Unit } from '../../base/core/types.ts';
import { AllGains } from './bead-gains.ts';
import { BEAD_KINDS, type BeadRange, corridorAlong, diagonalCorridor, isWhole, searchBeads } from './bead-search.ts';
import { GALE_CHURCH_VARIANCE, type LengthModel } from './length-gain.ts';
import { beadOdds, pageOdds, pairEvidence, scoreOnPage } from './pair-score.ts';
import { sideTokens } from './side-tokens.ts';
import { type CutText, cutText, type TextSentence } from './text-sentences.ts';
import type { TranslationTable } from './translation-table.ts';
import { WordGains } from './word-gain.ts';

export interface AlignSide {
  readonly text: string;
  /** Primary language, e.g. `fr`; `und` for unknown. */
  readonly lang: string;
}

/** Sentences that translate each other, or one without partner. */
export interface Bead {
  /** Range of left sentences, `[first, end)`; empty for a right sentence without partner. */
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
  /** Probability that the sentences are translations, by their own evidence and that of the whole page; 0 without partner. */
  readonly score: Unit;
}

export interface TextAlignment {
  readonly left: readonly TextSentence[];
  readonly right: readonly TextSentence[];
  readonly beads: readonly Bead[];
  /** Whether a text was too long for a full search, or to be read as a whole. */
  readonly isCapped: boolean;
}

export interface AlignOptions {
  readonly table?: TranslationTable;
  /** Evidence that is used: lengths and paragraphs alone, or also numbers, signs and words. Default: all. */
  readonly cues?: 'length' | 'all';
}

/** Gaps of the first search: 8 MB, and half a second. Texts of 2,800 sentences are searched as a whole. */
const FIRST_CELLS = 2 ** 23;
/** Sentences beside the first path that the second search looks at. */
const MARGIN = 10;

/** Places of a word by which the first search looks for it: rare words fix the path. */
const RARE = 10;
/** Shares of the first search, which finds pages that lack a part. Chosen by `npm run bench -- align --use tuning`. */
const FIRST_SHARES = [0.72, 0.1, 0.1, 0.035, 0.035, 0.008, 0.001, 0.001];
/** Shares of beads by Gale and Church (1993), in the order of `BEAD_KINDS`; they had none of the last two. */
const BEAD_SHARES = [0.89, 0.005, 0.005, 0.0445, 0.0445, 0.011, 0.001, 0.001];
/** Beads by which these shares count beside those of the first search. */
const PRIOR_BEADS = 30;
/**
 * Aligns two texts: a first search by lengths, paragraphs and rare words, then one near its path by all evidence. Memory and time are bounded: see
 * `isCapped`.
 */
export function alignTexts(left: AlignSide, right: AlignSide, options: AlignOptions = {}): TextAlignment {
  const [cutLeft, cutRight] = [cutText(left.text, left.lang), cutText(right.text, right.lang)];
  const [lefts, rights] = [cutLeft.sentences.length, cutRight.sentences.length];
  const table = options.table ?? null;
  const words =
    options.cues === 'length'
      ? null
      : new WordGains(sideTokens(left.text, cutLeft.sentences), sideTokens(right.text, cutRight.sentences), table);
  const gains = new AllGains(cutLeft, cutRight, words);
  const wide = diagonalCorridor(lefts, rights, FIRST_CELLS);
  const [leftChars, rightChars] = [charsOf(cutLeft.sentences), charsOf(cutRight.sentences)];
  gains.start(wide, FIRST_SHARES, { ratio: (rightChars + 1) / (leftChars + 1), variance: GALE_CHURCH_VARIANCE }, RARE);
  const first = searchBeads(lefts, rights, wide, gains);
  const near = corridorAlong(first, lefts, rights, MARGIN);
  gains.start(near, sharesOf(first), lengthModelOf(first, cutLeft, cutRight), Number.POSITIVE_INFINITY);
  const beads = searchBeads(lefts, rights, near, gains);
  return {
    left: cutLeft.sentences,
    right: cutRight.sentences,
    beads: scored(beads, [left, cutLeft], [right, cutRight], table),
    isCapped: cutLeft.isCapped || cutRight.isCapped || !isWhole(wide, rights),
  };
}

/** The beads with their scores: by the evidence of their own texts, and by that of all beads. */
function scored(
  beads: readonly BeadRange[],
  [left, cutLeft]: readonly [AlignSide, CutText],
  [right, cutRight]: readonly [AlignSide, CutText],
  table: TranslationTable | null,
): Bead[] {
  const ratio = (charsOf(cutRight.sentences) + 1) / (charsOf(cutLeft.sentences) + 1);
  const pairs = beads.map(({ left: [from, to], right: [first, end] }) => {
    if (from === to || first === end) return null;
    const evidence = pairEvidence(sideOf(left, cutLeft, from, to), sideOf(right, cutRight, first, end), table, ratio);
    return { odds: beadOdds(evidence, table), sentences: to - from + end - first };
  });
  const whole = pairs.filter((pair) => pair !== null);
  const page = pageOdds(whole, pairs.length - whole.length);
  return beads.map((bead, i) => ({ left: bead.left, right: bead.right, score: scoreOf(pairs[i]?.odds, page) }));
}

function scoreOf(odds: number | undefined, page: number): Unit {
  return odds === undefined ? 0 : scoreOnPage(odds, page);
}

function charsOf(sentences: readonly TextSentence[]): number {
  return sentences.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Text from the first to the last of some sentences. */
function sideOf({ text, lang }: AlignSide, { sentences }: CutText, from: number, to: number): AlignSide {
  return { text: text.slice(sentences[from]?.start, sentences[to - 1]?.end), lang };
}

/** Shares of the beads that a search found, smoothed. */
function sharesOf(beads: readonly BeadRange[]): number[] {
  const counts = BEAD_KINDS.map(() => 0);
  for (const { kind } of beads) counts[kind] = (counts[kind] as number) + 1;
  return BEAD_SHARES.map((share, kind) => ((counts[kind] as number) + PRIOR_BEADS * share) / (beads.length + PRIOR_BEADS));
}

/** Relation of the lengths in the beads with both sides that a search found. */
function lengthModelOf(beads: readonly BeadRange[], left: CutText, right: CutText): LengthModel {
  let [leftChars, rightChars] = [1, 1];
  for (const bead of beads) {
    if (bead.left[0] === bead.left[1] || bead.right[0] === bead.right[1]) continue;
    leftChars += charsOf(left.sentences.slice(...bead.left));
    rightChars += charsOf(right.sentences.slice(...bead.right));
  }
  return { ratio: rightChars / leftChars, variance: GALE_CHURCH_VARIANCE };
}
