/** Weights of the features of a training. Features that are common in its own pages weigh less than by the background alone. */
import type { Background } from './background.ts';
import { BUCKETS, type FeatureKind, kindOf } from './features.ts';
import type { TrainingRow } from './training-set.ts';
import { type IdfTable, KIND_FACTORS, type KindFactors, pageShare } from './weighting.ts';

/**
 * The background counts as this share of its pages in the language of the examples, within these bounds: 300 pages in English, 30 in Chinese. It says
 * little about a language of which it has few pages. 30 in every language: −.004 with a pool and −.010 with labels.
 */
const PRIOR_SHARE = 0.11;
const PRIOR_PAGES = { least: 30, most: 300 };

/** An example counts as this share of another page, because the words that all examples have are the subject itself. With 1: −.002 with a pool and −.004 with labels (reuters −.02). */
const EXAMPLE_WEIGHT = 1 / 3;

/** Exponent of the contrast of a feature, and the number of pages at the common rate that smooth it. Exponent 0: −.009 with a pool and −.014 with labels. */
const CONTRAST = 0.35;
const CONTRAST_PAGES = 10;

/**
 * Han characters count as much as words where examples are short: with 30 of them and labelled others, .778 on Chinese titles and .914 on articles, of 11 and 51
 * distinct words; a quarter has .679 and .884 (draw 1). Examples alone: on draw 22, +.01 to +.03 and +.04 to +.05 beside a half, and smaller calibration errors.
 * Texts with more words need them less: with a quarter, Chinese and Japanese manuals of 170 and 235 words gain .02 (draw 1) and .03 (draw 22); cut to 60
 * characters, they lose .01 (`npm run bench -- topic --sets titles-zh,articles-zh,manuals --methods forager`).
 */
const CHARACTER_FACTOR = { least: 0.25, most: 1 };
/** Number of distinct words of a text whose characters still have the most weight. */
const SHORT_WORDS = 60;
/** A text with fewer characters, by its words, is of another script with some foreign names. */
const LEAST_CHARACTERS = 0.25;

/** Fields of a row that the frequencies need. */
type CountedRow = Pick<TrainingRow, 'role' | 'counts' | 'language'>;

/** The weighting of the features of a training. */
export interface TrainingWeights {
  readonly idf: IdfTable;
  readonly factors: KindFactors;
}

/**
 * Inverse document frequencies, 0 for features that no row has. Examples alone do not tell their subject from their register, so they have those of the
 * background. Where other pages are given: ln((n + p + 1) / (df + p · share + 1)) + 1, where df counts the n given pages, and the background, which has the
 * feature in this share of its pages, stands for p more. Then times (1 + |the log ratio of the smoothed shares of examples and of others|) ^ `contrast`,
 * after the log-count ratios of Wang and Manning (2012). So the labels of all rows shape the weights: to compare labels that are held out, `contrast` is 0.
 *
 * Figures here are average precision with 5 and 30 examples, mean of agency-news, articles-zh, titles-zh, spam and reuters (`npm run bench -- topic --draws 1`).
 */
export function trainingWeights(background: Background, rows: readonly CountedRow[], contrast = CONTRAST): TrainingWeights {
  const given = givenPages(rows);
  const { codes, step } = background.idf;
  const factors = { ...KIND_FACTORS, character: characterFactor(rows, given.others === 0) };
  if (given.others === 0) return { idf: { step, codes: codes.map((code, b) => (given.isMet[b] === 1 ? code : 0)) }, factors };
  const prior = priorPages(background, rows);
  const pages = EXAMPLE_WEIGHT * given.examples + given.others + prior + 1;
  const values = new Float64Array(BUCKETS);
  for (let b = 0; b < BUCKETS; b++) {
    if (given.isMet[b] === 0) continue;
    const [on, off] = [given.withFeature.example[b] as number, given.withFeature.other[b] as number];
    const idf = Math.log(pages / (EXAMPLE_WEIGHT * on + off + prior * pageShare(background.idf, background.documents, b) + 1)) + 1;
    values[b] = on + off === 0 ? idf : idf * (1 + contrastOf(on, off, given)) ** contrast;
  }
  return { idf: quantised(values), factors };
}

/** Weight of Han characters by the median number of distinct words of the examples in them. Without such examples that of other scripts. */
function characterFactor(rows: readonly CountedRow[], isAlone: boolean): number {
  const words = rows.flatMap(({ role, counts: { buckets } }) => {
    if (role !== 'example') return [];
    const [own, characters] = [featuresOf(buckets, 'word'), featuresOf(buckets, 'character')];
    return characters > 0 && characters >= LEAST_CHARACTERS * own ? [own] : [];
  });
  if (words.length === 0) return isAlone ? KIND_FACTORS.character : CHARACTER_FACTOR.most;
  const median = words.sort((a, b) => a - b)[words.length >> 1] ?? 0;
  return Math.max(CHARACTER_FACTOR.least, Math.min(CHARACTER_FACTOR.most, SHORT_WORDS / Math.max(1, median)));
}

function featuresOf(buckets: Int32Array, kind: FeatureKind): number {
  return buckets.reduce((sum, bucket) => sum + (kindOf(bucket) === kind ? 1 : 0), 0);
}

interface GivenPages {
  /** Number of examples and of other pages, without the background. */
  readonly examples: number;
  readonly others: number;
  /** Number of either with each feature. Shapes [BUCKETS]. */
  readonly withFeature: Readonly<Record<'example' | 'other', Uint32Array>>;
  /** 1 if any row has the feature, of the background as well. Shape [BUCKETS]. */
  readonly isMet: Uint8Array;
}

function givenPages(rows: readonly CountedRow[]): GivenPages {
  const withFeature = { example: new Uint32Array(BUCKETS), other: new Uint32Array(BUCKETS) };
  const isMet = new Uint8Array(BUCKETS);
  let [examples, others] = [0, 0];
  for (const { role, counts } of rows) {
    for (const bucket of counts.buckets) isMet[bucket] = 1;
    if (role === 'background') continue;
    if (role === 'example') examples++;
    else others++;
    const pages = withFeature[role === 'example' ? 'example' : 'other'];
    for (const bucket of counts.buckets) pages[bucket] = (pages[bucket] as number) + 1;
  }
  return { examples, others, withFeature, isMet };
}

function priorPages({ languages }: Background, rows: readonly CountedRow[]): number {
  const examples = rows.filter(({ role }) => role === 'example');
  const known = examples.reduce((sum, { language }) => sum + (languages.get(language) ?? 0), 0) / examples.length;
  return Math.max(PRIOR_PAGES.least, Math.min(PRIOR_PAGES.most, PRIOR_SHARE * known));
}

/** |ln of the ratio of the shares of examples and of others with the feature|, each smoothed by pages at the common rate. */
function contrastOf(on: number, off: number, { examples, others }: GivenPages): number {
  const common = (CONTRAST_PAGES * (on + off)) / (examples + others);
  return Math.abs(Math.log(((on + common) / (examples + CONTRAST_PAGES)) * ((others + CONTRAST_PAGES) / (off + common))));
}

/** One byte each; none above 0 becomes 0. */
function quantised(values: Float64Array): IdfTable {
  const step = values.reduce((largest, value) => Math.max(largest, value), 0) / 255;
  return { step, codes: Uint8Array.from(values, (value) => (value === 0 ? 0 : Math.max(1, Math.round(value / step)))) };
}
