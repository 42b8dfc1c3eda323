import { sigmoid } from '../../base/core/odds.ts';
import { seededRng } from '../../base/core/rng.ts';
import { type Advice, type AdviceInput, adviceOn } from './advice.ts';
import { ASSUMED_PRIOR } from './calibrate.ts';
import { type ModelCard, UNKNOWN_HOST } from './card.ts';
import { hostDoubt } from './doubts.ts';
import { atThreshold, averagePrecision, rocAuc, type Scored } from './evaluate.ts';
import { featureNames } from './feature-names.ts';
import type { Folds } from './folds.ts';
import type { LearningPoint } from './learning-curve.ts';
import { libraryVersions } from './library-versions.ts';
import type { LinearTopicModel } from './model.ts';
import { precisionRecallCurve } from './precision.ts';
import { brierScore, expectedCalibrationError, withPrior } from './reliability.ts';
import { evaluateRule, ruleText } from './rule.ts';
import { meanContributions } from './terms.ts';
import type { ThresholdDecision } from './threshold.ts';
import type { RowTrainingOptions } from './train-on-rows.ts';
import type { PageMethod } from './training-method.ts';
import type { LearningMethod } from './training-methods.ts';
import { dataDigest, type Role, type TrainingPage, type TrainingRow } from './training-set.ts';
import type { SparseVector } from './weighting.ts';

/** A row with the calibrated logit of a model that was trained without it. */
export interface HeldOut extends Scored {
  readonly row: TrainingRow;
}

/** The data behind a card. */
export interface TrainingRecord {
  readonly model: LinearTopicModel;
  readonly method: PageMethod<LearningMethod>;
  /** Examples first. */
  readonly rows: readonly TrainingRow[];
  readonly vectors: readonly SparseVector[];
  /** Shape [rows, rows]. */
  readonly kernel: Float32Array;
  readonly folds: Folds;
  /** Calibrated logits of held-out pages; of the training pages themselves if nothing could be held out. */
  readonly held: readonly HeldOut[];
  /** Calibrated logits of unlabelled pages. */
  readonly unlabelled: readonly HeldOut[];
  /** Whether latent dimensions of the unlabelled pages were learned from. */
  readonly latent: boolean;
  /** The word vectors, for the card; null if there are none for these rows. */
  readonly wordVectors: ModelCard['wordVectors'] | null;
  /** Rows omitted as hidden examples. */
  readonly hidden: ReadonlySet<number>;
  readonly backend: string;
  /** Whether calibration found that the held-out pages can be separated. */
  readonly separates: boolean;
  readonly choice: ThresholdDecision;
  readonly curve: readonly LearningPoint[];
  readonly options: RowTrainingOptions;
}

/** Number of terms listed for and against. */
const TERMS = 25;

/** The model card of a training run. */
export function describeModel(record: TrainingRecord): ModelCard {
  const { model, rows, method, options } = record;
  return {
    name: options.name,
    modelId: model.id,
    created: new Date(options.now).toISOString(),
    software: options.software,
    versions: libraryVersions(),
    method: method.name,
    rule: options.rule === undefined ? null : ruleText(options.rule),
    description: `${method.described}${record.latent ? '; latent dimensions of the unlabelled pages' : ''}${record.wordVectors?.used ? '; word vectors' : ''}; hashed words, bigrams, title words and URL words (sublinear tf-idf); Platt scaling on held-out pages, for one page in ten on topic`,
    counts: countsOf(record),
    ...(record.wordVectors && { wordVectors: record.wordVectors }),
    extractor: model.settings.extractor,
    examplesByHost: byHost(rows.filter(({ role }) => role === 'example')),
    validation: validationOf(record),
    threshold: model.threshold,
    thresholdRule: thresholdRule(record),
    ...termsOf(record),
    backend: record.backend,
    seed: options.seed,
    dataSha256: dataDigest(rows),
    warnings: [...(options.notes?.warnings ?? [])],
    advice: adviceOf(record),
  };
}

function thresholdRule(record: TrainingRecord): string {
  const rule = record.options.rule === undefined ? '' : '; figures are of the model alone, without its rule';
  return `${chosenBy(record)}${rule}`;
}

function chosenBy({ folds, choice }: TrainingRecord): string {
  const pages = choice.byLabels ? `${choice.pages} labelled pages of the crawl` : 'pages';
  const held = `${pages} ${folds.kind === 'by-host' ? 'held out host by host' : 'held out one fold of pages at a time'}`;
  if (folds.kind === 'none') return 'just below the example; nothing could be held out';
  if (choice.kind === 'f1') return `chosen on ${held}, where precision and recall balance best`;
  const bound = (choice.lowerBound ?? 0).toFixed(2);
  return choice.reached
    ? `lowest with a precision of at least ${choice.asked} on ${held}: 95 % lower bound ${bound} (Wilson), of these pages and not of a crawl`
    : `highest lower bound of precision on ${held}: ${bound}, for none reaches ${choice.asked} (Wilson, 95 %), of these pages and not of a crawl`;
}

