/** A running crawl asks about some of its pages, for each of its topics. Nobody has to answer, and no visit waits for an answer. */
import { statSync } from 'node:fs';
import { isoTime } from '../../base/core/clock.ts';
import { CrawlerError } from '../../base/core/errors.ts';
import type { Emit } from '../../base/core/parts/crawl-events.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { EpochMs } from '../../base/core/types.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type TopicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import { judgedPages } from '../../study/label/judged-pages.ts';
import { LabelLog } from '../../study/label/label-log.ts';
import { LabelPlan, newestRead, withGiven } from '../../study/label/label-queue.ts';
import { chooseQuestions } from '../../study/label/question-choice.ts';
import { openQuestions, type QuestionBatch, readQuestions, writeQuestions } from '../../study/label/questions-file.ts';

interface Asking {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  readonly emit: Emit;
  readonly warn: (message: string) => void;
  /** The pages that were given for the training of each topic. Default: none. */
  readonly given?: readonly GivenPages[];
}

/** The crawl whose pages are asked about. Its manifest changes when it has trained a topic. */
export interface AskedCrawl {
  readonly frontier: Pick<Ledger, 'requested' | 'counts'>;
  readonly manifest: CrawlManifest;
}

/** The questions of one moment, until they are stored. */
interface Chosen {
  readonly visits: number;
  readonly at: EpochMs;
  /** Number of settlements of this run at that moment: once as many are committed, all pages asked about are. */
  readonly settlements: number;
}

/**
 * Chooses the questions of `--ask` at their numbers of visits, and stores them in the crawl's directory after the commit of their pages: a stored question
 * has its page. Questions that a crash took between the two are chosen again when the crawl is resumed.
 */
export class CrawlQuestions {
  readonly #asking: Asking;
  readonly #topics: readonly TopicQuestions[];
  /** Chosen questions, in the order of their moments. */
  #chosen: readonly Chosen[] = [];
  #settled = 0;
  #committed = 0;

  /** @throws DataError if a file of questions is damaged */
  constructor(asking: Asking) {
    this.#asking = asking;
    this.#topics = topicParts(asking.paths.dir, asking.manifest).map(
      ({ paths }, i) => new TopicQuestions(paths, asking.given?.[i] ?? new GivenPages([])),
    );
  }

  /** The run begins, and everything settled before it is committed: asks the questions that earlier runs did not store. Never throws. */
  begin(crawl: AskedCrawl): void {
    this.#try(() => {
      this.#choose(crawl);
      this.#store();
    });
  }

  /** A URL was settled. Never throws. */
  settled(crawl: AskedCrawl): void {
    this.#settled += 1;
    this.#try(() => this.#choose(crawl));
  }

  /** Notes that so many settlements of this run were committed, the earliest first. Never throws. */
  committed(settlements: number): void {
    this.#committed += settlements;
    this.#try(() => this.#store());
  }

  /** @throws DataError */
  #choose({ frontier, manifest }: AskedCrawl): void {
    const { paths, manifest: stored } = this.#asking;
    const due = stored.ask.filter(({ visits }) => this.#topics.some((topic) => topic.isDue(visits)));
    if (due.length === 0) return;
    const { visited } = frontier.counts();
    const past = due.filter(({ visits }) => visits <= visited).sort((a, b) => a.visits - b.visits);
    for (const moment of past) {
      const chosen = { visits: moment.visits, at: Date.now(), settlements: this.#settled };
      for (const [i, part] of topicParts(paths.dir, manifest).entries()) {
        const topic = this.#topics[i];
        if (!topic?.isDue(moment.visits)) continue;
        topic.choose(part, frontier, moment, new Date(chosen.at).toISOString());
        // At once: the labels of the next topic may be damaged.
        if (this.#chosen.at(-1) !== chosen) this.#chosen = [...this.#chosen, chosen];
      }
    }
  }

  /** Questions that cannot be written are tried again after the next commit. @throws StoreError */
  #store(): void {
    for (const { visits, at } of this.#chosen.filter(({ settlements }) => settlements <= this.#committed)) {
      const questions = this.#topics.reduce((sum, topic) => sum + topic.store(visits), 0);
      this.#chosen = this.#chosen.slice(1);
      this.#asking.emit({ type: 'asked', at, visits, questions });
    }
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      this.#asking.warn(error.message);
    }
  }

  /** Number of times that questions were stored, for each topic. */
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
  readonly #given: GivenPages;
  /** The stored ones, in the order they were chosen. */
  #batches: readonly QuestionBatch[];
  /** Batches that are not stored yet. */
  #chosen: readonly QuestionBatch[] = [];
  /** Size of the label file that `#open` is about; null after new questions. */
  #size: number | null = null;
  #open = 0;

  /** @param paths of the topic: see `TopicPart` */
  constructor(paths: CrawlPaths, given: GivenPages) {
    this.#paths = paths;
    this.#given = given;
    this.#batches = readQuestions(paths);
  }

  get batches(): number {
    return this.#batches.length;
  }

  isDue(visits: number): boolean {
    return !this.#all.some((batch) => batch.visits === visits);
  }

  get open(): number {
    if (this.#batches.length === 0) return 0;
    const size = statSync(this.#paths.labels, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#size) return this.#open;
    this.#size = size;
    this.#open = openQuestions(this.#batches, this.#answers()).length;
    return this.#open;
  }

  /** Chooses the questions of one moment. @throws DataError */
  choose(part: TopicPart, frontier: AskedCrawl['frontier'], { visits, questions: count }: CrawlManifest['ask'][number], at: string): void {
    const log = LabelLog.ofTopic(part);
    const pages = judgedPages({ frontier, lost: new Set() }, part);
    const plan = new LabelPlan(pages, { threshold: part.topic.threshold, trainedHosts: new Set(), seed: log.seed });
    const asked = this.#all.flatMap(({ questions }) => questions);
    const own = pages.filter((page) => this.#given.mayBe(page)).map(({ url }) => [url, 'skip'] as const);
    const questions = chooseQuestions(pages, plan, withGiven(log.state, new Map(own)), asked, count);
    const newest = newestRead(pages);
    this.#chosen = [...this.#chosen, { visits, at, ...(newest !== null && { newest: isoTime(newest) }), questions }];
  }

  /** Stores the questions of one moment. @returns their number; 0 if they were stored before @throws StoreError */
  store(visits: number): number {
    const batch = this.#chosen.find((chosen) => chosen.visits === visits);
    if (batch === undefined) return 0;
    const batches = [...this.#batches, batch];
    writeQuestions(this.#paths, batches);
    this.#batches = batches;
    this.#chosen = this.#chosen.filter((chosen) => chosen !== batch);
    this.#size = null;
    return batch.questions.length;
  }

  get #all(): readonly QuestionBatch[] {
    return [...this.#batches, ...this.#chosen];
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
