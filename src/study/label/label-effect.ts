/** The effect of labels on a model, measured on held-out labelled pages. */
import { logOdds, sigmoid } from '../../base/core/odds.ts';
import { seededRng } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import type { Background } from '../../reading/topic/background.ts';
import { hiddenExamples, rowCosts } from '../../reading/topic/costs.ts';
import type { Scored } from '../../reading/topic/evaluate.ts';
import { assignFolds, type Folds } from '../../reading/topic/folds.ts';
import { gramMatrix, kernelOf } from '../../reading/topic/gram.ts';
import { NO_INTERVAL, type PrecisionChange, precisionChange, type RankedTwice } from '../../reading/topic/paired-change.ts';
import { countsPunctuation, withPunctuation } from '../../reading/topic/punctuation.ts';
import { LAMBDA } from '../../reading/topic/regression.ts';
import { rowMeaning } from '../../reading/topic/row-meaning.ts';
import { chooseThreshold } from '../../reading/topic/threshold.ts';
import { chooseMethod } from '../../reading/topic/training-methods.ts';
import { backgroundRows, type TrainingRow } from '../../reading/topic/training-set.ts';
import { trainingWeights } from '../../reading/topic/training-weights.ts';
import { scaleTable, weigh } from '../../reading/topic/weighting.ts';
import type { Interval } from '../../reading/topic/wilson.ts';
import type { WordVectors } from '../../reading/topic/word-vectors.ts';
import { LEAST_COMPARED } from './label-enough.ts';

export interface LabelComparison {
  readonly stored: readonly TrainingRow[];
  /** Pages with a URL. */
  readonly labelled: readonly TrainingRow[];
  /** True for each labelled page whose label is one of those whose effect is measured. Shape [labelled]. */
  readonly isNew: readonly boolean[];
  /** Pages with answers of a language model, which teach and are not ranked; and for each, whether its effect is measured. */
  readonly guessed: readonly TrainingRow[];
  readonly isNewGuess: readonly boolean[];
  /** Scores of the labelled pages by a model without training pages, shape [labelled]: the state before, if there was no example. */
  readonly untrained: readonly number[];
  /** The relevance of a labelled page, given by its index, after the model's rule. */
  readonly ruled: (at: number, relevance: Unit) => Unit;
  /** On-topic share of the crawl's judged pages; null if unknown. */
  readonly share: Unit | null;
  /** The required precision of the threshold; null without one. */
  readonly precision: Unit | null;
  readonly background: Background;
  /** Word vectors that the models judge by; null without. */
  readonly wordVectors: WordVectors | null;
  readonly seed: number;
}

/** Average precision on the labelled pages without the new labels, and with them. */
export interface LabelEffect extends PrecisionChange {
  /**
   * The unit that was held out. If all labels are of one host, as in a crawl that stays on it: single pages, because its other pages are the purpose
   * of the model.
   */
  readonly heldOut: 'hosts' | 'pages';
  /** Are there enough labels of either kind to compare the two models? Fewer show which looks worse, and are not called a measurement. */
  readonly compared: boolean;
  /**
   * Log odds of the relevance of each labelled page above the threshold, by URL. They come from a model with all other labels that was
   * trained without it, and without other pages of its host if hosts were held out. From 0 on, that model accepts it.
   */
  readonly margins: ReadonlyMap<string, number>;
}

/** Sums of the same shares in another order differ by less. */
const ROUNDING = 1e-9;

/**
 * Do held-out labels say that the model with the new ones is worse? Both models rank the same pages, so the interval is that of the pair: a lower average
 * whose interval has 0 is no difference. Where there is no interval, or where labels are too few for one, the averages decide: a model that is not
 * known to be as good has no reason to replace the one that made the crawl.
 */
export function isWorse({ before, after, change, compared }: Pick<LabelEffect, 'before' | 'after' | 'change' | 'compared'>): boolean {
  const isLower = after < before - ROUNDING;
  return isLower && (compared && hasInterval(change) ? change.high < 0 : true);
}

/** Is it lower, and no difference? */
export function isWithinChance(effect: Pick<LabelEffect, 'before' | 'after' | 'change' | 'compared'>): boolean {
  return effect.after < effect.before - ROUNDING && !isWorse(effect);
}

function hasInterval({ low, high }: Interval): boolean {
  return low > NO_INTERVAL.low || high < NO_INTERVAL.high;
}

/**
 * Ranks the labelled pages twice, before and after, by models trained without them. The rows are dealt to folds, background and hosts of labelled
 * pages by whole hosts. Models of the other folds score each fold: before without the new labels, and after with all. Labels that are all of one host
 * are held out page by page, and pages are resampled. The folds, the ranked pages and the rows other than labels are the same both times. The
 * interval comes from a bootstrap over the hosts of the labelled pages. People were asked about these pages, so they are harder than the average page
 * of a crawl: read the change, not the level. If there was no example before, as in a topic of keywords, the model of that time ranks them.
 * @returns null if all labels are of one kind, if nothing can be held out, or if the other folds of a fold have no example
 */