function adviceOf(record: TrainingRecord): Advice[] {
  const { model, rows, vectors, kernel, hidden, folds, held, separates, choice, options } = record;
  const names = namesIn(keptPages(rows, ['example']), model);
  return adviceOn({
    rows,
    vectors,
    kernel,
    hidden,
    nameOf: (bucket) => names.get(bucket),
    folds: folds.kind,
    rocAuc: rocAuc(held),
    separates,
    refusedExamples: keptPages(rows, ['example']).filter((page) => refusedByRule(model, page)).length,
    missed: missedBy(choice),
    unlabelled: validationOf(record).unlabelled,
    rng: seededRng(options.seed),
  });
}

/** Does the model's rule refuse a page that the model accepts with certainty? */
function refusedByRule({ rule, threshold }: LinearTopicModel, { url, title, text, language, document }: TrainingPage): boolean {
  return rule !== null && evaluateRule(rule, { url, title, text, language, document: document?.kind ?? null }, 1) < threshold;
}

function missedBy({ kind, asked, lowerBound, reached }: ThresholdDecision): AdviceInput['missed'] {
  return kind !== 'precision' || reached || asked === null ? null : { asked, lowerBound: lowerBound ?? 0 };
}

/** Number of pages whose words are looked up: enough for the terms of a group. */
const NAMED_PAGES = 100;

function namesIn(pages: readonly TrainingPage[], { settings }: LinearTopicModel): Map<number, string> {
  return new Map(pages.slice(0, NAMED_PAGES).flatMap((page) => [...featureNames(page, settings.punctuation)]));
}

function countOf(rows: readonly TrainingRow[], role: Role): number {
  return rows.filter((row) => row.role === role).length;
}

function countsOf({ rows, hidden, options: { notes } }: TrainingRecord): ModelCard['counts'] {
  const guessed = rows.filter(({ weight }) => weight !== undefined).length;
  return {
    ...(guessed > 0 && { guessed }),
    examples: countOf(rows, 'example'),
    irrelevant: countOf(rows, 'irrelevant'),
    background: countOf(rows, 'background'),
    extraBackground: countOf(rows, 'extra'),
    backgroundDropped: hidden.size,
    duplicates: notes?.duplicates ?? 0,
    empty: notes?.empty ?? 0,
  };
}

function keptPages(rows: readonly TrainingRow[], roles: readonly Role[]): TrainingPage[] {
  return rows.flatMap(({ role, page }) => (page !== null && roles.includes(role) ? [page] : []));
}

function byHost(rows: readonly TrainingRow[]): ModelCard['examplesByHost'] {
  const counts = new Map<string, number>();
  for (const { host } of rows) counts.set(host ?? UNKNOWN_HOST, (counts.get(host ?? UNKNOWN_HOST) ?? 0) + 1);
  return [...counts].map(([host, examples]) => ({ host, examples })).sort((a, b) => b.examples - a.examples || (a.host < b.host ? -1 : 1));
}

function validationOf({ folds, held, unlabelled, model, curve, rows, method }: TrainingRecord): ModelCard['validation'] {
  const none = { averagePrecision: null, rocAuc: null, precision: null, recall: null, brier: null, calibrationError: null };
  const against: ModelCard['validation']['against'] = countOf(rows, 'irrelevant') > 0 ? 'pages' : 'background';
  const common = { folds: folds.kind, count: folds.count, against };
  if (folds.kind === 'none') return { ...common, ...none, curve: [], learningCurve: [], unlabelled: null };
  const relevances = held.map(({ score, onTopic }) => ({ score: sigmoid(score), onTopic }));
  const { precision, recall } = atThreshold(relevances, model.threshold);
  const expected = withPrior(relevances, ASSUMED_PRIOR);
  return {
    ...common,
    averagePrecision: averagePrecision(held),
    rocAuc: rocAuc(held),
    precision:
      hostDoubt({ method: method.name, examplesByHost: byHost(rows.filter(({ role }) => role === 'example')) }) === null ? precision : null,
    recall,
    brier: brierScore(expected),
    calibrationError: expectedCalibrationError(expected),
    curve: precisionRecallCurve(relevances),
    learningCurve: [...curve],
    unlabelled: unlabelled.length === 0 ? null : againstUnlabelled(held, unlabelled, model),
  };
}

function againstUnlabelled(held: readonly HeldOut[], unlabelled: readonly HeldOut[], { threshold }: LinearTopicModel) {
  return {
    pages: unlabelled.length,
    onTopic: unlabelled.filter(({ score }) => sigmoid(score) >= threshold).length,
    averagePrecision: averagePrecision([...held.filter(({ onTopic }) => onTopic), ...unlabelled]),
  };
}

function termsOf({ model, rows }: TrainingRecord): Pick<ModelCard, 'termsFor' | 'termsAgainst'> {
  const examples = meanContributions(model, keptPages(rows, ['example']));
  const others = keptPages(rows, ['irrelevant', 'extra']);
  const against = others.length > 0 ? meanContributions(model, others) : examples;
  return {
    termsFor: examples.filter(({ contribution }) => contribution > 0).slice(0, TERMS),
    termsAgainst: against
      .filter(({ contribution }) => contribution < 0)
      .reverse()
      .slice(0, TERMS),
  };
}
