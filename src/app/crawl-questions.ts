/** A running crawl asks about some of its pages, for each of its topics. Nobody has to answer, and no visit waits for an answer. */
import { statSync } from 'node:fs';
import { CrawlerError } from '../core/errors.ts';
import type { Emit } from '../core/parts/crawl-events.ts';
import type { Ledger } from '../core/parts/queueing.ts';
import type { CrawlManifest, CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { type TopicPart, topicParts } from '../crawl-dir/topic-part.ts';
import { judgedPages } from '../label/judged-pages.ts';
import { LabelLog } from '../label/label-log.ts';
import { LabelPlan } from '../label/label-queue.ts';
import { chooseQuestions } from '../label/question-choice.ts';
import { openQuestions, type QuestionBatch, readQuestions, writeQuestions } from '../label/questions-file.ts';

interface Asking {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  readonly emit: Emit;
  readonly warn: (message: string) => void;
}

/** The crawl whose pages are asked about. Its manifest changes when it has trained a topic. */
export interface AskedCrawl {
  readonly frontier: Pick<Ledger, 'ledger' | 'counts'>;
  readonly manifest: CrawlManifest;
}

/** Chooses the questions of `--ask` at their numbers of visits, and stores them in the crawl's directory. */
export class CrawlQuestions {
  readonly #asking: Asking;
  readonly #topics: readonly TopicQuestions[];

  /** @throws DataError if a file of questions is damaged */
  constructor(asking: Asking) {
    this.#asking = asking;
    this.#topics = topicParts(asking.paths.dir, asking.manifest).map(({ paths }) => new TopicQuestions(paths));
  }

  /** A URL was settled. Never throws. */
  settled({ frontier, manifest }: AskedCrawl): void {
    const { paths, emit, warn } = this.#asking;
    const due = this.#asking.manifest.ask.filter(({ visits }) => this.#topics.some((topic) => topic.isDue(visits)));
    if (due.length === 0) return;
    const { visited } = frontier.counts();
    const next = due.filter(({ visits }) => visits <= visited).sort((a, b) => a.visits - b.visits)[0];
    if (next === undefined) return;
    try {
      const at = Date.now();
      let questions = 0;
      for (const [i, part] of topicParts(paths.dir, manifest).entries()) {
        const topic = this.#topics[i];
        if (topic?.isDue(next.visits)) questions += topic.ask(part, frontier, next, new Date(at).toISOString());
      }
      emit({ type: 'asked', at, visits: next.visits, questions });
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      warn(error.message);
    }
  }

  /** Number of times that the crawl has asked, for each topic. */
  get batches(): number {
    return this.#topics.reduce((sum, { batches }) => sum + batches, 0);
  }

  /** Number of questions without an answer. A damaged label file answers nothing. Cheap while the label files stay as they are. */
  get open(): number {
    return this.#topics.reduce((sum, { open }) => sum + open, 0);
  }
}

/** The questions about one topic. */
class TopicQuestions {
  readonly #paths: CrawlPaths;
  #batches: readonly QuestionBatch[];
  /** Size of the label file that `#open` is about; null after new questions. */
  #size: number | null = null;
  #open = 0;

  /** @param paths of the topic: see `TopicPart` */
  constructor(paths: CrawlPaths) {
    this.#paths = paths;
    this.#batches = readQuestions(paths);
  }

  get batches(): number {
    return this.#batches.length;
  }

  isDue(visits: number): boolean {
    return !this.#batches.some((batch) => batch.visits === visits);
  }

  get open(): number {
    if (this.#batches.length === 0) return 0;
    const size = statSync(this.#paths.labels, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#size) return this.#open;
    this.#size = size;
    this.#open = openQuestions(this.#batches, this.#answers()).length;
    return this.#open;
  }

  /** Chooses and stores the questions of one moment. @returns their number @throws DataError, StoreError */
  ask(part: TopicPart, frontier: AskedCrawl['frontier'], { visits, questions: count }: CrawlManifest['ask'][number], at: string): number {
    const log = LabelLog.open(this.#paths.labels, undefined, () => undefined);
    const pages = judgedPages({ frontier, lost: new Set() }, part);
    const plan = new LabelPlan(pages, { threshold: part.topic.threshold, trainedHosts: new Set(), seed: log.seed });
    const asked = this.#batches.flatMap(({ questions }) => questions);
    const questions = chooseQuestions(pages, plan, log.state, asked, count);
    const batches = [...this.#batches, { visits, at, questions }];
    writeQuestions(this.#paths, batches);
    this.#batches = batches;
    this.#size = null;
    return questions.length;
  }

  #answers(): ReadonlyMap<string, unknown> {
    try {
      return LabelLog.open(this.#paths.labels, undefined, () => undefined).state.answers;
    } catch (error) {
      if (error instanceof CrawlerError) return new Map();
      throw error;
    }
  }
}
