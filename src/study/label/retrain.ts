/** Trains a crawl's topic again with its labels, and judges all its pages again. */

import { UsageError } from '../../base/core/errors.ts';
import { logOdds, sigmoid } from '../../base/core/odds.ts';
import { seededRng, shuffled } from '../../base/core/rng.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { VERSION } from '../../base/core/version.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { languageDetector } from '../../base/text/language.ts';
import { Blank, pathWord } from '../../base/text/shell-line.ts';
import { activeModel, type CrawlManifest, type CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { partOf, type TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { loadCard } from '../../reading/topic/files.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import { LinearTopicModel } from '../../reading/topic/model.ts';
import { parseRule, type Rule } from '../../reading/topic/rule.ts';
import { readTraining, type StoredTraining } from '../../reading/topic/training-file.ts';
import { MAX_ROWS, type TrainingPage } from '../../reading/topic/training-set.ts';
import { openWordVectors, rememberedWordVectors } from '../../reading/topic/word-vector-source.ts';
import type { WordVectors } from '../../reading/topic/word-vectors.ts';
import {
  activate,
  changesOf,
  keepBeside,
  type LabelledCrawl,
  type RelabelChanges,
  type RelabelOptions,
  standing,
} from './activate-model.ts';
import { writeHeldOut } from './held-out-file.ts';
import { agreementIn, taughtWeight } from './judge/agreement.ts';
import { judgedPages, type PageOfCrawl, pagesOf, textDigest, warmUpPages } from './judged-pages.ts';
import { isWorse, type LabelEffect } from './label-effect.ts';
import { type LabelKinds, type MissingLabels, missingLabels, missingText } from './label-enough.ts';
import { estimateShares, type ShareEstimate } from './label-estimate.ts';
import type { Label, LabelLog } from './label-log.ts';
import {
  type LabelledPage,
  recognisedText,
  type TaughtPages,
  type TrainedWithLabels,
  trainWithPool,
  unlabelledRows,
  withoutOwn,
} from './label-training.ts';
import { learnedLabels, learnedModelAnswers } from './learned-labels.ts';

export interface Relabelling {
  /** Ids of the former model and of the trained one; equal if the labels change nothing. */
  readonly from: string;
  readonly to: string;
  /** Is `to` active? Not if held-out labels say that it is worse: then it is only stored, and nothing else has changed. */
  readonly active: boolean;
  /** @deprecated The former name of `active`; it goes with version 0.4. */
  readonly inForce: boolean;
  readonly threshold: Unit;
  readonly card: ModelCard;
  /** Number of labels it was trained with. */
  readonly yes: number;
  readonly no: number;
  /** Answers of a language model that it was also trained with. */
  readonly modelAnswers: number;
  /** Unlabelled pages of the warm-up that it was also trained with. */
  readonly pool: number;
  /** null if nothing could be held out. */
  readonly effect: LabelEffect | null;
  readonly changes: RelabelChanges;
}

/**
 * Relabelling with an estimate from the random third for the corpus that a harvest takes now: labelled pages count if a model accepts them
 * that was trained without their host. null if there is no such model, or if the trained one is not active.
 */
export interface RelabelReport extends Relabelling {
  readonly harvest: ShareEstimate | null;
}

/** The training matrix has n² entries, and as many pages may come from the topic's first training. */
const MAX_LABELS = 2000;

/**
 * Trains the topic again from the pages of its first training and all labels, and lets the new model judge the pages and links of the crawl. Stored
 * data stay; the new judgement is stored next to them. It applies from the moment the manifest names its model: a crash before that leaves everything
 * unchanged. If held-out labels say that the model is worse, it is stored in `models/<id>/` and not activated, except with `evenIfWorse`. Nothing is
 * fetched.
 * @throws UsageError if there are too few labels (see `missingLabels`), or if the pages of the first training are not stored; ModelError, StoreError
 */
export async function relabel(labelled: LabelledCrawl, options: RelabelOptions): Promise<Relabelling> {
  const { part, crawl, model: old, log } = labelled;
  options.onProgress?.('training', 0);
  const { manifest, paths } = part;
  const textsOf = (urls: Iterable<CanonicalUrl>) => pagesOf(paths, crawl, urls);
  const share = shareOnTopic(crawl, part, log);
  const warmUp = warmUpPages(crawl.frontier);
  const retrained = await retrain({ paths, manifest, model: old, log, textsOf, share, warmUp }, options);
  options.signal?.throwIfAborted();
  const before = standing(crawl, part);
  const active = await decide(labelled, retrained, options);
  const after = openCrawl(paths.dir);
  try {
    const { model, card, effect, yes, no, modelAnswers, pool } = retrained;
    const changes = changesOf(before, standing(after, partOf(after, part)));
    const learned = { yes, no, modelAnswers, pool: pool ?? 0 };
    return { from: old.id, to: model.id, active, inForce: active, threshold: model.threshold, card, ...learned, effect, changes };
  } finally {
    await after.close();
  }
}

/** The input of a training with labels. It needs no open frontier. Paths and manifest are those of the topic (see `TopicPart`). */
export interface Retraining {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  /** The active one. */
  readonly model: LinearTopicModel;
  readonly log: LabelLog;
  /** The texts of judged pages; unknown URLs are skipped. */
  readonly textsOf: (urls: Iterable<CanonicalUrl>) => AsyncIterable<PageOfCrawl>;
  /** On-topic share of the crawl's judged pages, from randomly drawn pages; null without such pages. */
  readonly share: Unit | null;
  /** Pages of the warm-up; empty without one. */
  readonly warmUp: readonly CanonicalUrl[];
}

/** A model trained with labels, and the number of labels, and of answers of a language model. */
export interface Retrained extends TrainedWithLabels {
  readonly yes: number;
  readonly no: number;
  readonly modelAnswers: number;
  /** Unlabelled pages of the warm-up that it learned from; null for a crawl without a warm-up. */
  readonly pool: number | null;
  /** See `PoolUse`. */
  readonly isPoolMixed: boolean;
}

/** On-topic share of all judged pages, from the random answers; null while they do not tell. */
export function shareOnTopic(crawl: Parameters<typeof judgedPages>[0], part: TopicPart, log: LabelLog): Unit | null {
  return estimateShares(judgedPages(crawl, part), log.state, log.seed).judged?.share ?? null;
}

/** Trains with the labels, and with the warm-up of the crawl if it is a mixed sample, and writes nothing. @throws as `relabel` */
export async function retrain(given: Retraining, options: Pick<RelabelOptions, 'warn' | 'wordVectors'>): Promise<Retrained> {
  const { first, wordVectors, isWithoutVectors } = await vectorsOf(given, await firstTraining(given), options);
  const own = new GivenPages(first.rows);
  const pages = withoutOwn(own, await labelledPages(given, options));
  const recognised = recognisedText(own, pages);
  if (recognised !== null) options.warn?.(recognised);
  const yes = pages.filter(({ onTopic }) => onTopic).length;
  const no = pages.length - yes;
  const missing = missingLabels({ yes, no }, await isOfKeywords(given.manifest, given.paths));
  if (missing !== null && given.warmUp.length === 0) throw tooFew(given, { yes, no }, missing);
  const taught = await taughtPages(given, own, yes + no);
  const counts = { yes, no, modelAnswers: taught?.pages.length ?? 0 };
  const pool = await warmUpTexts(given, pages, own);
  const { model, log, share } = given;
  const rows = unlabelledRows(own, pages);
  if (!rows.some(({ role }) => role === 'example') && yes === 0)
    throw new UsageError(`${given.paths.dir}: no example page is left of the topic, and no label is y; answer y for one page at least`);
  const firstCard = await loadCard(given.paths.model);
  const { rule } = ruleAfterLabels(firstCard, model);
  const vectors = { wordVectors, isWithoutVectors };
  const how = { model, rule, taught, pool, share, ...vectors, seed: log.seed, now: Date.now(), software: `forager/${VERSION}` };
  const trained = await trainWithPool({ ...first, rows }, pages, missing === null, how);
  const card = firstCard.subject === undefined ? trained.card : { ...trained.card, subject: firstCard.subject };
  const { steering } = given.model.settings;
  const steered =
    steering === undefined ? trained.model : new LinearTopicModel({ ...trained.model.settings, steering }, trained.model.tables);
  return { ...trained, model: steered, card, ...counts, pool: given.warmUp.length === 0 ? null : trained.pool };
}

/** The word vectors of the training: those that are asked for, or those of the active model. */
async function vectorsOf(
  { paths, manifest }: Retraining,
  first: StoredTraining,
  { wordVectors, warn }: Pick<RelabelOptions, 'warn' | 'wordVectors'>,
): Promise<{ readonly first: StoredTraining; readonly wordVectors: WordVectors | null; readonly isWithoutVectors: boolean }> {
  if (wordVectors !== undefined) {
    const { source, vectors, notes } = await openWordVectors(wordVectors);
    for (const note of notes) warn?.(note);
    return { first: { ...first, wordVectors: source }, wordVectors: vectors, isWithoutVectors: false };
  }
  const folder = activeModel(paths, manifest);
  const source = (folder === paths.model ? first : ((await readTraining(folder)) ?? first)).wordVectors;
  const isWithoutVectors = source !== 'none' && (await loadCard(folder)).wordVectors?.used === false;
  return { first: { ...first, wordVectors: source }, wordVectors: await rememberedWordVectors(source), isWithoutVectors };
}

/** The pages of the warm-up without those that a person has labelled, or gave for the first training. */
async function warmUpTexts({ warmUp, textsOf }: Retraining, labelled: readonly LabelledPage[], own: GivenPages): Promise<TrainingPage[]> {
  if (warmUp.length === 0) return [];
  const known = new Set<string>(labelled.map(({ url }) => url));
  const detect = await languageDetector();
  const pages: TrainingPage[] = [];
  for await (const page of textsOf(warmUp.filter((url) => !known.has(url)).slice(0, MAX_ROWS.extra)))
    if (own.rowsOf(page).length === 0) pages.push({ ...page, id: page.url, language: detect(page.text) });
  return pages.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Activates a trained model, or only stores it if held-out labels say that it is worse. Closes the crawl.
 * @returns whether the model is active now
 * @throws StoreError, DataError
 */
export async function decide(labelled: LabelledCrawl, retrained: Retrained, options: RelabelOptions): Promise<boolean> {
  const { model, card, training, effect, yes, no, modelAnswers, pool, isPoolMixed } = retrained;
  const learned = { labels: yes + no, ...(pool !== null && { pool }) };
  if (model.id === labelled.model.id) {
    await labelled.crawl.close();
    return true;
  }
  const active = options.evenIfWorse === true || (effect === null ? isPoolMixed : !isWorse(effect));
  // Before the manifest names the model. Labels of one kind choose no page.
  if (active && (effect !== null || yes === 0 || no === 0))
    writeHeldOut(labelled.part.paths, model.id, heldOutRelevances(effect, model.threshold));
  if (active) await activate(labelled, { model, card, training }, { ...learned, ...(modelAnswers > 0 && { modelAnswers }) }, options);
  else await keepBeside(labelled, { model, card, training }, learned);
  return active;
}

/** Relevances on the scale of the model: at or above its threshold where a model without the page's label accepts it. */
function heldOutRelevances(effect: LabelEffect | null, threshold: Unit): Map<string, Unit> {
  return new Map([...(effect?.margins ?? [])].map(([url, margin]) => [url, sigmoid(margin + logOdds(threshold))]));
}

function tooFew({ paths }: Retraining, labels: LabelKinds, missing: MissingLabels): UsageError {
  return new UsageError(
    `${paths.dir}: ${labels.yes} y and ${labels.no} n are too few labels to train with, the model stays as it is: answer ${missingText(missing)}`,
  );
}

/** Is the active model one of words? Its first labels replace the query. */
export async function isOfKeywords(manifest: CrawlManifest, paths: CrawlPaths): Promise<boolean> {
  return (await loadCard(activeModel(paths, manifest))).method === 'keywords';
}

/**
 * The pages that a language model has answered. The person and the topic's own pages have precedence.
 * null if there are none, or if they may not teach.
 */
async function taughtPages({ manifest, model, log, textsOf }: Retraining, own: GivenPages, labels: number): Promise<TaughtPages | null> {
  const weight = taughtWeight(agreementIn(log));
  if (weight === null) return null;
  const old = learnedModelAnswers(manifest, log);
  const labelled = new Set<string>(log.labels.map(({ url }) => url));
  const free = log.modelAnswers().filter(({ url }) => !labelled.has(url) && own.ofUrl(url).length === 0);
  const entries = new Map(sampled(free, Math.max(0, MAX_LABELS - labels), log.seed).map((entry) => [entry.url, entry]));
  const pages = await pagesWith(entries, { model, textsOf }, ({ url, answer }) => old.get(url) !== answer);
  const others = pages.filter((page) => own.ofText(page).length === 0);
  return others.length === 0 ? null : { pages: others, weight };
}

/** The labelled pages, with their texts, without those whose text has changed since they were labelled. */
async function labelledPages(
  { paths, manifest, model, log, textsOf, warmUp }: Retraining,
  { warn }: Pick<RelabelOptions, 'warn'>,
): Promise<LabelledPage[]> {
  const labels = new Map<string, Label>(chosen(log, warn).map((label) => [label.url, label]));
  const old = learnedLabels(manifest, log);
  const pages = await pagesWith(labels, { model, textsOf }, ({ url, answer }) => old.get(url) !== answer);
  const lost = labels.size - pages.length;
  if (lost > 0) warn?.(`labels of pages whose text has changed or is lost are omitted: ${lost}`);
  if (pages.length === 0 && warmUp.length === 0)
    throw new UsageError(`${paths.dir}: no page has a label yet; answer y or n for some first`);
  return pages;
}

/** The pages with an answer, in order of URL, without those whose text has changed since. */
async function pagesWith(
  answers: ReadonlyMap<string, Label>,
  { model, textsOf }: Pick<Retraining, 'model' | 'textsOf'>,
  isNew: (label: Label) => boolean,
): Promise<LabelledPage[]> {
  const languageOf = await pageLanguage(model);
  const detect = await languageDetector();
  const pages: LabelledPage[] = [];
  for await (const page of textsOf([...answers.keys()] as CanonicalUrl[])) {
    const label = answers.get(page.url);
    if (label?.sha256 !== textDigest(page)) continue;
    pages.push({ ...page, lang: languageOf(page), language: detect(page.text), onTopic: label.answer === 'y', isNew: isNew(label) });
  }
  return pages.sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** All of them, or so many at random. */
function sampled<T>(all: readonly T[], most: number, seed: number): readonly T[] {
  return all.length <= most ? all : shuffled(all, seededRng(seed)).slice(0, most);
}

/** All labels, or a random sample of the largest number that training uses. */
function chosen({ labels, seed }: LabelLog, warn: RelabelOptions['warn']): readonly Label[] {
  const excess = labels.length - MAX_LABELS;
  if (excess <= 0) return labels;
  warn?.(`labels omitted at random: ${excess}; at most ${MAX_LABELS} are used`);
  return sampled(labels, MAX_LABELS, seed);
}

/** The rows of the topic's first training. @throws UsageError if they are unknown, ModelError if they are damaged */
async function firstTraining({ paths, log }: Retraining): Promise<StoredTraining> {
  const training = await readTraining(paths.model);
  if (training !== null) return training;
  throw new UsageError(
    `${paths.model}: does not hold the pages it was trained on, as models of this version do; train the topic again from its examples, and crawl with that (the labels can be taken along: ${foragerCommand('label import', new Blank('dir'), pathWord(log.path))})`,
  );
}

/**
 * The rule of a topic after a training with labels, by the card of its first training. A query of keywords was used because there were no examples: the
 * labels replace it, and an additional rule stays.
 */
export function ruleAfterLabels(
  { method, rule }: Pick<ModelCard, 'method' | 'rule'>,
  model: Pick<LinearTopicModel, 'rule'>,
): { readonly rule: Rule | null; readonly ofKeywords: boolean } {
  if (method !== 'keywords') return { rule: model.rule, ofKeywords: false };
  return { rule: rule === null ? null : parseRule(rule, true), ofKeywords: true };
}
