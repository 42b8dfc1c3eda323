/** Asks a person about pages of a crawl, one at a time. */

import type { TopicExplanation } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import type { Passage } from '../../reading/topic/passage.ts';
import type { CrawlPage } from './judged-pages.ts';
import {
  type Answer,
  knownAnswer,
  type LabelState,
  type QueueName,
  type Turn,
  turnsAhead,
  withGiven,
  withoutAsked,
} from './label-queue.ts';
import type { LabelledTopic } from './labelled-topic.ts';
import type { Asking } from './labelling-options.ts';
import type { StoredAnswers } from './stored-answers.ts';
import type { StoredQuestions } from './stored-questions.ts';

/** A page to be labelled. */
export interface Question {
  readonly url: CanonicalUrl;
  readonly title: string;
  /** The part of the main text that supports the topic most. */
  readonly passage: Passage;
  readonly relevance: Unit;
  readonly threshold: Unit;
  /** Is it in the corpus? */
  readonly kept: boolean;
  readonly queue: QueueName;
  readonly explanation: TopicExplanation;
}

/** The page of a question without the judgement of the model. */
export type AskedPage = Pick<Question, 'url' | 'title' | 'passage'>;

/** The page that is asked about, under the model of that time. */
interface Asked {
  readonly turn: Turn<CrawlPage>;
  readonly judge: LabelledTopic['judge'];
}

/** The questions of a session: the next one follows from the stored answers alone, so the next session continues with the same page. */
export class PageQuestions {
  readonly #topic: LabelledTopic;
  readonly #ofCrawl: StoredQuestions;
  readonly #answers: StoredAnswers;
  #asking: Asking;
  #asked: Asked | null = null;
  /** Pages that others are asked about at the moment. */
  #elsewhere: ReadonlySet<string> = new Set();
  /** Draws before the audit. */
  #drawnBefore: number;

  constructor(topic: LabelledTopic, ofCrawl: StoredQuestions, answers: StoredAnswers, asking: Asking) {
    [this.#topic, this.#ofCrawl, this.#answers, this.#asking] = [topic, ofCrawl, answers, asking];
    this.#drawnBefore = this.#draws;
  }

  /** Asks another person, or about other pages, from now on. @param elsewhere pages that others are asked about at the moment: not these */
  turnTo(asking: Asking, elsewhere: ReadonlySet<string>): void {
    [this.#asking, this.#elsewhere, this.#asked] = [asking, elsewhere, null];
    this.#answers.name = asking.name;
    this.#drawnBefore = this.#draws;
  }

  /** The page to ask about: the same until it is answered. null if all are labelled or skipped, or if the audit has drawn its pages. @throws DataError */
  async next(): Promise<Question | null> {
    await this.#followCrawl();
    for (;;) {
      const turn = this.#turn(this.#state);
      if (turn !== null && turn.known !== null) {
        await this.#answers.store(turn, turn.known);
        continue;
      }
      this.#asked = turn && { turn, judge: this.#topic.judge };
      if (turn === null) return null;
      const question = await this.#question(turn);
      this.#readAhead(turn);
      return question;
    }
  }

  /** The pages of the next questions, the present one first. Answers do not change their order. @throws DataError */
  async upcoming(count: number): Promise<Question[]> {
    await this.#followCrawl();
    const turns = this.#turns(count);
    const questions = await Promise.all(turns.map((turn) => this.#question(turn)));
    if (turns[0] !== undefined) this.#readAhead(turns[0]);
    return questions;
  }

  /** Stores the answer to the page of `next`. @throws StoreError */
  async answer(answer: Answer): Promise<void> {
    const asked = this.#asked;
    this.#asked = null;
    // A page of the model before is asked about again.
    if (asked?.judge === this.#topic.judge) await this.#answers.store(asked.turn, answer);
  }

  /** Answers n for a host or directory, see `StoredAnswers.storePlace`. The page of `next` may be one of its pages, so `next` chooses again. */
  async noneOf(place: string): Promise<number> {
    const answered = await this.#answers.storePlace(place);
    this.#asked = null;
    return answered;
  }

  /** Has that page an answer, in an audit by name one of this person? An answer to all pages of its host or directory is none: nobody has seen it. */
  isAnswered(url: string): boolean {
    return knownAnswer(this.#given, url) !== null;
  }

  /** Any judged page as a question shows it; null if the crawl has not judged it. @throws DataError if its text is lost */
  async about(url: string): Promise<AskedPage | null> {
    const page = this.#topic.judge.plan.page(url);
    if (page === null) return null;
    const { title, passage } = await this.#topic.prepared(page.url);
    return { url: page.url, title, passage };
  }

  /** Number of kept pages that this audit has drawn so far, those with an earlier label included; 0 without an audit. */
  get audited(): number {
    return this.#asking.audit === undefined ? 0 : this.#draws - this.#drawnBefore;
  }

  #turn(state: LabelState): Turn<CrawlPage> | null {
    const { plan } = this.#topic.judge;
    const { audit, newHosts } = this.#asking;
    if (newHosts) return plan.nextOfNewHost(state);
    if (audit === undefined) return this.#ofCrawl.next(state) ?? plan.next(state);
    return plan.draws(state).kept - this.#drawnBefore < audit ? plan.nextKept(state) : null;
  }

  #turns(count: number): Turn<CrawlPage>[] {
    const turns: Turn<CrawlPage>[] = [];
    for (const turn of turnsAhead(this.#state, (state) => this.#turn(state))) if (turns.push(turn) >= count) break;
    return turns;
  }

  /** Does an audit by name ask? Draws of one person are not those of another. */
  get #ownDraws(): string | null {
    const { audit, name } = this.#asking;
    return audit === undefined ? null : (name ?? null);
  }

  /** The answers that count for the next question. */
  get #given(): LabelState {
    const { log, judge } = this.#topic;
    return withGiven(this.#ownDraws === null ? log.state : log.stateOf(this.#ownDraws), judge.given);
  }

  get #state(): LabelState {
    return this.#ownDraws === null ? withoutAsked(this.#given, this.#elsewhere) : this.#given;
  }

  /** Number of kept pages drawn so far. */
  get #draws(): number {
    return this.#topic.judge.plan.draws(this.#given).kept;
  }

  /** A running crawl has judged pages since this session read them: they are asked about once no other is left. */
  async #followCrawl(): Promise<void> {
    await this.#ofCrawl.follow();
    if (this.#topic.isRunning && this.#turn(this.#state) === null) await this.#topic.readAgain();
  }

  #readAhead({ page: { url } }: Turn<CrawlPage>): void {
    this.#topic.readAhead(url, (count) => this.#turns(count).map(({ page }) => page.url));
  }

  async #question({ page: { url, relevance, kept }, queue }: Turn<CrawlPage>): Promise<Question> {
    const { title, passage, explanation } = await this.#topic.prepared(url);
    return { url, title, passage, relevance, threshold: this.#topic.judge.model.threshold, kept, queue, explanation };
  }
}
