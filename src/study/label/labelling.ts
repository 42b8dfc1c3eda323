/** Asks a person about pages of a crawl, one at a time. */

import { join } from 'node:path';
import { isoTime, systemClock } from '../../base/core/clock.ts';
import { StoreError, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { TopicExplanation } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { lockState } from '../../base/disk/lock.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { type CrawlPaths, crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type TopicPart, topicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import { checkOptions } from '../../crawling/settings/check-options.ts';
import { bestPassage, type Passage } from '../../reading/topic/passage.ts';
import { TRAINING_FILE } from '../../reading/topic/training-file.ts';
import type { LabelledCrawl, RelabelOptions } from './activate-model.ts';
import { shareNow } from './harvest-share.ts';
import { type AnswerPair, type Disagreement, disagreementsIn, type ModelAnswerFacts, modelAnswerFacts, pairOf } from './judge/agreement.ts';
import type { JudgingReport } from './judge/judge-crawl.ts';
import { type CrawlPage, pageOf, pagesOf, textDigest } from './judged-pages.ts';
import { type MissingLabels, missingLabels } from './label-enough.ts';
import { type CrawlEstimate, type ShareEstimate, sharesOfStrata } from './label-estimate.ts';
import { labelsCsv } from './label-export.ts';
import { type ImportedLabel, labelsIn, readLabels } from './label-import.ts';
import { type LabelEntry, LabelLog } from './label-log.ts';
import {
  type Answer,
  knownAnswer,
  type LabelState,
  newestRead,
  type QueueName,
  type Turn,
  turnsAhead,
  withGiven,
  withoutAsked,
} from './label-queue.ts';
import { judgeOf, openSound, type TopicJudge } from './labelled-crawl.ts';
import { type Locks, releaseAll, takeLocks } from './labelling-locks.ts';
import {
  type Asking,
  budgetOf,
  JUDGED_PAGES,
  JUDGING,
  type JudgingOptions,
  LABELLING,
  type LabellingOptions,
  PASSAGE_CHARS,
  RELABEL,
} from './labelling-options.ts';
import { refuseMany, unansweredOf } from './page-places.ts';
import { type PersonAgreement, personAgreements } from './person-agreement.ts';
import { PreparedPages } from './prepared-pages.ts';
import type { CrawlQuestion } from './question-choice.ts';
import { newestOfDraws, type QuestionBatch, readQuestions } from './questions-file.ts';
import { type RelabelReport, relabel } from './retrain.ts';
import { entriesToStore, type ImportReport } from './stored-import.ts';
import { hasUnused, isKeptBeside, isUndone } from './training-state.ts';
import { type UndoReport, undoRelabelling } from './undo-retraining.ts';

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

export interface LabelCounts {
  readonly yes: number;
  readonly no: number;
  readonly skipped: number;
}

/** A page as a question shows it, and the digest of its text. */
interface Shown extends Pick<Question, 'title' | 'passage' | 'explanation'>, Pick<LabelEntry, 'sha256'> {}

/**
 * A crawl that is being labelled. Each answer is on disk before `answer` resolves, so it may end at any moment without loss, and the next session
 * continues with the same page. If the crawl runs already, this session only writes answers, and `requestTraining` lets the crawl train itself.
 * Otherwise no crawl can run on the directory meanwhile.
 */
export class Labelling {
  /** Paths of the topic: see `TopicPart`. */
  readonly #paths: CrawlPaths;
  readonly #topicName: string | undefined;
  readonly #log: LabelLog;
  readonly #locks: Locks;
  #closed = false;
  /** Number of answers from before this session, or before the last retraining: they cannot be taken back. */
  #kept: number;
  #crawl: OpenCrawl;
  #judge: TopicJudge;
  #asked: Turn<CrawlPage> | null = null;
  #prepared: PreparedPages<Shown>;
  /** Number of times that the crawl had asked when its pages were read. */
  #batches = 0;
  #questions: readonly CrawlQuestion[] = [];
  /** Time of the newest page when the crawl itself drew a page, by the URL of that page. */
  #newestAsked: ReadonlyMap<string, string> = new Map();
  #asking: Asking;
  /** Pages that others are asked about at the moment. */
  #elsewhere: ReadonlySet<string> = new Set();
  /** Draws before the audit. */
  #drawnBefore: number;
  readonly #passageLength: number;

  private constructor(log: LabelLog, crawl: OpenCrawl, judge: TopicJudge, locks: Locks, options: LabellingOptions) {
    this.#asking = options;
    this.#passageLength = options.passageLength ?? PASSAGE_CHARS;
    this.#paths = judge.part.paths;
    this.#topicName = options.topicName;
    this.#log = log;
    this.#kept = log.entries.length;
    this.#crawl = crawl;
    this.#judge = judge;
    this.#prepared = this.#preparing();
    this.#takeQuestions(readQuestions(this.#paths));
    this.#locks = locks;
    this.#drawnBefore = judge.plan.draws(this.#answers).kept;
  }

  /**
   * @throws UsageError if there is no crawl, if it has several topics and none is named, or if its labels have another seed; StoreError STORE_LOCKED while it is labelled
   * elsewhere, or while another command changes it; ModelError, DataError, StoreError if a file in the directory is damaged
   */
  static async open(options: LabellingOptions): Promise<Labelling> {
    checkOptions('openLabelling', LABELLING, options, 'dir');
    const { dir, topicName, onDamaged } = options;
    const paths = crawlPaths(dir);
    const manifest = readManifest(dir);
    if (manifest.at !== null)
      throw new UsageError(
        `${dir}: is the directory of one of several machines; label in a directory of its own: ${foragerCommand('label', new Blank('dir'), '--at', manifest.at)}`,
      );
    const part = topicPart(dir, manifest, topicName);
    const own = part.paths;
    const locks = await takeLocks(paths, own.labelling, options.warn ?? (() => undefined));
    let crawl: OpenCrawl | null = null;
    try {
      // `openCrawl` leaves that check to the owner of the lock.
      if (locks.crawl !== null) refuseBrokenTrees(paths.database);
      const log = LabelLog.ofTopic(part, options.rngSeed, options.warn);
      const opened = await openSound(dir, topicName, onDamaged);
      crawl = opened.crawl;
      return new Labelling(log, crawl, await judgeOf(opened, log.seed), locks, options);
    } catch (error) {
      await crawl?.close();
      await releaseAll(locks);
      throw error;
    }
  }

  /** Asks another person, or about other pages, from now on. @param elsewhere pages that others are asked about at the moment: not these */
  turnTo(asking: Asking, elsewhere: ReadonlySet<string>): void {
    [this.#asking, this.#elsewhere, this.#asked] = [asking, elsewhere, null];
    this.#drawnBefore = this.#judge.plan.draws(this.#answers).kept;
  }

  /** The page to ask about: the same until it is answered. null if all are labelled or skipped, or if the audit has drawn its pages. @throws DataError */
  async next(): Promise<Question | null> {
    await this.#followCrawl();
    await this.#readNewer();
    for (;;) {
      const turn = this.#turn(this.#state);
      if (turn !== null && turn.known !== null) {
        await this.#store(turn, turn.known);
        continue;
      }
      this.#asked = turn;
      if (turn === null) return null;
      const question = await this.#question(turn);
      this.#readAhead(turn);
      return question;
    }
  }

  /** The pages of the next questions, the present one first. Answers do not change their order. @throws DataError */
  async upcoming(count: number): Promise<Question[]> {
    await this.#followCrawl();
    await this.#readNewer();
    const turns = this.#turns(count);
    const questions = await Promise.all(turns.map((turn) => this.#question(turn)));
    if (turns[0] !== undefined) this.#readAhead(turns[0]);
    return questions;
  }

  /** Stores the answer to the page of `next`. @throws StoreError */
  async answer(answer: Answer): Promise<void> {
    const turn = this.#asked;
    this.#asked = null;
    if (turn !== null) await this.#store(turn, answer);
  }

  /**
   * Takes back the last answers of this session; `next` asks again.
   * @returns false if there are not as many, or if the model has been trained with one of them
   * @throws StoreError
   */
  async undo(answers = 1): Promise<boolean> {
    this.#check();
    return this.#log.undo(this.#kept, new Date().toISOString(), answers);
  }

  /** Number of lines of the label file: those of an answer lie between the number before and after it. */
  get lines(): number {
    return this.#log.lines;
  }

  /**
   * Takes back answers of this session by their lines, and no other: several people may answer in turn.
   * @returns false if there are none, or if the model has been trained with one of them
   * @throws StoreError
   */
  async undoLines(lines: readonly number[]): Promise<boolean> {
    this.#check();
    return this.#log.undoLines(lines, this.#kept, new Date().toISOString());
  }

  /** Number of pages that `noneOf` would answer. @param place a host name, or the URL of a directory */
  unansweredOf(place: string): number {
    return unansweredOf(this.#judge.plan, this.#log.state, place).length;
  }

  /**
   * Answers n for all judged pages of a host or directory that have no answer. A random draw of one of them still asks about it.
   * @param place a host name, or the URL of a directory
   * @returns the number of answers; `undo` takes back so many
   * @throws UsageError if these are more than 500 pages; DataError, StoreError
   */
  async noneOf(place: string): Promise<number> {
    const pages = unansweredOf(this.#judge.plan, this.#log.state, place);
    refuseMany(pages, place);
    const relevances = new Map(pages.map(({ url, relevance }) => [url, relevance]));
    const entries: LabelEntry[] = [];
    for await (const page of pagesOf(this.#paths, this.#crawl, relevances.keys()))
      entries.push(this.#entry({ url: page.url, sha256: textDigest(page) }, relevances.get(page.url) ?? 0, 'n', 'place'));
    this.#check();
    if (entries.length > 0) await this.#log.append(entries);
    this.#asked = null;
    return entries.length;
  }

  /**
   * Stores labels from a file of CSV or JSON lines: see `readLabels`. A label without a name gets that of the session. Existing ones are not stored again. They are not part of the random third.
   * @throws UsageError, DataError, StoreError
   */
  async import(path: string): Promise<ImportReport> {
    return this.#import(readLabels(path));
  }

  /** Imports labels from the content of a file, as `import` does. @throws DataError, StoreError */
  async importText(content: string): Promise<ImportReport> {
    return this.#import(labelsIn(content, 'labels'));
  }

  /** All labels as CSV, with the name and the time of each: `import` reads it. */
  get csv(): string {
    return labelsCsv(this.#log.entries);
  }

  /** Agreement of every two people with names, where both answered. */
  get agreements(): PersonAgreement[] {
    return personAgreements(this.#log.entries);
  }

  async #import(given: readonly ImportedLabel[]): Promise<ImportReport> {
    const relevances = new Map(this.#judge.pages.map(({ url, relevance }) => [url, relevance]));
    const { entries, report } = await entriesToStore(given, this.#log, {
      isJudged: (url) => relevances.has(url),
      textsOf: (urls) => pagesOf(this.#paths, this.#crawl, urls),
      entryOf: (page, answer) => this.#entry(page, relevances.get(page.url) ?? 0, answer, 'import'),
    });
    this.#check();
    if (entries.length > 0) await this.#log.append(entries);
    this.#kept = this.#log.entries.length;
    return report;
  }

  /**
   * Stores a label of any judged page. The last answer to a page counts.
   * @param queue of the question that the page was asked with. Default: as if the label came from a file of labels, which takes no turn
   * @returns false if the crawl has not judged that page, or has not its text
   * @throws StoreError
   */
  async answerPage(url: string, answer: Answer, queue: LabelEntry['queue'] = 'import'): Promise<boolean> {
    const known = () => this.#judge.pages.find((page) => page.url === url);
    // A running crawl has judged pages since this session read them.
    if (known() === undefined && this.isRunning) await this.#readAgain();
    const page = known();
    if (page === undefined) return false;
    const sha256 = textDigest(await pageOf(this.#paths, this.#crawl, page.url));
    const entry = this.#entry({ url: page.url, sha256 }, page.relevance, answer, queue);
    this.#check();
    await this.#log.append([entry]);
    return true;
  }

  /** Has that page an answer, in an audit by name one of this person? An answer to all pages of its host or directory is none: nobody has seen it. */
  isAnswered(url: string): boolean {
    return knownAnswer(this.#answers, url) !== null;
  }

  /** Did the crawl run when the session started? Then this session cannot train, but ask the crawl for it. */
  get isRunning(): boolean {
    return this.#locks.crawl === null;
  }

  /** Has a crawl that ran when the session started ended? Another session may then train. */
  get crawlHasEnded(): boolean {
    return this.isRunning && lockState(this.#paths.lock) !== 'held';
  }

  /**
   * Asks the running crawl to train with all answers so far. The crawl sees that within ten visits.
   * @returns false if the crawl has ended meanwhile, so that nobody trains before its next run
   * @throws StoreError
   */
  async requestTraining(): Promise<boolean> {
    this.#check();
    await this.#log.requestTraining(new Date().toISOString());
    this.#kept = this.#log.entries.length;
    return lockState(this.#paths.lock) === 'held';
  }

  /**
   * Lets a language model answer pages, see `judgeCrawl`. Its answers are no labels: they count in no estimate, and train the topic
   * only if they agree with those of the person, see `untaughtBy`.
   * @throws UsageError, StoreError, DataError, ModelError, EnvironmentError
   */
  async judge(options: JudgingOptions): Promise<JudgingReport> {
    checkOptions('judge', JUDGING, options, 'judgeUrl', 'judgeModel');
    const { judgeUrl: url, judgeModel, judgeQuestion, judgeKey, count = JUDGED_PAGES } = options;
    // Their client takes a quarter of a second to load, and few sessions ask a language model.
    const [{ checkedKey }, { judgeCrawl }] = await Promise.all([import('./judge/chat-client.ts'), import('./judge/judge-crawl.ts')]);
    await this.#followCrawl();
    const { pages, plan, model } = this.#judge;
    const textOf = (page: CanonicalUrl) => pageOf(this.#paths, this.#crawl, page);
    const judged = { paths: this.#paths, log: this.#log, pages, plan, modelId: model.id, textOf, mayWrite: () => this.#check() };
    const report = await judgeCrawl(judged, {
      server: { url, model: judgeModel, key: checkedKey(judgeKey) },
      question: judgeQuestion ?? null,
      count,
      limits: budgetOf(options),
      clock: systemClock,
      signal: options.signal ?? new AbortController().signal,
      callTime: undefined,
      onProgress: options.onProgress ?? (() => undefined),
    });
    this.#asked = null;
    return report;
  }

  /** Answers of the language model that answered last, and its agreement with the person; null without any. */
  get modelAnswers(): ModelAnswerFacts | null {
    return modelAnswerFacts(this.#log);
  }

  /** Pages that the person and that language model answer differently. */
  get disagreements(): Disagreement[] {
    return disagreementsIn(this.#log);
  }

  /** The answers of the person and of that language model to a page; null unless both answered the same text. */
  answerPair(url: string): AnswerPair | null {
    return pairOf(this.#log, url);
  }

  /** Number of kept pages that this session's audit has drawn so far, those with an earlier label included; 0 without an audit. */
  get audited(): number {
    return this.#asking.audit === undefined ? 0 : this.#drawn(this.#answers);
  }

  get counts(): LabelCounts {
    const answers = [...this.#log.state.answers.values()];
    const of = (answer: Answer) => answers.filter((one) => one === answer).length;
    return { yes: of('y'), no: of('n'), skipped: of('skip') };
  }

  /** Does the crawl's first model contain its training rows, as `relabel` needs them? */
  get trainable(): boolean {
    return isThere(join(this.#paths.model, TRAINING_FILE));
  }

  /** Folder of the crawl's copy of that model. */
  get modelFolder(): string {
    return this.#paths.model;
  }

  /** Labels that are missing before `relabel` can activate a model; null if there are enough. */
  get missing(): MissingLabels | null {
    return missingLabels(this.counts, this.#judge.ofKeywords);
  }

  /** Was the last training taken back, without an answer since? */
  get undone(): boolean {
    return isUndone(this.#judge.part.manifest, this.#log);
  }

  /** Was the last trained model not activated, without an answer since? */
  get keptBeside(): boolean {
    return isKeptBeside(this.#judge.part.manifest, this.#log);
  }

  /** Do the labels, and the answers of a language model if they may teach, differ from those that the model was trained with? */
  get unused(): boolean {
    return hasUnused(this.#judge.part.manifest, this.#log);
  }

  /** Precision of the corpus and other shares, from the randomly drawn pages. */
  estimate(): CrawlEstimate {
    return sharesOfStrata(this.#judge.plan.strata, this.#log.state);
  }

  /** Precision of the pages that a harvest takes now; null if the topic was not trained again, or its answers do not tell. @throws DamageError */
  harvested(): ShareEstimate | null {
    const { part, pages } = this.#judge;
    return shareNow(pages, part, this.#log);
  }

  /** Trains the topic again with the labels, and judges all pages and links again: see `relabel`. @throws UsageError, ModelError, StoreError */
  async relabel(options: RelabelOptions = {}): Promise<RelabelReport> {
    checkOptions('relabel', RELABEL, options);
    this.#refuseRunning();
    await this.#prepared.close();
    const done = await relabel(this.#labelled, options);
    await this.#rejudge();
    return { ...done, harvest: done.active ? this.harvested() : null };
  }

  /** Activates the model before the last relabelling again; all labels stay. @throws UsageError if there is none; ModelError, StoreError */
  async undoRelabelling(options: RelabelOptions = {}): Promise<UndoReport> {
    checkOptions('undoRelabelling', RELABEL, options);
    this.#refuseRunning();
    await this.#prepared.close();
    const done = await undoRelabelling(this.#labelled, options);
    await this.#rejudge();
    return done;
  }

  #turn(state: LabelState): Turn<CrawlPage> | null {
    const { plan } = this.#judge;
    const { audit, newHosts } = this.#asking;
    if (newHosts) return plan.nextOfNewHost(state);
    if (audit === undefined) return this.#asks(state) ?? plan.next(state);
    return this.#drawn(state) < audit ? plan.nextKept(state) : null;
  }

  /** The answers that count for the next question. */
  get #answers(): LabelState {
    const { audit, name } = this.#asking;
    return withGiven(audit === undefined || name === undefined ? this.#log.state : this.#log.stateOf(name), this.#judge.given);
  }

  get #state(): LabelState {
    const { audit, name } = this.#asking;
    // Draws of one person are not those of another.
    return audit === undefined || name === undefined ? withoutAsked(this.#answers, this.#elsewhere) : this.#answers;
  }

  #turns(count: number): Turn<CrawlPage>[] {
    const turns: Turn<CrawlPage>[] = [];
    for (const turn of turnsAhead(this.#state, (state) => this.#turn(state))) if (turns.push(turn) >= count) break;
    return turns;
  }

  /** The first question of the crawl without an answer, and draws of the crawl that another answer settled; null without one. */
  #asks(state: LabelState): Turn<CrawlPage> | null {
    const { answers, drawn } = state;
    const { given, plan } = this.#judge;
    const { answers: stored } = this.#log.state;
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

  #drawn(state: LabelState): number {
    return this.#judge.plan.draws(state).kept - this.#drawnBefore;
  }

  get #labelled(): LabelledCrawl {
    const { part, model } = this.#judge;
    return { part, crawl: this.#crawl, model, log: this.#log, mayWrite: () => this.#check() };
  }

  /** @throws StoreError if another process has one of the locks */
  #check(): void {
    this.#locks.labels.check();
    this.#locks.crawl?.check();
  }

  /** @throws StoreError */
  #refuseRunning(): void {
    if (!this.isRunning) return;
    const { dir } = this.#paths;
    throw new StoreError('STORE_LOCKED', `${dir}: the crawl is running, and only it can change its model; end it first, or let it train`);
  }

  /** A running crawl may have trained its topic, or asked about newer pages: the next question is then about the pages and the model of now. */
  async #followCrawl(): Promise<void> {
    if (!this.isRunning) return;
    const batches = readQuestions(this.#paths);
    if (batches.length === this.#batches && this.#part().topic.id === this.#judge.model.id) return;
    this.#batches = batches.length;
    this.#takeQuestions(batches);
    await this.#readAgain();
  }

  #takeQuestions(batches: readonly QuestionBatch[]): void {
    this.#questions = batches.flatMap(({ questions }) => questions);
    this.#newestAsked = newestOfDraws(batches);
  }

  #newestFor(url: string): Pick<LabelEntry, 'newest'> {
    const newest = newestRead(this.#judge.pages);
    const known = this.#newestAsked.get(url) ?? (newest === null ? undefined : isoTime(newest));
    return known === undefined ? {} : { newest: known };
  }

  /** A running crawl has judged pages since this session read them: they are asked about once no other is left. */
  async #readNewer(): Promise<void> {
    if (this.isRunning && this.#turn(this.#state) === null) await this.#readAgain();
  }

  /** The topic as crawl.json has it now. */
  #part(): TopicPart {
    return topicPart(this.#paths.dir, readManifest(this.#paths.dir), this.#topicName);
  }

  async #readAgain(): Promise<void> {
    await this.#prepared.close();
    await this.#crawl.close();
    await this.#rejudge();
  }

  async #rejudge(): Promise<void> {
    const opened = await openSound(this.#paths.dir, this.#topicName, this.#crawl.onDamaged);
    this.#crawl = opened.crawl;
    this.#judge = await judgeOf(opened, this.#log.seed);
    this.#kept = this.#log.entries.length;
    this.#asked = null;
    this.#prepared = this.#preparing();
  }

  #readAhead({ page: { url } }: Turn<CrawlPage>): void {
    this.#prepared.readAhead(url, (count) => this.#turns(count).map(({ page }) => page.url));
  }

  #preparing(): PreparedPages<Shown> {
    const { model } = this.#judge;
    return new PreparedPages<Shown>({
      all: (urls) => pagesOf(this.#paths, { ...this.#crawl, onDamaged: () => undefined }, urls),
      one: (url) => pageOf(this.#paths, this.#crawl, url),
      prepare: async (page) => {
        const explanation = model.explain({ ...page, lang: (await pageLanguage(model))(page) });
        const passage = bestPassage(page.text, explanation.contributions, this.#passageLength);
        return { title: page.title, sha256: textDigest(page), passage, explanation };
      },
    });
  }

  /** A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#prepared.close();
      await this.#log.close();
      await this.#crawl.close();
    } finally {
      await releaseAll(this.#locks);
    }
  }

  async #store({ page: { url, relevance }, queue, known }: Turn<CrawlPage>, answer: Answer): Promise<void> {
    const { sha256 } = await this.#prepared.of(url);
    const entry = this.#entry({ url, sha256 }, relevance, answer, queue);
    this.#check();
    await this.#log.append([known === null ? entry : { ...entry, known: true }]);
  }

  #entry({ url, sha256 }: Pick<LabelEntry, 'url' | 'sha256'>, relevance: Unit, answer: Answer, queue: LabelEntry['queue']): LabelEntry {
    const { id: modelId } = this.#judge.model;
    return {
      url,
      answer,
      queue,
      ...(this.#asking.name !== undefined && { name: this.#asking.name }),
      ...(queue === 'random' && this.#newestFor(url)),
      relevance,
      modelId,
      sha256,
      at: new Date().toISOString(),
    };
  }

  async #question({ page: { url, relevance, kept }, queue }: Turn<CrawlPage>): Promise<Question> {
    const { title, passage, explanation } = await this.#prepared.of(url);
    return { url, title, passage, relevance, threshold: this.#judge.model.threshold, kept, queue, explanation };
  }
}
