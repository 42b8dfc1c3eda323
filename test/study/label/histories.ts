/**
 * Random histories of a crawl whose truth is known: visits, questions of the crawl, sessions, audits, trainings, pages that are requested again. Pages, fates
 * and the model are simulated; the label file, the queues, the questions, the held-out relevances and all estimates are the real ones.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isoTime } from '../../../src/base/core/clock.ts';
import { sigmoid } from '../../../src/base/core/odds.ts';
import { isOnTopic } from '../../../src/base/core/on-topic.ts';
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import type { LedgerLine } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import type { PrecisionFacts } from '../../../src/corpus/select/crawl-facts.ts';
import type { CrawlManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { crawlPaths } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import type { TopicPart } from '../../../src/crawling/crawl-dir/topic-part.ts';
import { harvestPrecision, labelFacts } from '../../../src/study/inspect/grounds.ts';
import { writeHeldOut } from '../../../src/study/label/held-out-file.ts';
import { type CrawlPage, judgedPages } from '../../../src/study/label/judged-pages.ts';
import { type LabelEntry, LabelLog } from '../../../src/study/label/label-log.ts';
import { type Answer, knownAnswer, LabelPlan, newestRead, type Turn } from '../../../src/study/label/label-queue.ts';
import { chooseQuestions } from '../../../src/study/label/question-choice.ts';
import { newestOfDraws, type QuestionBatch } from '../../../src/study/label/questions-file.ts';

const THRESHOLD = 0.5;
const FEATURES = 6;
const HOSTS = 12;
/** Held-out parts of the labels. */
const FOLDS = 5;
const START = Date.UTC(2026, 0, 1);

/** A page with its truth. */
interface SimulatedPage {
  readonly url: CrawlPage['url'];
  readonly features: readonly number[];
  readonly onTopic: boolean;
  state: 'kept' | 'off-topic' | 'waiting';
  fetchedAt: number;
  relevance: number;
}

/** A figure of a history, and the truth about the pages that it describes. */
export interface Checked {
  readonly of: 'kept' | 'harvest' | 'corpus';
  readonly figure: PrecisionFacts;
  readonly truth: number;
}

/** The figures at the end of a history. */
export interface HistoryEnd {
  readonly figures: readonly Checked[];
  /** Answers y or n to kept pages that were drawn while they were kept, and those that the figure of the kept pages rests on. */
  readonly drawn: number;
  readonly counted: number;
  /** Number of steps, of trainings. */
  readonly steps: readonly string[];
}

