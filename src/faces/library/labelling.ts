/** The labelling session of the library: all calls on one object. */

import type { RelabelOptions } from '../../study/label/activate-model.ts';
import type { AnswerPair, Disagreement, ModelAnswerFacts } from '../../study/label/judge/agreement.ts';
import type { JudgingReport } from '../../study/label/judge/judge-crawl.ts';
import type { MissingLabels } from '../../study/label/label-enough.ts';
import type { CrawlEstimate, ShareEstimate } from '../../study/label/label-estimate.ts';
import type { LabelEntry } from '../../study/label/label-log.ts';
import type { Answer } from '../../study/label/label-queue.ts';
import type { Asking, JudgingOptions, LabellingOptions } from '../../study/label/labelling-options.ts';
import { LabellingSession } from '../../study/label/labelling-session.ts';
import type { Question } from '../../study/label/page-questions.ts';
import type { CoderAgreement, PersonAgreement } from '../../study/label/person-agreement.ts';
import type { RelabelReport } from '../../study/label/retrain.ts';
import type { LabelCounts } from '../../study/label/stored-answers.ts';
import type { ImportReport } from '../../study/label/stored-import.ts';
import type { UndoReport } from '../../study/label/undo-retraining.ts';

/**
 * A crawl that is being labelled. Each answer is on disk before `answer` resolves, so it may end at any moment without loss, and the next session
 * continues with the same page. If the crawl runs already, this session only writes answers, and `requestTraining` lets the crawl train itself.
 * Otherwise no crawl can run on the directory meanwhile.
 */
export class Labelling {
  readonly #session: LabellingSession;

  private constructor(session: LabellingSession) {
    this.#session = session;
  }

  /** @throws as `openLabelling` */
  static async open(options: LabellingOptions): Promise<Labelling> {
    return new Labelling(await LabellingSession.open(options));
  }

  /** Asks another person, or about other pages, from now on. @param elsewhere pages that others are asked about at the moment: not these */
  turnTo(asking: Asking, elsewhere: ReadonlySet<string>): void {
    this.#session.questions.turnTo(asking, elsewhere);
  }

  /** The page to ask about: the same until it is answered. null if all are labelled or skipped, or if the audit has drawn its pages. @throws DataError */
  next(): Promise<Question | null> {
    return this.#session.questions.next();
  }

  /** The pages of the next questions, the present one first. Answers do not change their order. @throws DataError */
  upcoming(count: number): Promise<Question[]> {
    return this.#session.questions.upcoming(count);
  }

  /** Stores the answer to the page of `next`. @throws StoreError */
  answer(answer: Answer): Promise<void> {
    return this.#session.questions.answer(answer);
  }

  /**
   * Answers n for all judged pages of a host or directory that have no answer. A random draw of one of them still asks about it.
   * @param place a host name, or the URL of a directory
   * @returns the number of answers; `undo` takes back so many
   * @throws UsageError if these are more than 500 pages; DataError, StoreError
   */
  noneOf(place: string): Promise<number> {
    return this.#session.questions.noneOf(place);
  }

  /** Has that page an answer, in an audit by name one of this person? An answer to all pages of its host or directory is none: nobody has seen it. */
  isAnswered(url: string): boolean {
    return this.#session.questions.isAnswered(url);
  }

  /** Number of kept pages that this session's audit has drawn so far, those with an earlier label included; 0 without an audit. */
  get audited(): number {
    return this.#session.questions.audited;
  }

  /**
   * Takes back the last answers of this session, one by default; `next` asks again.
   * @returns false if there are not as many, or if the model has been trained with one of them
   * @throws StoreError
   */
  undo(answers?: number): Promise<boolean> {
    return this.#session.answers.undo(answers);
  }

  /** Number of lines of the label file: those of an answer lie between the number before and after it. */
  get lines(): number {
    return this.#session.answers.lines;
  }

  /**
   * Takes back answers of this session by their lines, and no other: several people may answer in turn.
   * @returns false if there are none, or if the model has been trained with one of them
   * @throws StoreError
   */
  undoLines(lines: readonly number[]): Promise<boolean> {
    return this.#session.answers.undoLines(lines);
  }

  /**
   * Stores a label of any judged page. The last answer to a page counts.
   * @param queue of the question that the page was asked with. Default: as if the label came from a file of labels, which takes no turn
   * @returns false if the crawl has not judged that page, or has not its text
   * @throws StoreError
   */
  answerPage(url: string, answer: Answer, queue?: LabelEntry['queue']): Promise<boolean> {
    return this.#session.answers.storePage(url, answer, queue);
  }

