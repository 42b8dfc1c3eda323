/** A running crawl trains its topic again: after its warm-up, and with answers to its pages. */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { systemClock } from '../../base/core/clock.ts';
import { CrawlerError, messageOf } from '../../base/core/errors.ts';
import type { Emit } from '../../base/core/parts/crawl-events.ts';
import type { OpenLedger } from '../../base/core/parts/queueing.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadOwnModel } from '../../crawling/crawl-dir/load-topic.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { partOf, type TopicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { turnsOfWarmUp } from '../../crawling/frontier/exploration.ts';
import { applyWishes, pendingWishes } from '../../study/label/apply-wishes.ts';
import { type BackgroundRetraining, startRetraining } from '../../study/label/background-retraining.ts';
import { warmUpPages } from '../../study/label/judged-pages.ts';
import { LabelLog } from '../../study/label/label-log.ts';
import { decide, type Retrained } from '../../study/label/retrain.ts';

/** Settled URLs between two looks at the label file. A look at an unchanged file is one system call. */
const LOOK_EVERY = 10;

/** The crawl that is trained again. Its model changes only when the crawl has closed its frontier. */
interface Trained {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  readonly frontier: Pick<OpenLedger, 'find' | 'requested' | 'settled' | 'counts' | 'committedOffsets'>;
  readonly warn: (message: string) => void;
}

/**
 * Looks at the label file every ten settled URLs. Once a person asks for a training, or the warm-up is over, a thread trains with the warm-up and all
 * answers so far. The crawl continues meanwhile; `ready` aborts when the model is there. The crawl then ends its visits, commits, closes its frontier,
 * and calls `activate`.
 */
export class CrawlRetraining {
  readonly #crawl: Trained;
  readonly #ready = new AbortController();
  #settled = 0;
  /** The labels of each topic. */
  readonly #watched: readonly Watched[];
  /** Has the warm-up taught already, or is there none? */
  #warmedUp: boolean;
  #running: BackgroundRetraining | null = null;
  /** Settles when the training that runs has ended, well or not. */
  #ended: Promise<void> = Promise.resolve();
  #trained: Retrained | null = null;
  /** Bytes of the file of wishes at the last look. */
  #wishBytes = 0;

  constructor(crawl: Trained) {
    this.#crawl = crawl;
    const { relabelled, keptBeside, warmUp } = crawl.manifest;
    this.#warmedUp = warmUp === 0 || [...relabelled, keptBeside].some((training) => training !== null && training.pool !== undefined);
    this.#watched = topicParts(crawl.paths.dir, crawl.manifest).map((part) => ({ part, size: 0, lines: linesLearned(part.manifest) }));
  }

  /** Aborts when a trained model, or a wish about a subtopic, waits for its activation. */
  get ready(): AbortSignal {
    return this.#ready.signal;
  }

  /** A URL was settled. Never throws. */
  settled(): void {
    this.#settled += 1;
    if (this.#settled % LOOK_EVERY === 0 && this.#running === null) this.#lookAtAll();
  }

  /** One training at a time: the next one begins with the models of this one. */
  #lookAtAll(): void {
    this.#lookAtWishes();
    for (const watched of this.#watched) {
      this.#look(watched);
      if (this.#running !== null) return;
    }
  }

  /** A wish about a subtopic needs no training: it is given at once. */
  #lookAtWishes(): void {
    const { paths, manifest, warn } = this.#crawl;
    const size = statSync(paths.wishes, { throwIfNoEntry: false })?.size ?? 0;
    if (size === this.#wishBytes) return;
    this.#wishBytes = size;
    try {
      if (manifest.at === null && pendingWishes(paths, manifest) !== null) this.#ready.abort();
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      warn(error.message);
    }
  }

  #look(watched: Watched): void {
    const { manifest, warn, frontier } = this.#crawl;
    const { part } = watched;
    const { labels } = part.paths;
    const size = statSync(labels, { throwIfNoEntry: false })?.size ?? 0;
    // A crawl of several topics has no warm-up.
    const isWarm = !this.#warmedUp && frontier.counts().visited >= turnsOfWarmUp(manifest.warmUp);
    this.#warmedUp ||= isWarm;
    if (size === watched.size && !isWarm) return;
    watched.size = size;
    try {
      const log = LabelLog.ofTopic(part);
      if (!log.isTrainingWanted(watched.lines) && !(isWarm && warmUpPages(frontier).length > 0)) return;
      watched.lines = log.lines;
      this.#running = startRetraining(part, log, frontier, warn);
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      warn(error.message);
      return;
    }
    this.#ended = this.#await(this.#running);
  }

  /**
   * Waits for the training that runs, or that is wanted by now. Never rejects.
   * @param stop ends the waiting
   * @param waiting called if there is one
   */
  async trained(stop: AbortSignal, waiting: () => void): Promise<void> {
    if (this.#running === null) this.#lookAtAll();
    if (this.#running === null || this.#trained !== null || stop.aborted) return;
    const over = new AbortController();
    const stopped = once(stop, 'abort', { signal: over.signal }).catch(() => undefined);
    waiting();
    await Promise.race([this.#ended, stopped]);
    over.abort();
  }

  async #await(running: BackgroundRetraining): Promise<void> {
    try {
      this.#trained = await running.done;
      this.#ready.abort();
    } catch (error) {
      if (this.#running !== null) this.#crawl.warn(messageOf(error));
      // The next request for a training may succeed: there are more answers by then.
      this.#running = null;
      for (const watched of this.#watched) watched.size = 0;
    }
  }

  /**
   * Lets the trained model judge the crawl. Its frontier must be closed, and everything committed. A crash before the manifest names the model leaves
   * everything as it was: the next run trains again.
   * @throws StoreError, DataError, ModelError
   */
  async activate(mayWrite: () => void, emit: Emit): Promise<void> {
    const { paths, warn } = this.#crawl;
    const [retrained, running] = [this.#trained, this.#running];
    if (retrained === null || running === null) return this.#giveWishes(mayWrite);
    const startedAt = systemClock.now();
    const crawl = openCrawl(paths.dir);
    const part = partOf(crawl, running.part);
    const model = await loadOwnModel(part.paths, part.manifest);
    const log = LabelLog.ofTopic(part, undefined, warn, running.lines);
    const active = await decide({ part, crawl, model, log, mayWrite }, retrained, { warn });
    const { effect, yes, no, modelAnswers, pool } = retrained;
    const held = effect === null ? null : { before: effect.before, after: effect.after, compared: effect.compared };
    const now = systemClock.now();
    const labels = { yes, no, modelAnswers, pool: pool ?? 0 };
    const topic = part.place === null ? {} : { topic: part.topic.name };
    emit({ type: 'retrained', at: now, ...topic, from: model.id, to: retrained.model.id, active, ...labels, held, ms: now - startedAt });
  }

  async #giveWishes(mayWrite: () => void): Promise<void> {
    const { paths, warn } = this.#crawl;
    const crawl = openCrawl(paths.dir);
    const [part] = topicParts(paths.dir, crawl.manifest);
    const wishes = pendingWishes(paths, crawl.manifest);
    if (part === undefined || wishes === null) return crawl.close();
    const model = await loadOwnModel(paths, crawl.manifest);
    await applyWishes({ part, crawl, model, log: LabelLog.ofTopic(part, undefined, warn), mayWrite }, wishes, { warn });
    warn(
      `${paths.dir}: subtopics: ${wishes.map(({ way, name }) => `${way} of ${name}`).join('; ') || 'no wish is left'}; the crawl continues with that`,
    );
  }

  /**
   * Ends a training that this run cannot activate any more.
   * @returns the topic whose training a person waits for; null without one: after a warm-up the next run trains by itself
   */
  async close(): Promise<TopicPart | null> {
    const running = this.#running;
    if (this.#trained === null) this.#running = null;
    await running?.stop();
    if (running === null || this.#trained !== null) return null;
    const { part } = running;
    return LabelLog.open(part.paths.labels, undefined, () => undefined).isTrainingWanted(linesLearned(part.manifest)) ? part : null;
  }
}

/** The labels of one topic. */
interface Watched {
  readonly part: TopicPart;
  /** Size of the label file at the last look. */
  size: number;
  /** Lines of the label file that the last training of this topic used, activated or not. */
  lines: number;
}

/** Lines of the label file that the last stored training used, activated or not. */
function linesLearned({ relabelled, keptBeside }: CrawlManifest): number {
  return Math.max(relabelled.at(-1)?.lines ?? 0, keptBeside?.lines ?? 0);
}
