/** Trains a topic again with labelled pages of a crawl, and measures their effect. */
import type { JudgedPageText } from '../../base/core/parts/reading.ts';
import type { EpochMs, Unit } from '../../base/core/types.ts';
import { type Background, loadBackground } from '../../reading/topic/background.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { FeatureCounter } from '../../reading/topic/features.ts';
import type { GivenPages } from '../../reading/topic/given-pages.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { evaluateRule, type Rule } from '../../reading/topic/rule.ts';
import { rowsWithout, templateOf } from '../../reading/topic/template.ts';
import { type TrainedTopic, trainOnRows } from '../../reading/topic/train-on-rows.ts';
import { type StoredRow, type StoredTraining, storedRow } from '../../reading/topic/training-file.ts';
import { countedRow, type TrainingPage, type TrainingRow, type UncountedRow, uncounted } from '../../reading/topic/training-set.ts';
import type { WordVectors } from '../../reading/topic/word-vectors.ts';
import { type LabelEffect, labelEffect } from './label-effect.ts';

export interface LabelledPage extends JudgedPageText {
  readonly url: string;
  /** Language for the rule; null if unknown. */
  readonly lang: string | null;
  /** Language of the page, ISO 639-1; null if unknown. */
  readonly language: string | null;
  readonly onTopic: boolean;
  /** Was the active model trained without this label? */
  readonly isNew: boolean;
}

/** Pages that a language model has answered, with the weight of its answers: see `taughtWeight`. */
export interface TaughtPages {
  readonly pages: readonly LabelledPage[];
  readonly weight: Unit;
}

export interface LabelTrainingOptions {
  /** The model that was active until now: its name, extractor and rule stay. */
  readonly model: LinearTopicModel;
  /** The rule with the last word on a page; null for the model alone. */
  readonly rule: Rule | null;
  /** Answers of a language model, which teach and are not measured; null without any. */
  readonly taught: TaughtPages | null;
  /** Unlabelled pages of the warm-up: counter-examples, weighted by the probability that each is an example in hiding. */
  readonly pool: readonly TrainingPage[];
  /** On-topic share of the crawl's judged pages, from randomly drawn pages; null without such pages. */
  readonly share: Unit | null;
  /** Seed of random choices: folds, background pages, bootstrap draws. */
  readonly seed: number;
  readonly now: EpochMs;
  readonly software: string;
  /** Default: the bundled one. */
  readonly background?: Background;
  /** null for none. */
  readonly wordVectors: WordVectors | null;
  /** Has an earlier choice by labels left the active model without them? Default false. */
  readonly isWithoutVectors?: boolean;
}

export interface TrainedWithLabels extends TrainedTopic {
  /** null if all labels are of one kind, or if nothing can be held out. */
  readonly effect: LabelEffect | null;
  /** Training rows: the stored ones, and the labelled pages in addition. */
  readonly training: StoredTraining;
}

/**
 * Trains on stored rows, with labelled pages as additional examples and irrelevant pages; the required precision stays. At least one row or page is
 * on topic. The same rows and pages in the same order give the same model.
 * @throws ModelError if the bundled background is damaged
 */
export async function trainWithLabels(
  training: StoredTraining,
  pages: readonly LabelledPage[],
  options: LabelTrainingOptions,
): Promise<TrainedWithLabels> {
  const { model: old, rule, taught, pool, share, seed, now, software, background = await loadBackground() } = options;
  const { wordVectors, isWithoutVectors = false } = options;
  const added = {
    labelled: pages.map(labelledRow),
    guessed: (taught?.pages ?? []).map((page) => ({ ...labelledRow(page), weight: taught?.weight ?? 0 })),
    unlabelled: pool.map((page) => uncounted('extra', page)),
  };
  const { rows, template } = templateExtended(training, Object.values(added).flat());
  const [counter, lines] = [new FeatureCounter(), new Set(template)];
  const isPunctuated = rows.length === 0 || rows.some(({ punctuation }) => punctuation !== undefined);
  const withCounts = (row: UncountedRow): TrainingRow => {
    const { punctuation, ...counted } = countedRow(row, counter, lines);
    return { ...counted, ...(isPunctuated && punctuation && { punctuation }) };
  };
  const stored = rows.map(({ id: name, url: _, title: __, simhash: ___, ...row }): TrainingRow => ({ ...row, name, page: null }));
  const labelled = added.labelled.map(withCounts);
  const guessed = added.guessed.map(withCounts);
  const unlabelled = added.unlabelled.map(withCounts);
  const { precision } = training;
  const { name, extractor } = old.settings;
  const common = { name, extractor, seed, now, software, background, template, ...(wordVectors && { wordVectors }) };
  const trained = await trainOnRows([...stored, ...labelled, ...guessed, ...unlabelled], {
    ...common,
    labelled: { rows: labelled, share, isWithout: isWithoutVectors },
    ...(rule === null ? {} : { rule }),
    ...(precision === null ? {} : { precision }),
  });
  const effect = await labelEffect({
    stored: [...stored, ...unlabelled],
    labelled,
    isNew: pages.map(({ isNew }) => isNew),
    guessed,
    isNewGuess: (taught?.pages ?? []).map(({ isNew }) => isNew),
    untrained: pages.map((page) => old.judge(page)),
    ruled: (at, relevance) => ruled(rule, pages[at], relevance),
    share,
    precision,
    background,
    wordVectors: trained.card.wordVectors?.used === true ? wordVectors : null,
    seed,
  });
  return {
    ...trained,
    effect,
    training: {
      rows: [...rows, ...[...labelled, ...guessed, ...unlabelled].flatMap((row) => storedRow(row) ?? [])],
      precision,
      template,
      wordVectors: training.wordVectors,
    },
  };
}

