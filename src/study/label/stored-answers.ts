/** The answers of a labelling session that are stored: written, imported, exported, taken back, counted. */

import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import type { CodingFacts } from '../../corpus/select/coding-facts.ts';
import { type CrawlPage, textDigest } from './judged-pages.ts';
import { type CrawlEstimate, sharesOfStrata } from './label-estimate.ts';
import { labelsCsv } from './label-export.ts';
import { type ImportedLabel, labelsIn, readLabels } from './label-import.ts';
import type { LabelEntry, LabelLog } from './label-log.ts';
import { type Answer, DECISION, type Turn } from './label-queue.ts';
import type { LabelledTopic } from './labelled-topic.ts';
import { refuseMany, unansweredOf } from './page-places.ts';
import { type CoderAgreement, codingFacts, codingOf } from './person-agreement.ts';
import { entriesToStore, type ImportReport } from './stored-import.ts';
import type { StoredQuestions } from './stored-questions.ts';

export interface LabelCounts {
  readonly yes: number;
  readonly no: number;
  readonly skipped: number;
}

/** Numbers of pages by their last answer. */
export function countsOf({ state }: Pick<LabelLog, 'state'>): LabelCounts {
  const answers = [...state.answers.values()];
  const of = (answer: Answer) => answers.filter((one) => one === answer).length;
  return { yes: of('y'), no: of('n'), skipped: of('skip') };
}

/** The answers to the pages of a topic. Each is on disk before the call resolves. */
export class StoredAnswers {
  readonly #topic: LabelledTopic;
  readonly #questions: StoredQuestions;
  /** The person who answers now, whose name each answer gets; undefined without one. */
  name: string | undefined;

  constructor(topic: LabelledTopic, questions: StoredQuestions, name: string | undefined) {
    [this.#topic, this.#questions, this.name] = [topic, questions, name];
  }

  /** Stores the answer to a question. @throws StoreError, DataError */
  async store({ page: { url, relevance }, queue, known }: Turn<CrawlPage>, answer: Answer): Promise<void> {
    const { sha256 } = await this.#topic.prepared(url);
    const entry = this.#entry({ url, sha256 }, relevance, answer, queue);
    await this.#append([known === null ? entry : { ...entry, known: true }]);
  }

  /**
   * Stores a label of any judged page. The last answer to a page counts.
   * @param queue of the question that the page was asked with. Default: as if the label came from a file of labels, which takes no turn
   * @returns false if the crawl has not judged that page, or has not its text
   * @throws StoreError
   */
  async storePage(url: string, answer: Answer, queue: LabelEntry['queue'] = 'import'): Promise<boolean> {
    const topic = this.#topic;
    const known = () => topic.judge.pages.find((page) => page.url === url);
    // A running crawl has judged pages since this session read them.
    if (known() === undefined && topic.isRunning) await topic.readAgain();
    const page = known();
    if (page === undefined) return false;
    const sha256 = textDigest(await topic.text(page.url));
    await this.#append([this.#entry({ url: page.url, sha256 }, page.relevance, answer, queue)]);
    return true;
  }

  /** Number of pages that `storePlace` would answer. @param place a host name, or the URL of a directory */
  unansweredOf(place: string): number {
    return unansweredOf(this.#topic.judge.plan, this.#topic.log.state, place).length;
  }

  /**
   * Stores n for all judged pages of a host or directory that have no answer. A random draw of one of them still asks about it.
   * @param place a host name, or the URL of a directory
   * @returns the number of answers; `undo` takes back so many
   * @throws UsageError if these are more than 500 pages; DataError, StoreError
   */
  async storePlace(place: string): Promise<number> {
    const pages = unansweredOf(this.#topic.judge.plan, this.#topic.log.state, place);
    refuseMany(pages, place);
    const relevances = relevancesOf(pages);
    const entries: LabelEntry[] = [];
    for await (const page of this.#topic.texts(relevances.keys()))
      entries.push(this.#entry({ url: page.url, sha256: textDigest(page) }, relevances.get(page.url) ?? 0, 'n', 'place'));
    await this.#append(entries);
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
    return labelsCsv(this.#topic.log.entries);
  }

  /**
   * Takes back the last answers of this session; the questions ask again.
   * @returns false if there are not as many, or if the model has been trained with one of them
   * @throws StoreError
   */
  async undo(answers = 1): Promise<boolean> {
    this.#topic.check();
    return this.#topic.log.undo(this.#topic.settled, new Date().toISOString(), answers);
  }

  /** Number of lines of the label file: those of an answer lie between the number before and after it. */
  get lines(): number {
    return this.#topic.log.lines;
  }

  /**
   * Takes back answers of this session by their lines, and no other: several people may answer in turn.
   * @returns false if there are none, or if the model has been trained with one of them
   * @throws StoreError
   */
  async undoLines(lines: readonly number[]): Promise<boolean> {
    this.#topic.check();
    return this.#topic.log.undoLines(lines, this.#topic.settled, new Date().toISOString());
  }

  get counts(): LabelCounts {
    return countsOf(this.#topic.log);
  }

  /** Agreement of the people with names, and the pages that they answered differently. */
  get coding(): CoderAgreement {
    return codingOf(this.#topic.log.entries);
  }

  /** Agreement of the people as a card has it; null without a page that two of them answered. */
  get codingFacts(): CodingFacts | null {
    return codingFacts(this.#topic.log.entries);
  }

  /**
   * Stores the answer that counts for a page before those of people: see `DECISION`. The last decision counts.
   * @returns false if the crawl has not judged that page, or has not its text
   * @throws StoreError
   */
  decide(url: string, answer: Answer): Promise<boolean> {
    return this.storePage(url, answer, DECISION);
  }

  /** Precision of the corpus and other shares, from the randomly drawn pages. */
  estimate(): CrawlEstimate {
    return sharesOfStrata(this.#topic.judge.plan.strata, this.#topic.log.state);
  }

  async #import(given: readonly ImportedLabel[]): Promise<ImportReport> {
    const topic = this.#topic;
    const relevances = relevancesOf(topic.judge.pages);
    const { entries, report } = await entriesToStore(given, topic.log, {
      isJudged: (url) => relevances.has(url),
      textsOf: (urls) => topic.texts(urls),
      entryOf: (page, answer, queue) => this.#entry(page, relevances.get(page.url) ?? 0, answer, queue),
    });
    await this.#append(entries);
    topic.settle();
    return report;
  }

  async #append(entries: readonly LabelEntry[]): Promise<void> {
    this.#topic.check();
    if (entries.length > 0) await this.#topic.log.append(entries);
  }

  #entry({ url, sha256 }: Pick<LabelEntry, 'url' | 'sha256'>, relevance: Unit, answer: Answer, queue: LabelEntry['queue']): LabelEntry {
    return {
      url,
      answer,
      queue,
      ...(this.name !== undefined && { name: this.name }),
      ...(queue === 'random' && this.#questions.newestFor(url)),
      relevance,
      modelId: this.#topic.judge.model.id,
      sha256,
      at: new Date().toISOString(),
    };
  }
}

function relevancesOf(pages: readonly CrawlPage[]): ReadonlyMap<CanonicalUrl, Unit> {
  return new Map(pages.map(({ url, relevance }) => [url, relevance]));
}
