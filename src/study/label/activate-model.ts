/** Makes another model the active one of a crawl: it judges all pages and links again, and the manifest names it. */

import { join } from 'node:path';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { JudgedPageText } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, RecordId, Topic, Unit } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { readRecords } from '../../corpus/records/records.ts';
import { type CrawlManifest, rejudgedBy, wishesOf, writeManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadOwnModels } from '../../crawling/crawl-dir/load-topic.ts';
import { type OpenCrawl, withPriorities } from '../../crawling/crawl-dir/open-crawl.ts';
import type { TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { type Rejudge, type RejudgedPage, rejudgeFrontier } from '../../crawling/frontier/rejudge.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import { judgeWords } from '../../reading/links/link-words.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { Committee } from '../../reading/topic/committee.ts';
import { saveModel } from '../../reading/topic/files.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import type { StoredTraining } from '../../reading/topic/training-file.ts';
import { type CrawlPage, judgedPages, recordsEnd } from './judged-pages.ts';
import type { LabelLog } from './label-log.ts';
import { drawOrder } from './label-queue.ts';

export interface RelabelOptions {
  readonly warn?: (message: string) => void;
  readonly onProgress?: (step: RelabelStep, done: number) => void;
  /** Ends the retraining with the reason of the signal, before anything of the crawl has changed. Later it is ignored. */
  readonly signal?: AbortSignal;
  /** Activates a trained model even if held-out labels say that it is worse. Default false: it is only stored. */
  readonly evenIfWorse?: boolean;
  /** `bundled`, `none`, or a file. Default: those of the active model. */
  readonly wordVectors?: string;
}

export type RelabelStep = 'training' | 'judging kept pages' | 'judging the frontier';

/** A page on the other side of the threshold of another model. */
export interface FlippedPage {
  readonly url: string;
  /** Relevance by the model before; null if the page was not judged. */
  readonly before: Unit | null;
  readonly now: Unit;
}

/** Pages and waiting links under another model, compared with before. */
export interface RelabelChanges {
  /** Judged pages on topic, before and now. */
  readonly onTopicBefore: number;
  readonly onTopic: number;
  /** Judged pages that were off topic and are now on topic. */
  readonly nowOnTopic: number;
  /** Pages on topic that are not in the corpus: the crawl fetches them again when it continues. */
  readonly reopened: number;
  /** Number of requests that the crawl has made: plus one for each reopened page, it is the page budget to continue with. */
  readonly visited: number;
  readonly noLongerOnTopic: number;
  /** Some of both, at most ten each, drawn at random. */
  readonly flipped: { readonly nowOnTopic: readonly FlippedPage[]; readonly noLongerOnTopic: readonly FlippedPage[] };
  /** Pages in the corpus, and those of them that a harvest now omits. */
  readonly kept: number;
  readonly keptOffTopic: number;
  /** Number of waiting URLs. */
  readonly waiting: number;
  /** Number of the `first` next URLs that are still among the first. */
  readonly first: number;
  readonly stillFirst: number;
}

/** A crawl with labels. */
export interface LabelledCrawl {
  /** The topic of the labels. */
  readonly part: TopicPart;
  /** Closed when another model is activated. */
  readonly crawl: OpenCrawl;
  /** The active one. */
  readonly model: LinearTopicModel;
  readonly log: LabelLog;
  /** Called immediately before another model is activated. @throws StoreError if the crawl no longer belongs to this process */
  readonly mayWrite: () => void;
}

/** Number of waiting URLs whose order is compared. */
const FIRST = 100;
/** A person can look at so many pages before deciding to take a training back. */
const FLIPPED = 10;
/** Number of pages between two reports of progress. */
const REPORT_EVERY = 100;

type Relabelled = CrawlManifest['relabelled'][number];

/** A model, and the other files in its folder. */
export interface ModelWithRecord {
  readonly model: LinearTopicModel;
  readonly card: ModelCard;
  /** null for a model without its training rows. */
  readonly training: StoredTraining | null;
}

/** Saves the model, lets it judge, and names it in the manifest: that last step activates it. Closes the crawl. @throws StoreError, DataError */
export async function activate(
  labelled: LabelledCrawl,
  { model, card, training }: ModelWithRecord,
  change: Pick<Relabelled, 'labels' | 'pool' | 'modelAnswers' | 'undone'> & Partial<Pick<Relabelled, 'lines' | 'wishes'>>,
  options: RelabelOptions,
): Promise<void> {
  const { part, crawl, log } = labelled;
  const { manifest, paths } = crawl;
  await save(labelled, { model, card, training });
  const models = await modelsWith(labelled, model);
  const committee = new Committee(models);
  const settled = await judgeAgain(crawl, models, labelled.mayWrite, options);
  const ofTopic = part.place === null ? {} : { topic: part.topic.name };
  const wishes = wishesOf(manifest);
  const entry = {
    ...{ at: new Date().toISOString(), ...ofTopic, from: part.topic.id, to: model.id, lines: log.lines, settled },
    ...(wishes.length > 0 && { wishes: { active: [...wishes] } }),
    ...change,
  };
  const topic = { name: model.name, id: model.id, threshold: model.threshold };
  const changed =
    part.place === null
      ? { topic, ...(change.wishes === undefined && { keptBeside: null }) }
      : { topic: topicOf(committee), topics: manifest.topics.map((one, place) => (place === part.place ? topic : one)) };
  labelled.mayWrite();
  writeManifest(paths.dir, { ...manifest, ...changed, relabelled: [...manifest.relabelled, entry] });
}

/**
 * Lets models judge all pages and links of a crawl. Closes the crawl. The judgements apply when its manifest names the models.
 * @param models of its topics, in their order
 * @returns the number of settled URLs
 * @throws StoreError, DataError
 */
export async function judgeAgain(
  crawl: OpenCrawl,
  models: readonly LinearTopicModel[],
  mayWrite: () => void,
  options: RelabelOptions,
): Promise<number> {
  const { manifest, paths } = crawl;
  const committee = new Committee(models);
  const judged = await judgedRecords(crawl, models, options);
  const languageOf = await pageLanguage(...models);
  const topics = manifest.topics.length === 0 ? null : { count: models.length, keptFor: keptForNow(crawl) };
  await crawl.close();
  options.onProgress?.('judging the frontier', 0);
  mayWrite();
  return rejudgeFrontier(paths.frontier, {
    modelId: committee.id,
    threshold: committee.threshold,
    active: rejudgedBy(manifest),
    ...judged,
    judge: (page, url) => judgedBy(committee, { ...page, url, lang: languageOf(page) }),
    ...(topics !== null && { topics }),
    scoresOf: (text) => judgeWords(text, committee, { anchor: text.anchorScore !== null, context: text.contextScore !== null }),
  });
}

/** Saves a model without activating it, and notes that in the manifest. Closes the crawl. @throws StoreError */
export async function keepBeside(
  labelled: LabelledCrawl,
  kept: ModelWithRecord,
  learned: Pick<CrawlManifest['relabelled'][number], 'labels' | 'pool'>,
): Promise<void> {
  const { part, crawl, log } = labelled;
  const { manifest, paths } = crawl;
  await save(labelled, kept);
  await crawl.close();
  const keptBeside = { at: new Date().toISOString(), id: kept.model.id, ...learned, lines: log.lines };
  labelled.mayWrite();
  writeManifest(paths.dir, {
    ...manifest,
    ...(part.place === null
      ? { keptBeside }
      : { topics: manifest.topics.map((one, place) => (place === part.place ? { ...one, keptBeside } : one)) }),
  });
}

/** All models of a crawl as they will be, in the order of its topics. @throws ModelError */
async function modelsWith({ part, crawl }: LabelledCrawl, model: LinearTopicModel): Promise<readonly LinearTopicModel[]> {
  if (part.place === null) return [model];
  const models = await loadOwnModels(crawl.paths, crawl.manifest);
  return models.map((one, place) => (place === part.place ? model : one));
}

function topicOf({ name, id, threshold }: Committee): Topic {
  return { name, id, threshold };
}

/** The topics that each page in the corpus was kept for; null for other pages. O(discovered URLs). */
function keptForNow({ frontier, manifest }: OpenCrawl): (url: CanonicalUrl) => readonly boolean[] | null {
  const pages = new Map<string, readonly boolean[]>();
  for (const { url, state, relevances, keptFor } of frontier.ledger())
    if (state === 'kept' && relevances !== undefined)
      pages.set(url, keptFor ?? manifest.topics.map(({ threshold }, place) => isOnTopic(relevances[place], threshold)));
  return (url) => pages.get(url) ?? null;
}

async function save({ crawl: { paths } }: LabelledCrawl, { model, card, training }: ModelWithRecord): Promise<void> {
  makeDirectory(paths.models);
  await saveModel(join(paths.models, model.id), model, card, { force: true, isOwn: true, ...(training === null ? {} : { training }) });
}

async function judgedRecords(
  crawl: OpenCrawl,
  models: readonly LinearTopicModel[],
  { onProgress, signal }: RelabelOptions,
): Promise<Pick<Rejudge, 'kept' | 'payloads'>> {
  const languageOf = await pageLanguage(...models);
  const committee = new Committee(models);
  const kept = new Map<RecordId, RejudgedPage>();
  const payloads = new Map<string, RejudgedPage>();
  for await (const record of readRecords(crawl.paths.corpus, recordsEnd(crawl.frontier), crawl.onDamaged)) {
    signal?.throwIfAborted();
    const judged = judgedBy(committee, { ...record, lang: languageOf(record) });
    kept.set(record.id, judged);
    payloads.set(record.payloadSha256, judged);
    if (kept.size % REPORT_EVERY === 0) onProgress?.('judging kept pages', kept.size);
  }
  return { kept, payloads };
}

/** The judgement of a page, with the wish about it. */
function judgedBy(committee: Committee, page: JudgedPageText): RejudgedPage {
  const judged = committee.judge(page);
  return committee.steeredAs(page, judged) === 'wanted' ? { ...judged, wanted: true } : judged;
}

/** A judged page under the active model. */
interface Stand extends CrawlPage {
  readonly onTopic: boolean;
}

/** The parts of a crawl that another model can change. */
export interface TopicStanding {
  /** The judged pages, each with whether it is on topic and in the corpus. */
  readonly pages: ReadonlyMap<string, Stand>;
  readonly waiting: number;
  readonly visited: number;
  /** The next URLs to visit, best first. */
  readonly first: readonly string[];
}

/** The state of one topic of an open crawl. */
export function standing(crawl: OpenCrawl, part: TopicPart): TopicStanding {
  const { threshold } = part.topic;
  const judged = judgedPages(crawl, part).map((page) => [page.url, { ...page, onTopic: isOnTopic(page.relevance, threshold) }] as const);
  const waiting = [...withPriorities(crawl).frontier.ledger()]
    .filter(({ state }) => state === 'waiting')
    .sort((a, b) => b.priority - a.priority);
  return {
    pages: new Map(judged),
    waiting: waiting.length,
    visited: crawl.frontier.counts().visited,
    first: waiting.slice(0, FIRST).map(({ url }) => url),
  };
}

export function changesOf(before: TopicStanding, after: TopicStanding): RelabelChanges {
  const changed = [...after.pages].filter(([url, page]) => before.pages.get(url)?.onTopic !== page.onTopic).map(([, page]) => page);
  const first = new Set(after.first);
  const onTopicOf = ({ pages }: TopicStanding) => [...pages.values()].filter(({ onTopic }) => onTopic).length;
  return {
    onTopicBefore: onTopicOf(before),
    onTopic: onTopicOf(after),
    nowOnTopic: changed.filter(({ onTopic }) => onTopic).length,
    reopened: [...after.pages.values()].filter(({ onTopic, stored }) => onTopic && !stored).length,
    noLongerOnTopic: changed.filter(({ onTopic }) => !onTopic).length,
    flipped: { nowOnTopic: flippedOf(before, changed, true), noLongerOnTopic: flippedOf(before, changed, false) },
    kept: [...after.pages.values()].filter(({ kept }) => kept).length,
    keptOffTopic: [...after.pages.values()].filter(({ onTopic, kept }) => !onTopic && kept).length,
    waiting: after.waiting,
    visited: after.visited,
    first: before.first.length,
    stillFirst: before.first.filter((url) => first.has(url)).length,
  };
}

/** Draws flipped pages, the same ones each time. */
function flippedOf(before: TopicStanding, changed: readonly Stand[], isNow: boolean): FlippedPage[] {
  const drawn = drawOrder(
    changed.filter(({ onTopic }) => onTopic === isNow),
    1,
  ).slice(0, FLIPPED);
  return drawn.map(({ url, relevance }) => ({ url, before: before.pages.get(url)?.relevance ?? null, now: relevance }));
}
