import type { TrainingBackend } from './backend.ts';
import type { ModelCard } from './card.ts';
import { atThreshold, averagePrecision, rocAuc, type Scored } from './evaluate.ts';
import type { Folds } from './folds.ts';
import { type LinearTopicModel, sigmoid } from './model.ts';
import { meanContributions } from './terms.ts';
import { STEPS } from './train.ts';
import { dataDigest, hostOf, type Role, type TrainingPage, type TrainingPages, type TrainingSet } from './training-set.ts';

/** What a card is written from. */
export interface TrainingRecord {
  readonly model: LinearTopicModel;
  readonly pages: TrainingPages;
  readonly set: TrainingSet;
  readonly folds: Folds;
  /** Calibrated logits of held-out pages; of the training pages themselves where nothing could be held out. */
  readonly held: readonly Scored[];
  /** Rows left out as examples in hiding. */
  readonly hidden: ReadonlySet<number>;
  readonly backend: TrainingBackend;
  /** Whether calibration found the held-out pages told apart. */
  readonly reliable: boolean;
  readonly options: { readonly name: string; readonly now: number; readonly software: string; readonly seed: number };
}

/** Terms listed for and against. */
const TERMS = 25;
/** Below this number of examples a model changes much from one draw of examples to the next (on 8 topics, 5 examples gave average precision .854 inside the host, 20 gave .891, plain tag stripping). */
const FEW_EXAMPLES = 20;
/** Advice of hh-page-classifier: below .85 a warning, below .65 danger. */
const ROC_AUC_WARN = 0.85;
const ROC_AUC_DANGER = 0.65;

/** The model card of a training run. */
export function describeModel(record: TrainingRecord): ModelCard {
  const { model, set, folds, options } = record;
  return {
    name: options.name,
    modelId: model.id,
    created: new Date(options.now).toISOString(),
    software: options.software,
    mode: countOf(set, 'irrelevant') > 0 ? 'supervised' : 'positives-only',
    method: `L2 logistic regression on hashed words, bigrams and title words (sublinear tf-idf), dual form, ${STEPS} accelerated steps in TF.js; Platt scaling on held-out pages`,
    counts: countsOf(record),
    extractor: model.settings.extractor,
    examplesByHost: byHost(keptPages(set, ['example'])),
    validation: validationOf(record),
    threshold: model.threshold,
    thresholdRule:
      folds.kind === 'none'
        ? 'just below the example; nothing could be held out'
        : `highest F1 on pages held out ${folds.kind === 'by-host' ? 'host by host' : 'one fold of pages at a time'}, just below the lowest accepted page`,
    ...termsOf(record),
    backend: record.backend,
    seed: options.seed,
    dataSha256: dataDigest(record.pages),
    warnings: [...set.warnings, ...advice(record)],
  };
}

function countOf(set: TrainingSet, role: Role): number {
  return set.rows.filter((row) => row.role === role).length;
}

function countsOf({ set, hidden }: TrainingRecord): ModelCard['counts'] {
  return {
    examples: countOf(set, 'example'),
    irrelevant: countOf(set, 'irrelevant'),
    background: countOf(set, 'background'),
    extraBackground: countOf(set, 'extra'),
    backgroundDropped: hidden.size,
    duplicates: set.duplicates,
    empty: set.empty,
  };
}

function keptPages(set: TrainingSet, roles: readonly Role[]): TrainingPage[] {
  return set.rows.flatMap(({ role, page }) => (page !== null && roles.includes(role) ? [page] : []));
}

function byHost(pages: readonly TrainingPage[]): ModelCard['examplesByHost'] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const host = hostOf(page) ?? '(unknown)';
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return [...counts].map(([host, examples]) => ({ host, examples })).sort((a, b) => b.examples - a.examples || (a.host < b.host ? -1 : 1));
}

function validationOf({ folds, held, model }: TrainingRecord): ModelCard['validation'] {
  const measured = folds.kind !== 'none';
  const { precision, recall } = atThreshold(
    held.map(({ score, onTopic }) => ({ score: sigmoid(score), onTopic })),
    model.threshold,
  );
  return {
    folds: folds.kind,
    count: folds.count,
    averagePrecision: measured ? averagePrecision(held) : null,
    rocAuc: measured ? rocAuc(held) : null,
    precision: measured ? precision : null,
    recall: measured ? recall : null,
  };
}

function termsOf({ model, set }: TrainingRecord): Pick<ModelCard, 'termsFor' | 'termsAgainst'> {
  const examples = meanContributions(model, keptPages(set, ['example']));
  const others = keptPages(set, ['irrelevant', 'extra']);
  const against = others.length > 0 ? meanContributions(model, others) : examples;
  return {
    termsFor: examples.filter(({ contribution }) => contribution > 0).slice(0, TERMS),
    termsAgainst: against
      .filter(({ contribution }) => contribution < 0)
      .reverse()
      .slice(0, TERMS),
  };
}

function advice({ set, folds, held, hidden, reliable }: TrainingRecord): string[] {
  const examples = keptPages(set, ['example']);
  const hosts = new Set(examples.map(hostOf));
  const auc = rocAuc(held);
  const out: string[] = [];
  if (examples.length < FEW_EXAMPLES) out.push(`only ${examples.length} examples: ${FEW_EXAMPLES} or more make a steadier model`);
  if (hosts.size === 1 && !hosts.has(null) && examples.length > 1 && countOf(set, 'irrelevant') === 0)
    out.push('all examples are from one host: other pages of that host will look on topic too; give some of them as irrelevant');
  if (folds.kind === 'none') out.push('nothing could be held out: precision and recall are not known');
  if (folds.kind === 'by-example')
    out.push(
      hosts.has(null)
        ? 'the hosts of some examples are not known, so single pages were held out: the figures may say little about new hosts'
        : 'examples come from fewer than 3 hosts: figures are of pages held out from known hosts and say little about new hosts',
    );
  if (hidden.size > 0) out.push(`${hidden.size} background pages look like examples and were left out`);
  if (!reliable || auc < ROC_AUC_DANGER)
    out.push('held-out pages are not told from the background: do not crawl with this model; give more and more alike examples');
  else if (auc < ROC_AUC_WARN)
    out.push(`held-out pages are poorly told from the background (ROC-AUC ${auc.toFixed(2)}): give more examples`);
  return out;
}
