/** Training a crawl's topic again with its labels, and judging all it has read anew. */
import { join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { seededRng, shuffled } from '../core/rng.ts';
import type { CanonicalUrl, RecordId, Unit } from '../core/types.ts';
import { readRecords } from '../corpus/records.ts';
import { rejudgeFrontier } from '../frontier/rejudge.ts';
import { judgeWords } from '../links/link-words.ts';
import { languageDetector } from '../text/language.ts';
import type { ModelCard } from '../topic/card.ts';
import { loadCard, saveModel } from '../topic/files.ts';
import type { LabelEffect } from '../topic/label-effect.ts';
import type { ShareEstimate } from '../topic/label-estimate.ts';
import { type LabelledPage, type TrainedWithLabels, trainWithLabels, uncontradicted } from '../topic/label-training.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import { parseRule } from '../topic/rule.ts';
import { readTraining } from '../topic/training-file.ts';
import { type CrawlManifest, type CrawlPaths, rejudgedBy, writeManifest } from './crawl-directory.ts';
import { makeDirectory } from './directories.ts';
import { type OpenCrawl, openCrawl } from './inspect.ts';
import type { Label, LabelLog } from './label-log.ts';
import { judgedPages, pagesOf, recordsEnd, textDigest } from './label-pages.ts';
import { pageLanguage } from './page-language.ts';
import { VERSION } from './version.ts';

export interface RelabelOptions {
  readonly warn?: (message: string) => void;
  readonly onProgress?: (step: RelabelStep, done: number) => void;
}

export type RelabelStep = 'training' | 'judging kept pages' | 'judging the frontier';

/** How pages and waiting links stand after a relabelling, against before. */
export interface RelabelChanges {
  /** Judged pages that were off topic and are on topic now. */
  readonly nowOnTopic: number;
  /** Pages on topic that are not in the corpus: the crawl fetches them again when it goes on. */
  readonly reopened: number;
  readonly noLongerOnTopic: number;
  /** Pages in the corpus that a harvest now leaves out. */
  readonly keptOffTopic: number;
  /** URLs that wait. */
  readonly waiting: number;
  /** Of the `first` that were to be visited next, how many still are among the first. */
  readonly first: number;
  readonly stillFirst: number;
}

export interface Relabelling {
  /** Ids of the models before and after; the same when the labels change nothing. */
  readonly from: string;
  readonly to: string;
  readonly threshold: Unit;
  readonly card: ModelCard;
  /** Labels trained with. */
  readonly yes: number;
  readonly no: number;
  /** null where nothing could be held out. */
  readonly effect: LabelEffect | null;
  readonly changes: RelabelChanges;
}

/**
 * The same, with what the random third says of the corpus that a harvest takes now: labelled pages are in it if a model takes them that has
 * seen no page of their host. null where there is no such model.
 */
export interface RelabelReport extends Relabelling {
  readonly harvest: ShareEstimate | null;
}

/** A crawl that is being labelled. */
export interface Labelled {
  readonly paths: CrawlPaths;
  /** Closed by `relabel`. */
  readonly crawl: OpenCrawl;
  /** In force. */
  readonly model: LinearTopicModel;
  readonly log: LabelLog;
}

/** The training matrix has n² entries, and as many pages may come from the topic's first training. */
const MAX_LABELS = 2000;
/** Waiting URLs whose order is compared. */
const FIRST = 100;
/** Pages between two reports of progress. */
const REPORT_EVERY = 100;

/**
 * Train the topic again from the pages it was first trained on and all labels, and let the new model judge the pages and links of the
 * crawl. What was stored stays; the new judgement stands beside it, and is in force from the moment the manifest names its model: a
 * crash before that leaves all as it was. Nothing is fetched.
 * @throws UsageError when there is no label, or nothing is kept of the pages the topic was first trained on; ModelError, StoreError
 */
export async function relabel(labelled: Labelled, options: RelabelOptions): Promise<Relabelling> {
  const { paths, crawl, model: old } = labelled;
  options.onProgress?.('training', 0);
  const pages = await labelledPages(labelled, options);
  const { model, card, effect, training } = await trained(labelled, pages);
  const before = standing(crawl);
  if (model.id === old.id) await crawl.close();
  else await putInForce(labelled, { model, card, training }, pages.length, options);
  const after = openCrawl(paths.dir);
  try {
    const yes = pages.filter(({ onTopic }) => onTopic).length;
    const changes = changesOf(before, standing(after));
    return { from: old.id, to: model.id, threshold: model.threshold, card, yes, no: pages.length - yes, effect, changes };
  } finally {
    await after.close();
  }
}

/** Labels that the model in force was trained with, by URL: all that were given under the models before it. */
export function learnedLabels({ topic, relabelled }: CrawlManifest, log: LabelLog): Map<string, Label['answer']> {
  const before = new Set(relabelled.map(({ from }) => from).filter((id) => id !== topic.id));
  return new Map(log.labelsUnder(before).map(({ url, answer }) => [url, answer]));
}

/** The pages that have a label, with their texts; those are left out that say something else now than when they were labelled. */
async function labelledPages({ paths, crawl, model, log }: Labelled, { warn }: RelabelOptions): Promise<LabelledPage[]> {
  const labels = new Map<string, Label>(chosen(log, warn).map((label) => [label.url, label]));
  const old = learnedLabels(crawl.manifest, log);
  const languageOf = await pageLanguage(model);
  const detect = await languageDetector();
  const pages: LabelledPage[] = [];
  for await (const page of pagesOf(paths, crawl, [...labels.keys()] as CanonicalUrl[])) {
    const label = labels.get(page.url);
    if (label?.sha256 !== textDigest(page)) continue;
    const isNew = old.get(page.url) !== label.answer;
    pages.push({ ...page, lang: languageOf(page), language: detect(page.text), onTopic: label.answer === 'y', isNew });
  }
  const lost = labels.size - pages.length;
  if (lost > 0) warn?.(`${lost} labelled pages have another text now, or none: their labels are left out`);
  if (pages.length === 0) throw new UsageError(`${paths.dir}: no page has a label yet; answer y or n for some first`);
  return pages.sort((a, b) => (a.url < b.url ? -1 : 1));
}

/** All labels, or as many of them by lot as are trained with. */
function chosen({ labels, seed }: LabelLog, warn: RelabelOptions['warn']): readonly Label[] {
  const excess = labels.length - MAX_LABELS;
  if (excess <= 0) return labels;
  warn?.(`${excess} labels left out by lot: ${MAX_LABELS} are used at the most`);
  return shuffled(labels, seededRng(seed)).slice(0, MAX_LABELS);
}

async function trained({ paths, model, log }: Labelled, pages: readonly LabelledPage[]): Promise<TrainedWithLabels> {
  const training = await readTraining(paths.model);
  if (training === null)
    throw new UsageError(
      `${paths.model}: does not hold the pages it was trained on, as models of this version do; train the topic again from its examples, and crawl with that (the labels can be taken along: forager label <dir> --labels ${log.path})`,
    );
  const rows = uncontradicted(training.rows, pages);
  if (!rows.some(({ role }) => role === 'example') && !pages.some(({ onTopic }) => onTopic))
    throw new UsageError(`${paths.dir}: no example page is left of the topic, and no label is y; answer y for one page at least`);
  // A query of keywords was there for want of examples.
  const card = await loadCard(paths.model);
  // A query is what the labels take the place of; what was asked for besides stays.
  const asked = card.rule === null ? null : parseRule(card.rule);
  const rule = card.rung === 'keywords' ? asked : model.rule;
  return trainWithLabels({ ...training, rows }, pages, { model, rule, seed: log.seed, now: Date.now(), software: `forager/${VERSION}` });
}

/** Save the model, let it judge, and name it in the manifest: that last step is the moment it is in force. Closes the crawl. */
async function putInForce(
  labelled: Labelled,
  { model, card, training }: Omit<TrainedWithLabels, 'effect'>,
  labels: number,
  options: RelabelOptions,
): Promise<void> {
  const { paths, crawl, log } = labelled;
  const { manifest } = crawl;
  makeDirectory(paths.models);
  await saveModel(join(paths.models, model.id), model, card, { force: true, training });
  const kept = await judgedRecords(labelled, model, options);
  const languageOf = await pageLanguage(model);
  await crawl.close();
  options.onProgress?.('judging the frontier', 0);
  const settled = await rejudgeFrontier(paths.frontier, {
    modelId: model.id,
    threshold: model.threshold,
    inForce: rejudgedBy(manifest),
    kept,
    relevanceOf: (page, url) => model.judge({ ...page, url, lang: languageOf(page) }),
    scoresOf: (text) => judgeWords(text, model, { anchor: text.anchorScore !== null, context: text.contextScore !== null }),
  });
  const change = { at: new Date().toISOString(), from: manifest.topic.id, to: model.id, labels, lines: log.lines, settled };
  const topic = { name: model.name, id: model.id, threshold: model.threshold };
  writeManifest(paths.dir, { ...manifest, topic, relabelled: [...manifest.relabelled, change] });
}

async function judgedRecords(
  { paths, crawl }: Labelled,
  model: LinearTopicModel,
  { onProgress }: RelabelOptions,
): Promise<Map<RecordId, Unit>> {
  const languageOf = await pageLanguage(model);
  const relevances = new Map<RecordId, Unit>();
  for await (const record of readRecords(paths.corpus, recordsEnd(crawl.frontier))) {
    relevances.set(record.id, model.judge({ ...record, lang: languageOf(record) }));
    if (relevances.size % REPORT_EVERY === 0) onProgress?.('judging kept pages', relevances.size);
  }
  return relevances;
}

/** What a relabelling can change. */
interface Standing {
  /** Of judged pages, whether they are on topic, and whether they are in the corpus. */
  readonly pages: ReadonlyMap<string, { readonly onTopic: boolean; readonly kept: boolean }>;
  readonly waiting: number;
  /** URLs to be visited next, the best first. */
  readonly first: readonly string[];
}

function standing(crawl: OpenCrawl): Standing {
  const { threshold } = crawl.manifest.topic;
  const judged = judgedPages(crawl).map(({ url, relevance, kept }) => [url, { onTopic: relevance >= threshold, kept }] as const);
  const waiting = [...crawl.frontier.ledger()].filter(({ state }) => state === 'queued').sort((a, b) => b.priority - a.priority);
  return { pages: new Map(judged), waiting: waiting.length, first: waiting.slice(0, FIRST).map(({ url }) => url) };
}

function changesOf(before: Standing, after: Standing): RelabelChanges {
  const changed = [...after.pages].filter(([url, page]) => before.pages.get(url)?.onTopic !== page.onTopic).map(([, page]) => page);
  const first = new Set(after.first);
  return {
    nowOnTopic: changed.filter(({ onTopic }) => onTopic).length,
    reopened: [...after.pages.values()].filter(({ onTopic, kept }) => onTopic && !kept).length,
    noLongerOnTopic: changed.filter(({ onTopic }) => !onTopic).length,
    keptOffTopic: [...after.pages.values()].filter(({ onTopic, kept }) => !onTopic && kept).length,
    waiting: after.waiting,
    first: before.first.length,
    stillFirst: before.first.filter((url) => first.has(url)).length,
  };
}
