/** The questions that the crawl itself asked (`crawl --ask`), as a session sees them. */

import { isoTime } from '../../base/core/clock.ts';
import type { CrawlPage } from './judged-pages.ts';
import type { LabelEntry } from './label-log.ts';
import { knownAnswer, type LabelState, newestRead, type Turn } from './label-queue.ts';
import type { LabelledTopic } from './labelled-topic.ts';
import type { CrawlQuestion } from './question-choice.ts';
import { newestOfDraws, type QuestionBatch, readQuestions } from './questions-file.ts';

export class StoredQuestions {
  readonly #topic: LabelledTopic;
  /** Number of times that the crawl had asked when its pages were read. */
  #batches = 0;
  #questions: readonly CrawlQuestion[] = [];
  /** Time of the newest page when the crawl itself drew a page, by the URL of that page. */
  #newestAsked: ReadonlyMap<string, string> = new Map();

  /** @throws DataError if the file is damaged */
  constructor(topic: LabelledTopic) {
    this.#topic = topic;
    this.#take(readQuestions(topic.paths));
  }

  /** A running crawl may have trained its topic, or asked about newer pages: the next question is then about the pages and the model of now. @throws DataError */
  async follow(): Promise<void> {
    const topic = this.#topic;
    if (!topic.isRunning) return;
    const batches = readQuestions(topic.paths);
    if (batches.length === this.#batches && topic.part.topic.id === topic.judge.model.id) return;
    this.#batches = batches.length;
    this.#take(batches);
    await topic.readAgain();
  }

  /** The first question without an answer, and draws of the crawl that another answer settled; null without one. */
  next(state: LabelState): Turn<CrawlPage> | null {
    const { answers, drawn } = state;
    const { given, plan } = this.#topic.judge;
    const { answers: stored } = this.#topic.log.state;
    for (const { url, queue } of this.#questions) {
      const page = plan.page(url);
      // A page of the training that the crawl asks about has its answer: stored, so that its question is no longer open.
      const known = stored.has(url) ? undefined : given.get(url);
      if (page !== null && queue === 'spread' && known !== undefined) return { page, queue, known };
      if (queue === 'random' ? drawn.has(url) : answers.has(url)) continue;
      if (page !== null) return { page, queue, known: queue === 'random' ? knownAnswer(state, url) : null };
    }
    return null;
  }

  /** The newest page that the random draw of a page could have chosen, as its label stores it. */
  newestFor(url: string): Pick<LabelEntry, 'newest'> {
    const newest = newestRead(this.#topic.judge.pages);
    const known = this.#newestAsked.get(url) ?? (newest === null ? undefined : isoTime(newest));
    return known === undefined ? {} : { newest: known };
  }

  #take(batches: readonly QuestionBatch[]): void {
    this.#questions = batches.flatMap(({ questions }) => questions);
    this.#newestAsked = newestOfDraws(batches);
  }
}
