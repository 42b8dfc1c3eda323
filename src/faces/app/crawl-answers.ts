/** Lets a program answer the questions of a running crawl, and stores its answers like those of a person. */

import { askAgain } from '../../base/core/ask-again.ts';
import { isoTime, systemClock } from '../../base/core/clock.ts';
import { messageOf, StoreError } from '../../base/core/errors.ts';
import type { Durable, Ledger } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, Ms } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { takeLock } from '../../base/disk/lock.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { type CrawlPaths, labelsLock, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { GivenPages } from '../../reading/topic/given-pages.ts';
import { placesOf, recordsEnd, textDigest, textsAt } from '../../study/label/judged-pages.ts';
import { missingLabels } from '../../study/label/label-enough.ts';
import { type LabelEntry, LabelLog } from '../../study/label/label-log.ts';
import { answerBy } from '../../study/label/labelled-crawl.ts';
import type { CrawlQuestion } from '../../study/label/question-choice.ts';
import { newestOfDraws, openQuestions, readQuestions } from '../../study/label/questions-file.ts';
import { isOfKeywords } from '../../study/label/retrain.ts';
import { answersBy } from './answer-command.ts';

/** Characters of a page's main text for the program: about 600 words. */
const TEXT_CHARS = 4000;
/** Time between two attempts to write while a person labels. */
const LOCKED: Ms = 5000;

interface Answering {
  readonly paths: CrawlPaths;
  readonly command: string;
  readonly warn: (message: string) => void;
  /** The pages that were given for the training: their answer is known. */
  readonly given: GivenPages;
}

/** The crawl whose pages are asked about, at the moment of a commit. */
interface Committed {
  readonly frontier: Pick<Ledger, 'find'> & Pick<Durable, 'committedOffsets'>;
  readonly modelId: string;
}

type Unanswered = Omit<LabelEntry, 'answer' | 'at'>;

/** A question for the program. */
interface Open extends Unanswered {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

export class CrawlAnswers {
  readonly #answering: Answering;
  readonly #end = new AbortController();
  /** Questions that this run has passed on. */
  readonly #sent = new Set<string>();
  #batches = 0;
  #working: Promise<void> = Promise.resolve();

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  /** Everything settled so far is committed: new questions can be passed on. Never throws. @param batches number of times the crawl has asked */
  committed(batches: number, crawl: Committed): void {
    if (batches === this.#batches) return;
    this.#batches = batches;
    try {
      const { paths } = this.#answering;
      const { answers } = LabelLog.open(paths.labels, undefined, () => undefined).state;
      const batches = readQuestions(paths);
      const open = openQuestions(batches, answers).filter(({ url }) => !this.#sent.has(url));
      for (const { url } of open) this.#sent.add(url);
      if (open.length === 0) return;
      // Read at once: the crawl may close its frontier before the program ends.
      const urls = open.map(({ url }) => url as CanonicalUrl);
      const places = placesOf(crawl.frontier, urls);
      const relevances = new Map(urls.map((url) => [url, crawl.frontier.find(url)?.fate?.relevance ?? 0]));
      const end = recordsEnd(crawl.frontier);
      const texts = textsAt(paths.corpus, places, end);
      const newest = newestOfDraws(batches);
      const facts = (url: CanonicalUrl) => ({
        relevance: relevances.get(url) ?? 0,
        modelId: crawl.modelId,
        ...drawnAmong(newest.get(url)),
      });
      this.#working = this.#working.then(() => this.#answer(open, texts, facts)).catch((error) => this.#tell(error));
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Ends the program. Resolves when nothing more is written. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#working;
  }

  /** A failure costs the answers, never the crawl. */
  #tell(error: unknown): void {
    this.#answering.warn(`--answers-by: ${messageOf(error)}`);
  }

  async #answer(
    questions: readonly CrawlQuestion[],
    texts: ReturnType<typeof textsAt>,
    factsOf: (url: CanonicalUrl) => Pick<LabelEntry, 'relevance' | 'modelId' | 'newest'>,
  ): Promise<void> {
    const queues = new Map(questions.map(({ url, queue }) => [url, queue]));
    const { command, warn, given } = this.#answering;
    const open: Open[] = [];
    const known: LabelEntry[] = [];
    for await (const page of texts) {
      const { url, title, text } = page;
      const common = { url, queue: queues.get(url) ?? 'spread', ...factsOf(url), sha256: textDigest(page) } as const;
      const [row] = given.rowsOf(page);
      if (row) known.push(entryOf(common, answerBy(row)));
      else open.push({ ...common, id: open.length + 1, title, text: text.slice(0, TEXT_CHARS) });
    }
    if (known.length > 0) await this.#store(known);
    if (open.length === 0) return;
    const pages = open.map(({ id, url, title, text }) => ({ id, url, title, text }));
    const { answers, failure, ignored } = await answersBy(command, pages, this.#end.signal);
    const missing = questions.length - known.length - answers.size;
    const notes = [
      ...(failure === null ? [] : [failure]),
      ...(ignored === 0 ? [] : [`${ignored} of its lines are not answers such as {"id":1,"label":"y"}`]),
    ];
    if (notes.length > 0 || missing > 0)
      warn(
        `--answers-by: answered ${answers.size} of ${questions.length - known.length} questions${notes.map((note) => `; ${note}`).join('')}${missing > 0 ? `; the others wait for ${foragerCommand('label')}` : ''}`,
      );
    const entries = open.flatMap(({ id, title: _, text: __, ...entry }): LabelEntry[] => {
      const answer = answers.get(id);
      return answer === undefined ? [] : [entryOf(entry, answer)];
    });
    if (entries.length > 0) await this.#store(entries);
  }

  /** Waits for a person who labels, until the crawl ends; then makes a last attempt. @throws StoreError */
  async #store(entries: readonly LabelEntry[]): Promise<void> {
    makeDirectory(this.#answering.paths.labelling);
    await askAgain(
      () => this.#tryToStore(entries),
      (isStored) => (isStored ? null : LOCKED),
      systemClock,
      this.#end.signal,
    );
  }

  /** @returns false while a person labels. @throws StoreError, at the end of the crawl also for that */
  async #tryToStore(entries: readonly LabelEntry[]): Promise<boolean> {
    const { paths } = this.#answering;
    const last = this.#end.signal.aborted;
    const lock = await takeLock(labelsLock(paths.labelling), `${paths.dir} (labels)`).catch((error: unknown) => {
      if (last || !(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error;
      return null;
    });
    if (lock === null) return false;
    try {
      await this.#append(entries);
    } finally {
      await lock.release();
    }
    return true;
  }

  /** A person's answer to the same page has precedence. */
  async #append(entries: readonly LabelEntry[]): Promise<void> {
    const { paths, warn } = this.#answering;
    const log = LabelLog.open(paths.labels, undefined, warn);
    try {
      const known = log.state.answers;
      const fresh = entries.filter(({ url }) => !known.has(url));
      if (fresh.length === 0) return;
      await log.append(fresh);
      const { labels } = log;
      const yes = labels.filter(({ answer }) => answer === 'y').length;
      const enough = missingLabels({ yes, no: labels.length - yes }, await isOfKeywords(readManifest(paths.dir), paths)) === null;
      if (enough) await log.requestTraining(new Date().toISOString());
    } finally {
      await log.close();
    }
  }
}

function entryOf(question: Unanswered, answer: LabelEntry['answer']): LabelEntry {
  return { ...question, answer, at: isoTime(Date.now()) };
}

function drawnAmong(newest: string | undefined): Pick<LabelEntry, 'newest'> {
  return newest === undefined ? {} : { newest };
}
