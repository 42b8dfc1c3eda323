/** Run of a crawl whose directory is locked. Its phases, from top to bottom: open, begin, visit until, finish, close. */
import { type Clock, dateOf, isoTime } from '../../base/core/clock.ts';
import { messageOf, UsageError } from '../../base/core/errors.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { FrontierCounts } from '../../base/core/parts/queueing.ts';
import type { Headroom, Parts } from '../../base/core/parts.ts';
import type { RevisitBudget } from '../../base/core/refresh-plan.ts';
import type { CanonicalUrl, EpochMs, Ms } from '../../base/core/types.ts';
import { CHECK_EVERY, type HeldLock } from '../../base/disk/lock.ts';
import { counted } from '../../base/text/number-text.ts';
import { commitAll } from '../../crawling/crawl/committer.ts';
import { type CrawlLimits, runCrawl as runLoop, type StopReason } from '../../crawling/crawl/loop.ts';
import { readmitDocuments } from '../../crawling/crawl/readmit-documents.ts';
import type { RunningCrawl } from '../../crawling/crawl/running.ts';
import { type CrawlManifest, type CrawlPaths, readManifest, writeManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { proxyOf } from '../../crawling/crawl-dir/crawl-settings.ts';
import { knownOf } from '../../crawling/crawl-dir/known-pages.ts';
import { loggedSettings } from '../../crawling/crawl-dir/logged-settings.ts';
import { addSeeds } from '../../crawling/crawl-dir/seed-list.ts';
import { labellingCommand } from '../../crawling/crawl-dir/topic-part.ts';
import { concurrencyFor, headroomOf, writtenIn } from '../../crawling/monitor/machine.ts';
import type { Operations } from '../../crawling/monitor/operations.ts';
import { type ResourceWatch, watchResources } from '../../crawling/monitor/resource-watch.ts';
import { RecallWatch } from '../../study/inspect/known-recall.ts';
import { recallOf } from '../../study/inspect/recall-of-crawl.ts';
import { beginRevisits, type RevisitChoice } from '../../study/inspect/revisit-counts.ts';
import type { SinkFacts } from '../../study/inspect/sink-facts.ts';
import type { ClusterWorker } from './cluster-worker.ts';
import { type CrawlHandle, handOver, reporter } from './crawl-handle.ts';
import type { CrawlReport, ReplacedCrawlOptions } from './crawl-options.ts';
import { reportOfRun } from './crawl-report.ts';
import { CrawlRetraining } from './crawl-retraining.ts';
import { followKept, followsMore } from './follow-kept.ts';
import { addLateSeeds } from './late-seeds.ts';
import type { EarlierCorpus } from './open-earlier.ts';
import { closeParts, type HostFiles, openNetwork, openParts, type PartsOwner, workersOf } from './open-parts.ts';
import { Replacement } from './replaced-parts.ts';
import { type NewReading, requestAgain } from './request-again.ts';
import { RunListeners } from './run-listeners.ts';
import { TimeLimit } from './time-limit.ts';
import { unparked } from './unparked.ts';
import { addUrlLists } from './url-lists.ts';

const CONCURRENCY = 16;
/** The lock file is read before a lease if the last look at it is this old: half the interval of its checks. Each commit looks again. */
const LOCK_CHECK_AFTER: Ms = CHECK_EVERY / 2;

/** Reasons to stop after which a training that runs may end. */
const UNHURRIED: ReadonlySet<StopReason> = new Set(['drained', 'revisited', 'max-pages', 'low-yield', 'recall', 'rounds']);
const WAITING = 'nothing more to visit; the topic is still trained with pages of this crawl, which the end waits for';

/** Nine of ten requests find new pages, as long as there are any; then each page is requested every ten days in the mean. */
const USUAL_BUDGET: RevisitBudget = { kind: 'of-requests', share: 0.1 };

/** Longest wait for the sink at the end of a run; and if a person stops the run. */
const SINK_TIME: Ms = 2 * 60_000;
const SINK_TIME_STOPPED: Ms = 10_000;

/** A crawl in its directory, which is locked. */
export interface LockedCrawl {
  readonly clock: Clock;
  readonly paths: CrawlPaths;
  /** The manifest that is stored before this run. */
  readonly stored: CrawlManifest;
  readonly seeds: readonly CanonicalUrl[];
  readonly options: ReplacedCrawlOptions;
  readonly resumed: boolean;
  /** The corpus of `since`; null without one. */
  readonly earlier: EarlierCorpus | null;
  /** Reading that the run before could not do. */
  readonly reading: NewReading;
  readonly files: HostFiles;
  readonly operations: Operations;
  readonly lock: HeldLock;
  readonly running: RunningCrawl;
  /** Worker of a crawl on several machines, in this process; null for a crawl of one. */
  readonly joined: ClusterWorker | null;
}

/** Runs one session to its end. @throws UsageError, DataError, StoreError, ModelError */
export async function runSession(crawl: LockedCrawl): Promise<CrawlReport> {
  const session = await CrawlSession.open(crawl);
  try {
    await session.begin();
    const stopReason = await session.visitUntil();
    return await session.finish(stopReason);
  } finally {
    await session.close();
  }
}

type Run = CrawlManifest['runs'][number];

class CrawlSession {
  readonly #crawl: LockedCrawl;
  readonly #owner: PartsOwner;
  readonly #time: TimeLimit;
  readonly #startedAt: EpochMs;
  readonly #run: Run;
  readonly #resources: ResourceWatch;
  /** Signal that aborts when the caller stops the crawl. */
  readonly #signal: AbortSignal;
  readonly #warn: (message: string) => void;
  readonly #listeners: RunListeners;
  #manifest: CrawlManifest;
  #seeds: readonly CanonicalUrl[];
  #parts: Parts;
  /** `closed`: the parts are closed, to be opened again. `ended`: no visit comes any more. */
  #state: 'open' | 'closed' | 'ended' = 'open';
  #concurrency = CONCURRENCY;
  /** The stored responses of a crawl on one machine, once they are read. */
  #stored: Parts['stored'] = null;

  /** Opens network and parts. @throws as `openParts` */
  static async open(crawl: LockedCrawl): Promise<CrawlSession> {
    const { paths, stored, options, files, operations, lock, joined, clock, reading, earlier } = crawl;
    const time = new TimeLimit(clock, options.maxTime);
    const startedAt = dateOf(clock);
    const network = await openNetwork(stored, options, files, joined, earlier);
    const replacement = options.replaceParts ? new Replacement(options.replaceParts, stored, paths.dir) : null;
    const owner = { paths, options, network, lock, joined, replacement, warn: (message: string) => operations.warn(message) };
    // The frontier of a worker is a view of a log, which keeps each outcome.
    if (joined === null) await requestAgain(paths, stored, reading);
    const parts = await openParts(owner, stored);
    const withNames = replacement === null ? crawl : { ...crawl, stored: { ...stored, replaced: replacement.names } };
    return new CrawlSession(withNames, owner, parts, time, startedAt);
  }

  private constructor(crawl: LockedCrawl, owner: PartsOwner, parts: Parts, time: TimeLimit, startedAt: EpochMs) {
    const { stored, seeds, options, paths } = crawl;
    [this.#crawl, this.#owner, this.#parts, this.#time, this.#startedAt] = [crawl, owner, parts, time, startedAt];
    [this.#manifest, this.#seeds, this.#warn] = [stored, seeds, owner.warn];
    this.#signal = options.signal ?? new AbortController().signal;
    const now = { manifest: () => this.#manifest, parts: () => this.#parts };
    this.#listeners = new RunListeners({ paths, answersBy: options.answersBy, sink: options.sink, warn: owner.warn, ...now });
    const limits = { maxPages: options.maxPages ?? null, maxTimeMs: options.maxTime ?? null };
    this.#run = { startedAt: isoTime(startedAt), endedAt: null, stopReason: null, ...limits };
    this.#resources = watchResources(paths, () => (this.#state === 'closed' ? null : writtenIn(paths.database, this.#parts.corpus)));
  }

  /** Admits hosts and seeds, notes the run in the manifest, and hands the crawl to its caller. */
  async begin(): Promise<void> {
    const { paths, options, operations, running, resumed, joined } = this.#crawl;
    const { frontier, emit, clock } = this.#parts;
    const released = unparked(frontier, options.unpark ?? [], paths.dir);
    frontier.readmitHosts();
    // In a crawl on several machines others may take over meanwhile: see `#visitOrRejoin`.
    if (joined === null) await this.#admit();
    this.#storeManifest();
    frontier.noteRuns(this.#crawl.stored.runs.length + 1);
    this.#concurrency = concurrencyFor(options.concurrency ?? CONCURRENCY, workersOf(options), this.#warn);
    const lookups = () => this.#owner.network.fetcher.lookups;
    const settings = loggedSettings(this.#manifest, this.#seeds.length, options, this.#concurrency, resumed);
    operations.started({ counts: this.#counts, running, lookups, delay: this.#manifest.delay }, settings);
    const acted = reporter(emit, clock.now);
    if (released.length > 0) acted('unpark', 'command', released);
    await this.#listeners.begin();
    handOver(this.#handle(acted), options);
  }

  #handle(acted: CrawlHandle['acted']): CrawlHandle {
    const { running, resumed } = this.#crawl;
    return {
      resumed,
      counts: this.#counts,
      visits: () => running.visits(),
      needs: () => this.#listeners.needs(),
      unpark: (pattern) => (this.#state === 'closed' ? [] : this.#parts.frontier.unpark(pattern)),
      addSeeds: (urls) => this.#addLate(urls),
      acted,
    };
  }

  /**
   * Visits until there is a reason to stop. The parts are closed and opened again for a new model, and when other workers have taken over the partitions
   * of this one.
   */
  async visitUntil(): Promise<StopReason> {
    const { paths } = this.#crawl;
    for (;;) {
      const retraining = new CrawlRetraining({ paths, manifest: this.#manifest, frontier: this.#parts.frontier, warn: this.#warn });
      const reason = await this.#visitOrRejoin(retraining)
        .then((found) => this.#withTraining(found, retraining))
        .finally(() => this.#closeRetraining(retraining));
      if (reason === null) continue;
      if (!this.#isForNewModel(reason, retraining)) return reason;
      await this.#adoptModel(retraining);
    }
  }

  /** @returns null if other workers took over the partitions of this one: it has joined again */
  async #visitOrRejoin(retraining: CrawlRetraining): Promise<StopReason | null> {
    const { joined } = this.#crawl;
    try {
      if (joined !== null) await this.#admit();
      return await this.#visit(retraining);
    } catch (error) {
      if (!joined?.isFenced(error)) throw error;
      this.#warn(`${messageOf(error)}; this worker joins again, and the URLs that it had not committed are visited again`);
      await this.#closeParts();
      this.#opened(await joined.again(() => openParts(this.#owner, this.#manifest)));
      return null;
    }
  }

  /** Waits for the training that runs, if nothing hurries the end: a corpus is selected by the model of the end. */
  async #withTraining(reason: StopReason | null, retraining: CrawlRetraining): Promise<StopReason | null> {
    if (reason !== null && UNHURRIED.has(reason) && this.#crawl.joined === null)
      await retraining.trained(this.#signal, () => this.#warn(`${this.#crawl.paths.dir}: ${WAITING}`));
    return reason;
  }

  /** Adds the seeds and the lists of URLs to the frontier. */
  async #admit(): Promise<void> {
    await addSeeds(this.#seeds, this.#parts, this.#signal);
    if (this.#crawl.resumed && (this.#crawl.options.documents ?? []).length > 0) readmitDocuments(this.#parts);
    this.#manifest = await addUrlLists(this.#crawl.paths.dir, this.#manifest, this.#parts, this.#signal);
    await this.#followKept();
  }

  /** Adds the alternates of pages that were kept before the crawl followed their languages. The next run continues one that was stopped here. */
  async #followKept(): Promise<void> {
    const { paths, options, joined } = this.#crawl;
    const { alternates, keptAlternates } = this.#manifest;
    if (followsMore(alternates, keptAlternates)) {
      // First of all: a run that is killed meanwhile leaves its languages to the next one, beside the alternates that wait by then.
      this.#storeManifest();
      const isOver = () => this.#signal.aborted || joined?.stop.aborted === true || this.#time.left === 0;
      const crawl = { manifest: this.#manifest, paths, onDamaged: options.onDamaged, warn: this.#warn, isOver };
      if (!(await followKept(crawl, this.#parts))) return;
    } else if (!followsMore(keptAlternates, alternates)) return;
    // From now on pages are kept without alternates in the other languages.
    this.#manifest = { ...this.#manifest, keptAlternates: alternates };
    this.#storeManifest();
  }

  /** Stores the manifest with this run. The lock must be held. */
  #storeManifest(): void {
    this.#crawl.lock.check();
    writeManifest(this.#crawl.paths.dir, this.#withRun(this.#run));
  }

  /** Call of the loop, until it stops. */
  async #visit(retraining: CrawlRetraining): Promise<StopReason> {
    const { paths, options, joined, running } = this.#crawl;
    const parts = this.#parts;
    const stored = await beginRevisits(parts.frontier, paths, this.#revisits(), this.#startedAt, this.#signal, options.onDamaged);
    if (joined === null) this.#stored = stored;
    const room = await headroomOf(paths, parts.corpus, options.minFree ?? null, this.#warn);
    const recall = this.#recallWatch(parts);
    const emit = (event: CrawlEvent) => {
      parts.emit(event);
      this.#listeners.take(event);
      if (event.type === 'settled') recall?.settled(event.url);
      // Labels of a crawl on several machines are of a gathered directory.
      if (event.type === 'settled' && event.settlement === 'done' && joined === null) retraining.settled();
    };
    const stop = AbortSignal.any([this.#signal, retraining.ready, ...(joined ? [joined.stop, joined.newModel] : [])]);
    const watched = { ...parts, emit, headroom: this.#permitted(room), stored };
    return runLoop(watched, { ...this.#limits(), ...(recall && { isComplete: () => recall.isReached }) }, stop, running).finally(() =>
      room.close(),
    );
  }

  /** The room of the machine, with the leave of lock, workers and caller. Asked before each lease; a lost lock ends the crawl through `lost`. */
  #permitted(room: Headroom): Headroom {
    const { lock, options, joined } = this.#crawl;
    const mayAsk = () => lock.isHeld(LOCK_CHECK_AFTER) && (joined?.session.mayAsk ?? true) && (options.mayFetch?.() ?? true);
    return { verdict: () => (mayAsk() ? room.verdict() : 'paused') };
  }

  /** null without a recall at which to stop. */
  #recallWatch({ frontier }: Parts): RecallWatch | null {
    const { stopRecall } = this.#manifest;
    const known = stopRecall === null ? null : knownOf(this.#crawl.paths);
    if (stopRecall === null || known === null) return null;
    return new RecallWatch(known, stopRecall, frontier, () => recallOf(known, this.#manifest, frontier));
  }

  #revisits(): RevisitChoice {
    const { revisit: age, revisitOnly, continuous, revisitBudget: budget = USUAL_BUDGET, refresh: target = 'age' } = this.#crawl.options;
    return {
      age,
      withSources: !revisitOnly,
      isShared: this.#crawl.joined !== null,
      known: this.#stored,
      ...(continuous && { plan: { target, budget } }),
    };
  }

  #limits(): CrawlLimits {
    const { maxPages = Number.POSITIVE_INFINITY, revisitOnly = false, continuous = false } = this.#crawl.options;
    const { stopYield, patience, rounds } = this.#manifest;
    const limits = { maxPages, revisitOnly, continuous, maxTime: this.#time.left, concurrency: this.#concurrency, stopYield, patience };
    return rounds === null ? limits : { ...limits, rounds };
  }

  async #closeRetraining(retraining: CrawlRetraining): Promise<void> {
    const waiting = await retraining.close();
    if (waiting === null) return;
    const { dir } = this.#crawl.paths;
    const topicName = waiting.place === null ? undefined : waiting.topic.name;
    const command = labellingCommand('label train', { dir, topicName });
    this.#warn(`${dir}: the crawl ended before the training with labels; train with: ${command}`);
  }

  /** A limit of the machine or of the time that was reached at the same moment counts: the model waits for the next run, which trains again. */
  #isForNewModel(reason: StopReason, { ready }: CrawlRetraining): boolean {
    const { joined } = this.#crawl;
    if (this.#signal.aborted) return false;
    if (ready.aborted) return reason === 'interrupted' || UNHURRIED.has(reason);
    return reason === 'interrupted' && joined?.newModel.aborted === true && !joined.stop.aborted;
  }

  async #adoptModel(retraining: CrawlRetraining): Promise<void> {
    const { paths, joined, lock } = this.#crawl;
    const { emit } = this.#parts;
    await this.#closeParts();
    if (joined) await joined.adoptModel(() => lock.check());
    else await retraining.activate(() => lock.check(), emit);
    this.#manifest = readManifest(paths.dir);
    const parts = await openParts(this.#owner, this.#manifest);
    this.#parts = parts;
    // Seeds of a person may have come after the last commit: in crawl.json, and not in the frontier.
    await addSeeds(this.#seeds, parts, this.#signal);
    this.#opened(parts);
    this.#listeners.anotherModel();
  }

  /** Notes the end of the run in the manifest. @returns the report of the run */
  async finish(stopReason: StopReason): Promise<CrawlReport> {
    const { paths, operations, lock, resumed, joined } = this.#crawl;
    this.#state = 'ended';
    const sink = await this.#drainSink(stopReason);
    await this.#listeners.close();
    operations.stopped({ reason: stopReason, counts: this.#counts(), ms: this.#time.spent });
    lock.check();
    writeManifest(paths.dir, this.#withRun({ ...this.#run, endedAt: isoTime(dateOf(this.#crawl.clock)), stopReason }));
    return reportOfRun({
      ...{ paths, manifest: this.#manifest, parts: this.#parts, seeds: this.#seeds, stopReason, resumed, sink },
      ...{ startedAt: this.#startedAt, time: this.#time, listeners: this.#listeners, warn: this.#warn, joined },
    });
  }

  /** Gives the sink the rest, and stores how far it came. A crawl that a person stops waits less, and a second signal ends the wait. */
  async #drainSink(stopReason: StopReason): Promise<SinkFacts | null> {
    const isStopped = stopReason === 'interrupted';
    const time = isStopped ? SINK_TIME_STOPPED : SINK_TIME;
    const onWait = (records: number) =>
      this.#warn(
        `${this.#crawl.paths.dir}: ${counted(records, 'kept record')} still waited for the sink at the end of the crawl, which waits for at most ${time / 1000} s; the next run delivers the rest`,
      );
    const facts = await this.#listeners.drain(time, isStopped ? new AbortController().signal : this.#signal, onWait);
    if (facts !== null) await commitAll(this.#parts.frontier, this.#parts.corpus);
    return facts;
  }

  /** Closes everything that `open` opened. */
  async close(): Promise<void> {
    const isClosed = this.#state === 'closed';
    this.#state = 'ended';
    this.#resources.close();
    await this.#listeners.close();
    await Promise.all([this.#owner.network.fetcher.close(), isClosed ? undefined : closeParts(this.#parts, this.#crawl.joined)]);
  }

  readonly #counts = (): FrontierCounts => this.#parts.frontier.counts();

  /** The manifest with this run behind those that were stored before. */
  #withRun(run: Run): CrawlManifest {
    return { ...this.#manifest, runs: [...this.#crawl.stored.runs, run] };
  }

  async #closeParts(): Promise<void> {
    this.#state = 'closed';
    await closeParts(this.#parts, this.#crawl.joined);
  }

  #opened(parts: Parts): void {
    [this.#parts, this.#state] = [parts, 'open'];
  }

  #addLate(urls: readonly string[]): void {
    const { paths, options, lock, running } = this.#crawl;
    if (this.#state !== 'open') throw new UsageError(`${paths.dir}: the crawl ends or trains at the moment; add the seeds again later`);
    lock.check();
    const proxy = proxyOf(options, this.#manifest);
    const late = addLateSeeds(urls, { paths, manifest: this.#withRun(this.#run), seeds: this.#seeds, proxy, parts: this.#parts });
    [this.#manifest, this.#seeds] = [late.manifest, late.seeds];
    running.added();
  }
}
