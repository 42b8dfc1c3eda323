/** A running crawl trains its topic again: after its warm-up, and with answers to its pages. */
import { statSync } from 'node:fs';
import { CrawlerError, messageOf } from '../core/errors.ts';
import type { Emit } from '../core/parts/crawl-events.ts';
import type { OpenLedger } from '../core/parts/queueing.ts';
import type { CrawlManifest, CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { loadOwnModel } from '../crawl-dir/load-topic.ts';
import { openCrawl } from '../crawl-dir/open-crawl.ts';
import { topicPart } from '../crawl-dir/topic-part.ts';
import { turnsOfWarmUp } from '../frontier/exploration.ts';
import { type BackgroundRetraining, startRetraining } from '../label/background-retraining.ts';
import { warmUpPages } from '../label/judged-pages.ts';
import { LabelLog } from '../label/label-log.ts';
import { decide, type Retrained } from '../label/retrain.ts';

/** Settled URLs between two looks at the label file. A look at an unchanged file is one system call. */
const LOOK_EVERY = 10;

/** The crawl that is trained again. Its model changes only when the crawl has closed its frontier. */
interface Trained {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  readonly frontier: Pick<OpenLedger, 'find' | 'ledger' | 'settled' | 'counts' | 'committedOffsets'>;
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
  #size = 0;
  /** Lines of the label file that the last training of this crawl used, activated or not. */
  #lines: number;
  /** Has the warm-up taught already, or is there none? */
  #warmedUp: boolean;
  #running: BackgroundRetraining | null = null;
  #trained: Retrained | null = null;

  constructor(crawl: Trained) {
    this.#crawl = crawl;
    const { relabelled, keptBeside, warmUp } = crawl.manifest;
    this.#warmedUp = warmUp === 0 || [...relabelled, keptBeside].some((training) => training !== null && training.pool !== undefined);
    this.#lines = linesLearned(crawl.manifest);
  }

  /** Aborts when a trained model waits for its activation. */
  get ready(): AbortSignal {
    return this.#ready.signal;
  }

  /** A URL was settled. Never throws. */
  settled(): void {
    this.#settled += 1;
    if (this.#settled % LOOK_EVERY === 0 && this.#running === null && this.#crawl.manifest.topics.length === 0) this.#look();
  }

  #look(): void {
    const { paths, manifest, warn, frontier } = this.#crawl;
    const size = statSync(paths.labels, { throwIfNoEntry: false })?.size ?? 0;
    const isWarm = !this.#warmedUp && frontier.counts().visited >= turnsOfWarmUp(manifest.warmUp);
    this.#warmedUp ||= isWarm;
    if (size === this.#size && !isWarm) return;
    this.#size = size;
    try {
      const log = LabelLog.open(paths.labels, undefined, () => undefined);
      if (!log.isTrainingWanted(this.#lines) && !(isWarm && warmUpPages(frontier).length > 0)) return;
      this.#lines = log.lines;
      this.#running = startRetraining(topicPart(paths.dir, manifest, undefined), log, frontier, warn);
    } catch (error) {
      if (!(error instanceof CrawlerError)) throw error;
      warn(error.message);
      return;
    }
    void this.#await(this.#running);
  }

  async #await(running: BackgroundRetraining): Promise<void> {
    try {
      this.#trained = await running.done;
      this.#ready.abort();
    } catch (error) {
      if (this.#running !== null) this.#crawl.warn(messageOf(error));
      // The next request for a training may succeed: there are more answers by then.
      this.#running = null;
      this.#size = 0;
    }
  }

  /**
   * Lets the trained model judge the crawl. Its frontier must be closed, and everything committed. A crash before the manifest names the model leaves
   * everything as it was: the next run trains again.
   * @throws StoreError, DataError, ModelError
   */
  async activate(mayWrite: () => void, emit: Emit): Promise<void> {
    const { paths, warn } = this.#crawl;
    const retrained = this.#trained;
    if (retrained === null) return;
    const startedAt = Date.now();
    const crawl = openCrawl(paths.dir);
    const model = await loadOwnModel(paths, crawl.manifest);
    const log = LabelLog.open(paths.labels, undefined, warn, this.#lines);
    const part = topicPart(paths.dir, crawl.manifest, undefined);
    const active = await decide({ part, crawl, model, log, mayWrite }, retrained, { warn });
    const { effect, yes, no, modelAnswers, pool } = retrained;
    const held = effect === null ? null : { before: effect.before, after: effect.after, compared: effect.compared };
    const now = Date.now();
    const labels = { yes, no, modelAnswers, pool: pool ?? 0 };
    emit({ type: 'retrained', at: now, from: model.id, to: retrained.model.id, active, ...labels, held, ms: now - startedAt });
  }

  /** Ends a training whose result nobody waits for. @returns whether a person waits for it: after a warm-up the next run trains by itself */
  async close(): Promise<boolean> {
    const running = this.#running;
    this.#running = null;
    await running?.stop();
    if (running === null || this.#trained !== null) return false;
    return LabelLog.open(this.#crawl.paths.labels, undefined, () => undefined).isTrainingWanted(linesLearned(this.#crawl.manifest));
  }
}

/** Lines of the label file that the last stored training used, activated or not. */
function linesLearned({ relabelled, keptBeside }: CrawlManifest): number {
  return Math.max(relabelled.at(-1)?.lines ?? 0, keptBeside?.lines ?? 0);
}