export async function labelEffect(comparison: LabelComparison): Promise<LabelEffect | null> {
  const { stored, labelled, isNew, guessed, isNewGuess, untrained, ruled, share, precision, background, wordVectors, seed } = comparison;
  if (new Set(labelled.map(({ role }) => role)).size < 2) return null;
  const given = [...stored, ...labelled, ...guessed];
  const rows = [...given, ...backgroundRows(background, given, seed)];
  const isLabelled = (i: number) => i >= stored.length && i < stored.length + labelled.length;
  const isOfCrawl = (i: number) => i >= stored.length && i < given.length;
  const changesWeights = [...isNew, ...isNewGuess];
  const hosts = new Set(labelled.map(({ host }) => host));
  const byPage = hosts.size === 1;
  const members = rows.map(({ host, role }, i) => ({
    host: byPage && isOfCrawl(i) ? null : host,
    onTopic: role === 'example',
    alwaysByHost: role === 'background' || hosts.has(host),
  }));
  const folds = assignFolds(members, seededRng(seed));
  const learned = (i: number) => !(isOfCrawl(i) && changesWeights[i - stored.length]);
  const known = rows.some(({ role }, i) => role === 'example' && learned(i));
  const kernel = kernelOfRows(rows, background, wordVectors, seed);
  const before = known
    ? await heldOutLogits(rows, folds, kernel, learned)
    : Float64Array.from(rows, (_, i) => untrained[i - stored.length] ?? Number.NaN);
  const after = await heldOutLogits(rows, folds, kernel, () => true);
  if (before === null || after === null) return null;
  const scored = scoredOf(rows, after);
  const { threshold } = chooseThreshold(scored, precision, { pages: scored.filter(({ at }) => isLabelled(at)), share });
  const held = labelled.map(({ host, role, page }, at): Held => {
    const i = stored.length + at;
    const [old, now] = [before[i] ?? Number.NaN, after[i] ?? Number.NaN];
    return {
      url: page?.url ?? '',
      host: host ?? '',
      onTopic: role === 'example',
      before: old,
      after: now,
      margin: logOdds(ruled(at, sigmoid(now))) - logOdds(threshold),
    };
  });
  return { ...measured(held, byPage, seed), margins: new Map(held.map(({ url, margin }) => [url, margin])) };
}

/** The inner products of all rows, whichever of them teach. Without contrast, since labels of held-out rows would shape it. Shape [rows, rows]. */
function kernelOfRows(rows: readonly TrainingRow[], background: Background, vectors: WordVectors | null, seed: number): Float32Array {
  const counted = countsPunctuation(rows) ? rows.map(withPunctuation) : rows;
  const { idf, factors } = trainingWeights(background, counted, 0);
  const scale = scaleTable(idf, factors);
  const ofWords = gramMatrix(counted.map(({ counts }) => weigh(counts, scale)));
  return (vectors && rowMeaning(rows, ofWords, vectors, background.idf, seededRng(seed)))?.kernel ?? ofWords;
}

/**
 * Log odds of each row by a model of those rows of the other folds that `learns` admits, shape [rows]; NaN for unlabelled rows that look
 * like examples, from which no model learns. All folds are fits of one kernel. null if nothing can be held out, or if a fold has nothing to
 * learn from.
 */
async function heldOutLogits(
  given: readonly TrainingRow[],
  folds: Folds,
  ofGiven: Float32Array,
  learns: (row: number) => boolean,
): Promise<Float64Array | null> {
  const isExample = (i: number) => given[i]?.role === 'example' && learns(i);
  // Examples first, as `hiddenExamples` needs them. A row without a lesson is only scored: it is neither an example nor unlabelled.
  const order = [...given.keys()].sort((a, b) => Number(isExample(b)) - Number(isExample(a)) || a - b);
  const rows = order.map(
    (i): TrainingRow => (learns(i) ? (given[i] as TrainingRow) : { ...(given[i] as TrainingRow), role: 'irrelevant' }),
  );
  const kernel = kernelOf(ofGiven, given.length, order);
  const hidden = hiddenExamples(rows, kernel);
  const foldOf = order.map((i) => folds.of[i]);
  const used = [...Array(folds.count).keys()].map((fold) => order.map((i, at) => learns(i) && !hidden.has(at) && foldOf[at] !== fold));
  if (used.length === 0 || used.some((uses) => !uses.some((use, at) => use && rows[at]?.role === 'example'))) return null;
  const method = chooseMethod(
    rows.filter((_, at) => learns(order[at] ?? 0)),
    null,
  );
  const { fits } = await method.fit({
    kernel,
    targets: Float32Array.from(rows, ({ role }) => (role === 'example' ? 1 : 0)),
    costs: used.map((uses) => rowCosts(rows, (at) => Number(uses[at] === true))),
    lambda: LAMBDA,
  });
  const logits = new Float64Array(given.length).fill(Number.NaN);
  for (const [at, i] of order.entries()) if (!hidden.has(at)) logits[i] = fits[foldOf[at] ?? 0]?.logits[at] ?? Number.NaN;
  return logits;
}

/** The scores that a threshold is chosen on, as in training: see `heldOut` of train-on-rows.ts. */
function scoredOf(rows: readonly TrainingRow[], logits: Float64Array): (Scored & { readonly at: number })[] {
  const all = rows.map(({ role }, at) => ({ at, score: logits[at] ?? Number.NaN, onTopic: role === 'example' }));
  return all.filter(({ score }, i) => !Number.isNaN(score) && rows[i]?.role !== 'extra' && rows[i]?.weight === undefined);
}

/** A labelled page with its log odds by models trained without its host. */
interface Held extends RankedTwice {
  readonly url: string;
  readonly margin: number;
}

function measured(held: readonly Held[], byPage: boolean, seed: number): Omit<LabelEffect, 'margins'> {
  const onTopic = held.filter((page) => page.onTopic).length;
  const compared = Math.min(onTopic, held.length - onTopic) >= LEAST_COMPARED;
  return { ...precisionChange(held, byPage, seed), heldOut: byPage ? 'pages' : 'hosts', compared };
}