export async function history(seed: number): Promise<HistoryEnd> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-history-'));
  try {
    return await new History(dir, seed).run();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

class History {
  readonly #rng: Rng;
  readonly #log: LabelLog;
  readonly #pages: SimulatedPage[] = [];
  readonly #truth = normals(FEATURES, seededRng(1), 1.2);
  readonly #part: { manifest: Pick<CrawlManifest, 'topic' | 'relabelled'>; paths: ReturnType<typeof crawlPaths> };
  #model: readonly number[];
  #batches: readonly QuestionBatch[] = [];
  #now = START;
  /** Grows with time, so that later parts of the web have another share. */
  #drift = 0;
  #drawn = 0;

  constructor(dir: string, seed: number) {
    this.#rng = seededRng(seed);
    const paths = crawlPaths(dir);
    mkdirSync(paths.labelling, { recursive: true });
    this.#log = LabelLog.open(paths.labels, 1 + Math.floor(this.#rng() * 1e6), () => undefined);
    this.#part = { manifest: { topic: { name: 't', id: 'm0', threshold: THRESHOLD }, relabelled: [] }, paths };
    const noise = normals(FEATURES + 1, this.#rng, 0.7 + this.#rng());
    this.#model = [...this.#truth, 0.5].map((weight, i) => weight + (noise[i] ?? 0));
  }

  get #topic(): TopicPart {
    return { topic: this.#part.manifest.topic, place: null, manifest: this.#part.manifest as CrawlManifest, paths: this.#part.paths };
  }

  async run(): Promise<HistoryEnd> {
    const steps = ['crawl', ...Array.from({ length: 3 + this.#below(6) }, () => this.#oneOf(STEPS)), this.#oneOf(LAST)];
    for (const step of steps) await this.#step(step);
    const facts = labelFacts(this.#crawl, this.#topic);
    await this.#log.close();
    return { figures: this.#figures(), drawn: this.#drawn, counted: facts?.precision?.answers ?? facts?.drawn.kept ?? 0, steps };
  }

  async #step(step: string): Promise<void> {
    this.#now += 60_000;
    if (step === 'crawl') this.#visit(40 + this.#below(this.#rng() < 0.3 ? 800 : 200));
    if (step === 'few') this.#visit(1 + this.#below(8));
    if (step === 'ask') this.#ask(4 + this.#below(12));
    if (step === 'label') await this.#label(6 + this.#below(40), false);
    if (step === 'audit') await this.#label(3 + this.#below(20), true);
    if (step === 'train') this.#train();
  }

  get #crawl() {
    const lines = this.#pages.map(({ url, state, relevance, fetchedAt }) => ({ url, state, relevance, fetchedAt }) as LedgerLine);
    return { frontier: { requested: () => lines.values() }, lost: new Set<CrawlPage['url']>() };
  }

  /** Pages that are on topic since a training are requested again first. */
  #visit(count: number): void {
    for (const page of this.#pages.filter(({ state }) => state === 'waiting')) {
      this.#now += 1000;
      [page.state, page.fetchedAt] = [isOnTopic(page.relevance, THRESHOLD) ? 'kept' : 'off-topic', this.#now];
    }
    this.#drift += (this.#rng() - 0.5) * 2;
    for (let i = 0; i < count; i++) {
      this.#now += 1000;
      const features = normals(FEATURES, this.#rng, 1);
      const onTopic = this.#rng() < sigmoid(dot(this.#truth, features) + this.#drift);
      const relevance = judge(this.#model, features);
      const url = canonicalize(`http://h${this.#below(HOSTS)}.test/${this.#pages.length}`);
      if (url === null) continue;
      const state = isOnTopic(relevance, THRESHOLD) ? 'kept' : 'off-topic';
      this.#pages.push({ url, features, onTopic, relevance, state, fetchedAt: this.#now });
    }
  }

  #ask(count: number): void {
    const pages = judgedPages(this.#crawl, this.#topic);
    const asked = this.#batches.flatMap(({ questions }) => questions);
    const questions = chooseQuestions(pages, this.#plan(pages), this.#log.state, asked, count);
    const newest = newestRead(pages);
    const batch = { visits: this.#pages.length, at: isoTime(this.#now), ...(newest !== null && { newest: isoTime(newest) }), questions };
    this.#batches = [...this.#batches, batch];
    // The crawl goes on before anybody answers.
    this.#visit(this.#below(40));
  }

  async #label(count: number, isAudit: boolean): Promise<void> {
    const pages = judgedPages(this.#crawl, this.#topic);
    const plan = this.#plan(pages);
    const newest = newestOfDraws(this.#batches);
    const truths = new Map(this.#pages.map(({ url, onTopic }) => [url as string, onTopic]));
    const latest = newestRead(pages);
    for (let asked = 0; asked < count; ) {
      const state = this.#log.state;
      const turn = isAudit ? plan.nextKept(state) : (this.#asks(plan) ?? plan.next(state));
      if (turn === null) break;
      this.#now += 1000;
      const { url, relevance } = turn.page;
      const answer: Answer = turn.known ?? (this.#rng() < 0.03 ? 'skip' : truths.get(url) ? 'y' : 'n');
      const among = newest.get(url) ?? (latest === null ? undefined : isoTime(latest));
      const entry: LabelEntry = {
        ...{ url, answer, queue: turn.queue, relevance, modelId: this.#part.manifest.topic.id, sha256: '', at: isoTime(this.#now) },
        ...(turn.known !== null && { known: true as const }),
        ...(turn.queue === 'random' && among !== undefined && { newest: among }),
      };
      await this.#log.append([entry]);
      const wasKept = turn.page.kept && isoTime(turn.page.readAt ?? 0) <= (among ?? '');
      if (turn.queue === 'random' && answer !== 'skip' && wasKept) this.#drawn += 1;
      if (turn.known === null) asked += 1;
    }
  }

  #asks(plan: LabelPlan<CrawlPage>): Turn<CrawlPage> | null {
    const { state } = this.#log;
    for (const { url, queue } of this.#batches.flatMap(({ questions }) => questions)) {
      if (queue === 'random' ? state.drawn.has(url) : state.answers.has(url)) continue;
      const page = plan.page(url);
      if (page !== null) return { page, queue, known: queue === 'random' ? knownAnswer(state, url) : null };
    }
    return null;
  }

  #plan(pages: readonly CrawlPage[]): LabelPlan<CrawlPage> {
    return new LabelPlan(pages, { threshold: THRESHOLD, trainedHosts: new Set(), seed: this.#log.seed });
  }

  /** A ridge regression on the labels, around the model before; each fold is judged by one without it. */
  #train(): void {
    const answers = new Map(this.#log.labels.map(({ url, answer }) => [url, answer]));
    const rows = this.#pages.flatMap((page) => (answers.has(page.url) ? [page] : []));
    if (rows.length < 5) return;
    const fitted = (without: number) =>
      regression(
        rows.filter((_, i) => i % FOLDS !== without),
        this.#model,
      );
    const heldOut = new Map(rows.map(({ url, features }, i) => [url as string, judge(fitted(i % FOLDS), features)]));
    this.#model = fitted(-1);
    const { topic, relabelled } = this.#part.manifest;
    const id = `m${relabelled.length + 1}`;
    const entry = { at: isoTime(this.#now), from: topic.id, to: id, labels: rows.length, lines: this.#log.lines, settled: 0 };
    this.#part.manifest = { topic: { ...topic, id }, relabelled: [...relabelled, entry] as CrawlManifest['relabelled'] };
    writeHeldOut(this.#part.paths, id, heldOut);
    for (const page of this.#pages) {
      page.relevance = judge(this.#model, page.features);
      if (page.state !== 'kept') page.state = isOnTopic(page.relevance, THRESHOLD) ? 'waiting' : 'off-topic';
    }
  }

  #figures(): Checked[] {
    const kept = this.#pages.filter(({ state }) => state === 'kept');
    const taken = kept.filter(({ relevance }) => isOnTopic(relevance, THRESHOLD));
    // A corpus of some hosts.
    const isInCorpus = ({ url }: { readonly url: string }) => !url.startsWith('http://h1');
    const corpus = taken.filter(isInCorpus);
    const facts = labelFacts(this.#crawl, this.#topic);
    const least = this.#part.manifest.relabelled.length > 0 ? THRESHOLD : null;
    const tooLow = new Set<string>(kept.filter(({ relevance }) => least !== null && relevance < least).map(({ url }) => url));
    const omits = (url: string) => (isInCorpus({ url }) ? (tooLow.has(url) ? 'relevance' : null) : 'language');
    const ofCorpus = harvestPrecision(this.#crawl, this.#topic, least, omits);
    return [
      ...checked('kept', facts?.precision ?? null, kept),
      ...checked('harvest', facts?.harvest ?? null, taken),
      ...checked('corpus', ofCorpus, corpus),
    ];
  }

  #below(most: number): number {
    return Math.floor(this.#rng() * most);
  }

  #oneOf<T>(all: readonly T[]): T {
    return all[this.#below(all.length)] as T;
  }
}

const STEPS = ['crawl', 'crawl', 'few', 'ask', 'label', 'label', 'audit', 'train'] as const;
const LAST = ['crawl', 'few', 'label', 'audit', 'train'] as const;

/** The truth about the pages that a figure describes. */
function checked(of: Checked['of'], figure: PrecisionFacts | null, pages: readonly SimulatedPage[]): Checked[] {
  if (figure === null) return [];
  const until = figure.older === undefined ? Number.POSITIVE_INFINITY : Date.parse(figure.older.until);
  const described = pages.filter(({ fetchedAt }) => fetchedAt <= until);
  if (described.length !== figure.pages)
    throw new Error(
      `the figure describes ${figure.pages} pages, not ${described.length}: ${of} ${JSON.stringify(figure)} ${pages.map((p) => p.fetchedAt - START)}`,
    );
  return [{ of, figure, truth: described.filter(({ onTopic }) => onTopic).length / described.length }];
}

function judge(model: readonly number[], features: readonly number[]): number {
  return sigmoid(dot(model, [...features, 1]));
}

/** Logistic regression by gradient descent from a model, drawn back to it. */
function regression(rows: readonly SimulatedPage[], from: readonly number[]): number[] {
  let model = [...from];
  for (let step = 0; step < 150; step++) {
    const slopes = model.map((weight, i) => 0.02 * rows.length * (weight - (from[i] ?? 0)));
    for (const { features, onTopic } of rows) {
      const error = judge(model, features) - Number(onTopic);
      [...features, 1].forEach((value, i) => {
        slopes[i] = (slopes[i] ?? 0) + error * value;
      });
    }
    model = model.map((weight, i) => weight - (1.5 / rows.length) * (slopes[i] ?? 0));
  }
  return model;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function normals(count: number, rng: Rng, scale: number): number[] {
  return Array.from({ length: count }, () => scale * Math.sqrt(-2 * Math.log(1 - rng())) * Math.cos(2 * Math.PI * rng()));
}
