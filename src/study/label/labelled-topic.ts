/** The topic that a labelling session is about, as it is now. */

import { join } from 'node:path';
import { StoreError, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { TopicExplanation } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { lockState } from '../../base/disk/lock.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { type CrawlPaths, crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { OpenCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type TopicPart, topicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import { bestPassage, type Passage } from '../../reading/topic/passage.ts';
import { TRAINING_FILE } from '../../reading/topic/training-file.ts';
import type { LabelledCrawl } from './activate-model.ts';
import { type PageOfCrawl, pageOf, pagesOf, textDigest } from './judged-pages.ts';
import { type LabelEntry, LabelLog } from './label-log.ts';
import { judgeOf, openSound, type TopicJudge } from './labelled-crawl.ts';
import { type Locks, releaseAll, takeLocks } from './labelling-locks.ts';
import { type LabellingOptions, PASSAGE_CHARS } from './labelling-options.ts';
import { PreparedPages } from './prepared-pages.ts';

/** A page as a question shows it, and the digest of its text. */
export interface PreparedPage extends Pick<LabelEntry, 'sha256'> {
  readonly title: string;
  /** The part of the main text that supports the topic most. */
  readonly passage: Passage;
  readonly explanation: TopicExplanation;
}

/**
 * Locks, labels, model and judged pages of the topic. All parts of a session share it: a training, or a running crawl that trains, replaces model and pages
 * for all of them.
 */
export class LabelledTopic {
  /** Paths of the topic: see `TopicPart`. */
  readonly paths: CrawlPaths;
  readonly log: LabelLog;
  readonly #topicName: string | undefined;
  readonly #locks: Locks;
  readonly #passageLength: number;
  #crawl: OpenCrawl;
  #judge: TopicJudge;
  #prepared: PreparedPages<PreparedPage>;
  #settled: number;
  #closed = false;

  private constructor(log: LabelLog, crawl: OpenCrawl, judge: TopicJudge, locks: Locks, options: LabellingOptions) {
    [this.paths, this.log, this.#locks, this.#crawl, this.#judge] = [judge.part.paths, log, locks, crawl, judge];
    this.#topicName = options.topicName;
    this.#passageLength = options.passageLength ?? PASSAGE_CHARS;
    this.#settled = log.entries.length;
    this.#prepared = this.#preparing();
  }

  /** @throws as `LabellingSession.open` */
  static async open(options: LabellingOptions): Promise<LabelledTopic> {
    const { dir, topicName, onDamaged } = options;
    const paths = crawlPaths(dir);
    const manifest = readManifest(dir);
    if (manifest.at !== null)
      throw new UsageError(
        `${dir}: is the directory of one of several machines; label in a directory of its own: ${foragerCommand('label', new Blank('dir'), '--at', manifest.at)}`,
      );
    const part = topicPart(dir, manifest, topicName);
    const locks = await takeLocks(paths, part.paths.labelling, options.warn ?? (() => undefined));
    let crawl: OpenCrawl | null = null;
    try {
      // `openCrawl` leaves that check to the owner of the lock.
      if (locks.crawl !== null) refuseBrokenTrees(paths.database);
      const log = LabelLog.ofTopic(part, options.rngSeed, options.warn);
      const opened = await openSound(dir, topicName, onDamaged);
      crawl = opened.crawl;
      return new LabelledTopic(log, crawl, await judgeOf(opened, log.seed), locks, options);
    } catch (error) {
      await crawl?.close();
      await releaseAll(locks);
      throw error;
    }
  }

  /** The model, and the judged pages. */
  get judge(): TopicJudge {
    return this.#judge;
  }

  /** The topic as crawl.json has it now. */
  get part(): TopicPart {
    return topicPart(this.paths.dir, readManifest(this.paths.dir), this.#topicName);
  }

  /** Did the crawl run when the session started? Then this session cannot train, but ask the crawl for it. */
  get isRunning(): boolean {
    return this.#locks.crawl === null;
  }

  /** Has a crawl that ran when the session started ended? Another session may then train. */
  get crawlHasEnded(): boolean {
    return this.isRunning && lockState(this.paths.lock) !== 'held';
  }

  /** Does the crawl's first model contain its training rows, as a training needs them? */
  get trainable(): boolean {
    return isThere(join(this.paths.model, TRAINING_FILE));
  }

  /** Number of answers from before this session, or before the last training: they cannot be taken back. */
  get settled(): number {
    return this.#settled;
  }

  /** The answers so far can no longer be taken back. */
  settle(): void {
    this.#settled = this.log.entries.length;
  }

  /** Call this before each change of a file. @throws StoreError if another process has one of the locks */
  check(): void {
    this.#locks.labels.check();
    this.#locks.crawl?.check();
  }

  /** @throws DataError if its text is lost */
  text(url: CanonicalUrl): Promise<PageOfCrawl> {
    return pageOf(this.paths, this.#crawl, url);
  }

  /** Texts in one pass over the corpus, in its order. @throws DataError */
  texts(urls: Iterable<CanonicalUrl>): AsyncIterable<PageOfCrawl> {
    return pagesOf(this.paths, this.#crawl, urls);
  }

  /** @throws DataError if its text is lost */
  prepared(url: CanonicalUrl): Promise<PreparedPage> {
    return this.#prepared.of(url);
  }

  /** Prepares pages in the background: see `PreparedPages`. */
  readAhead(url: CanonicalUrl, upcoming: (count: number) => readonly CanonicalUrl[]): void {
    this.#prepared.readAhead(url, upcoming);
  }

  /** Reads the pages and the model of now, after a running crawl changed them. @throws DataError, ModelError, StoreError */
  async readAgain(): Promise<void> {
    await this.#prepared.close();
    await this.#crawl.close();
    await this.#rejudge();
  }

  /** Does work that may activate another model, and reads the pages again after it. @throws StoreError if the crawl runs; the errors of the work */
  async activating<T>(work: (labelled: LabelledCrawl) => Promise<T>): Promise<T> {
    if (this.isRunning)
      throw new StoreError(
        'STORE_LOCKED',
        `${this.paths.dir}: the crawl is running, and only it can change its model; end it first, or let it train`,
      );
    await this.#prepared.close();
    const { part, model } = this.#judge;
    const done = await work({ part, crawl: this.#crawl, model, log: this.log, mayWrite: () => this.check() });
    await this.#rejudge();
    return done;
  }

  /** A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#prepared.close();
      await this.log.close();
      await this.#crawl.close();
    } finally {
      await releaseAll(this.#locks);
    }
  }

  async #rejudge(): Promise<void> {
    const opened = await openSound(this.paths.dir, this.#topicName, this.#crawl.onDamaged);
    this.#crawl = opened.crawl;
    this.#judge = await judgeOf(opened, this.log.seed);
    this.#prepared = this.#preparing();
    this.settle();
  }

  #preparing(): PreparedPages<PreparedPage> {
    const { model } = this.#judge;
    return new PreparedPages<PreparedPage>({
      all: (urls) => pagesOf(this.paths, { ...this.#crawl, onDamaged: () => undefined }, urls),
      one: (url) => this.text(url),
      prepare: async (page) => {
        const explanation = model.explain({ ...page, lang: (await pageLanguage(model))(page) });
        const passage = bestPassage(page.text, explanation.contributions, this.#passageLength);
        return { title: page.title, sha256: textDigest(page), passage, explanation };
      },
    });
  }
}
