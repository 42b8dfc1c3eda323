/** A running crawl asks about some of its pages. Nobody has to answer, and no visit waits for an answer. */
import { statSync } from 'node:fs';
import { CrawlerError } from '../core/errors.ts';
import type { Emit } from '../core/parts/crawl-events.ts';
import type { Ledger } from '../core/parts/queueing.ts';
import type { Unit } from '../core/types.ts';
import type { CrawlManifest, CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { judgedPages } from '../label/judged-pages.ts';
import { LabelLog } from '../label/label-log.ts';
import { LabelPlan } from '../label/label-queue.ts';
import { type CrawlQuestion, chooseQuestions } from '../label/question-choice.ts';
import { openQuestions, type QuestionBatch, readQuestions, writeQuestions } from '../label/questions-file.ts';

interface Asking {
  readonly paths: CrawlPaths;
  readonly manifest: Pick<CrawlManifest, 'ask' | 'topics'>;
  readonly emit: Emit;
  readonly warn: (message: string) => void;
}

/** The crawl whose pages are asked about. It changes when the crawl has trained its topic. */
export interface AskedCrawl {
  readonly frontier: Pick<Ledger, 'ledger' | 'counts'>;
  readonly threshold: Unit;
}

/** Chooses the questions of `--ask` at their numbers of visits, and stores them in the crawl's directory. */
export class CrawlQuestions {
  readonly #asking: Asking;
  #batches: readonly QuestionBatch[];
  /** Size of the label file that `#open` is about; null after new questions. */
  #size: number | null = null;
  #open = 0;

  /** @throws DataError if the file of questions is damaged */
  constructor(asking: Asking) {
    this.#asking = asking;
    this.#batches = readQuestions(asking.paths);
  }

  /** A URL was settled. Never throws. */
  settled({ frontier, threshold }: AskedCrawl): void {
    const { manifest, paths, emit, warn } = this.#asking;
    if (manifest.topics.length > 0) return;
    const due = manifest.ask.filter(({ visits }) => !this.#batches.some((batch) => batch.visits === visits));
    if (due.length === 0) return;
    const { visited } = frontier.counts();
    const next = due.filter(({ visits }) => visits <= visited).sort((a, b) => a.visits - b.visits)[0];
    if (next === undefined) return;
    try {
      const questions = this.#choose(frontier, threshold, next.questions);
      const at = Date.now();
      const batches = [...this.#batches, { visits: next.visits, at: new Date(at).toISOString(), questions }];
      writeQuestions(paths, batches);
      this.#batches = batches;
      this.#size = null;
      emit({ type: 'asked', at, visits: next.visits, questions: questions.length });
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      warn(error.message);
    }
  }

  /** Number of times that the crawl has asked. */
  get batches(): number {
    return this.#batches.length;
  }

  /** Number of questions without an answer. A damaged label file answers nothing. Cheap while the label file stays as it is. */
  get open(): number {
    if (this.#batches.length === 0) return 0;
    const size = statSync(this.#asking.paths.labels, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#size) return this.#open;
    this.#size = size;
    this.#open = openQuestions(this.#batches, this.#answers()).length;
    return this.#open;
  }

  #answers(): ReadonlyMap<string, unknown> {
    try {
      return LabelLog.open(this.#asking.paths.labels, undefined, () => undefined).state.answers;
    } catch (error) {
      if (error instanceof CrawlerError) return new Map();
      throw error;
    }
  }

  #choose(frontier: AskedCrawl['frontier'], threshold: Unit, count: number): CrawlQuestion[] {
    const log = LabelLog.open(this.#asking.paths.labels, undefined, () => undefined);
    const pages = judgedPages({ frontier, lost: new Set() });
    const plan = new LabelPlan(pages, { threshold, trainedHosts: new Set(), seed: log.seed });
    const asked = this.#batches.flatMap(({ questions }) => questions);
    return chooseQuestions(pages, plan, log.state, asked, count);
  }
}