/** Stored rows without the lines that they turn out to repeat, now that more pages are known. */
function templateExtended({ rows, template }: StoredTraining, added: readonly UncountedRow[]): Pick<StoredTraining, 'rows' | 'template'> {
  const before = new Set(template);
  const later = templateOf([...rows, ...added]).filter((line) => !before.has(line));
  const pages = added.map(({ page }) => page);
  return { rows: rowsWithout(rows, new Set(later), pages), template: [...template, ...later].sort((a, b) => a - b) };
}

/**
 * Trains with labels and a pool, or without the pool if it is mostly on topic.
 * @param isEnough are there labels enough to train without the pool? Otherwise the pool stays, and `isPoolMixed` is false
 */
export async function trainWithPool(
  training: StoredTraining,
  pages: readonly LabelledPage[],
  isEnough: boolean,
  options: LabelTrainingOptions,
): Promise<TrainedWithLabels & PoolUse> {
  const trained = await trainWithLabels(training, pages, options);
  const isPoolMixed = isMixed(trained.card);
  if (isPoolMixed || !isEnough) return { ...trained, pool: options.pool.length, isPoolMixed };
  return { ...(await trainWithLabels(training, pages, { ...options, pool: [] })), pool: 0, isPoolMixed: true };
}

/** Use of a pool in a training. */
export interface PoolUse {
  /** Number of its pages that the model learned from. */
  readonly pool: number;
  /** Does the model find most of them off topic? True without any. Otherwise they are no sample of the web around the topic. */
  readonly isPoolMixed: boolean;
}

/**
 * Pages of a warm-up beyond this share on topic teach the topic's own pages as counter-examples. Sub-topics inside hosts, by the share and the precision
 * of the kept pages before and after: .17 to .45 gained in five of five (.62 to .84, .76 to .96), .81 lost (.62 to .44).
 */
const MOST_ON_TOPIC: Unit = 0.5;

/** Does a model find at least half of the unlabelled pages of its training off topic? True without such pages. */
function isMixed({ validation: { unlabelled } }: Pick<ModelCard, 'validation'>): boolean {
  return unlabelled === null || unlabelled.onTopic <= MOST_ON_TOPIC * unlabelled.pages;
}

/** The stored rows without those of labelled pages, by URL or by text: these teach once. The person has the last word. */
export function unlabelledRows(given: GivenPages, pages: readonly LabelledPage[]): StoredRow[] {
  const labelled = new Set(pages.flatMap((page) => given.rowsOf(page)));
  return given.rows.filter((row) => !labelled.has(row));
}

/** The labelled pages; one that the training had in the same role teaches nothing new. */
export function withoutOwn(given: GivenPages, pages: readonly LabelledPage[]): LabelledPage[] {
  return pages.map((page) => (given.rowsOf(page)[0]?.role === roleOf(page.onTopic) ? { ...page, isNew: false } : page));
}

/** `saved/heron.html is the page http://a.test/heron that you also labelled (8 such pairs)`: rows recognised by their text alone; null without any. */
export function recognisedText(given: GivenPages, pages: readonly LabelledPage[]): string | null {
  const pairs = pages.flatMap((page) =>
    given.ofUrl(page.url).length > 0 ? [] : given.ofText(page).map(({ id }) => ({ id, url: page.url })),
  );
  const [first] = pairs;
  if (first === undefined) return null;
  const count = pairs.length === 1 ? '' : ` (${pairs.length} such pairs)`;
  return `${first.id} is the page ${first.url} that you also labelled${count}: each counts once`;
}

function roleOf(onTopic: boolean): 'example' | 'irrelevant' {
  return onTopic ? 'example' : 'irrelevant';
}

function labelledRow({ onTopic, isNew: _, ...page }: LabelledPage): UncountedRow {
  return uncounted(roleOf(onTopic), { id: page.url, ...page });
}

function ruled(rule: Rule | null, page: LabelledPage | undefined, relevance: number): number {
  if (rule === null || page === undefined) return relevance;
  const { url, title, text, lang: language, document } = page;
  return evaluateRule(rule, { url, title, text, language, document: document?.kind ?? null }, relevance);
}