  /** Number of pages that `noneOf` would answer. @param place a host name, or the URL of a directory */
  unansweredOf(place: string): number {
    return this.#session.answers.unansweredOf(place);
  }

  /**
   * Stores labels from a file of CSV or JSON lines. A label without a name gets that of the session. Existing ones are not stored again. They are not part of the random third.
   * @throws UsageError, DataError, StoreError
   */
  import(path: string): Promise<ImportReport> {
    return this.#session.answers.import(path);
  }

  /** Imports labels from the content of a file, as `import` does. @throws DataError, StoreError */
  importText(content: string): Promise<ImportReport> {
    return this.#session.answers.importText(content);
  }

  /** All labels as CSV, with the name and the time of each: `import` reads it. */
  get csv(): string {
    return this.#session.answers.csv;
  }

  get counts(): LabelCounts {
    return this.#session.answers.counts;
  }

  /** Agreement of every two people with names, where both answered. */
  get agreements(): PersonAgreement[] {
    return [...this.#session.answers.coding.agreements];
  }

  /** Agreement of the people with names, also of three or more, and the pages that they answered differently. */
  get coding(): CoderAgreement {
    return this.#session.answers.coding;
  }

  /**
   * Stores the answer that counts for a page before those of people; the last decision counts.
   * @returns false if the crawl has not judged that page, or has not its text
   * @throws StoreError
   */
  decide(url: string, answer: Answer): Promise<boolean> {
    return this.#session.answers.decide(url, answer);
  }

  /** Precision of the corpus and other shares, from the randomly drawn pages. */
  estimate(): CrawlEstimate {
    return this.#session.answers.estimate();
  }

  /**
   * Lets a language model answer pages. Its answers are no labels: they count in no estimate, and train the topic only if they agree with those of the person.
   * @throws UsageError, StoreError, DataError, ModelError, EnvironmentError
   */
  judge(options: JudgingOptions): Promise<JudgingReport> {
    return this.#session.judge.run(options);
  }

  /** Answers of the language model that answered last, and its agreement with the person; null without any. */
  get modelAnswers(): ModelAnswerFacts | null {
    return this.#session.judge.facts;
  }

  /** Pages that the person and that language model answer differently. */
  get disagreements(): Disagreement[] {
    return this.#session.judge.disagreements;
  }

  /** Both answers to a page, of the person and of that language model; null unless both answered the same text. */
  answerPair(url: string): AnswerPair | null {
    return this.#session.judge.pair(url);
  }

  /** Does the crawl's first model contain its training rows, as `relabel` needs them? */
  get trainable(): boolean {
    return this.#session.training.trainable;
  }

  /** Folder of the crawl's copy of that model. */
  get modelFolder(): string {
    return this.#session.training.modelFolder;
  }

  /** Labels that are missing before `relabel` can activate a model; null if there are enough. */
  get missing(): MissingLabels | null {
    return this.#session.training.missing;
  }

  /** Was the last training taken back, without an answer since? */
  get undone(): boolean {
    return this.#session.training.undone;
  }

  /** Was the last trained model not activated, without an answer since? */
  get keptBeside(): boolean {
    return this.#session.training.keptBeside;
  }

  /** Do the labels, and the answers of a language model if they may teach, differ from those that the model was trained with? */
  get unused(): boolean {
    return this.#session.training.unused;
  }

  /** Precision of the pages that a harvest takes now; null if the topic was not trained again, or its answers do not tell. @throws DamageError */
  harvested(): ShareEstimate | null {
    return this.#session.training.harvested();
  }

  /** Trains the topic again with the labels, and judges all pages and links again. @throws UsageError, ModelError, StoreError */
  relabel(options?: RelabelOptions): Promise<RelabelReport> {
    return this.#session.training.run(options);
  }

  /** Activates the model before the last training again; all labels stay. @throws UsageError if there is none; ModelError, StoreError */
  undoRelabelling(options?: RelabelOptions): Promise<UndoReport> {
    return this.#session.training.undo(options);
  }

  /**
   * Asks the running crawl to train with all answers so far. The crawl sees that within ten visits.
   * @returns false if the crawl has ended meanwhile, so that nobody trains before its next run
   * @throws StoreError
   */
  requestTraining(): Promise<boolean> {
    return this.#session.training.request();
  }

  /** Did the crawl run when the session started? Then this session cannot train, but ask the crawl for it. */
  get isRunning(): boolean {
    return this.#session.isRunning;
  }

  /** Has a crawl that ran when the session started ended? Another session may then train. */
  get crawlHasEnded(): boolean {
    return this.#session.crawlHasEnded;
  }

  /** A second call does nothing. */
  close(): Promise<void> {
    return this.#session.close();
  }
}
