/** A crawl whose log is in a database. The command starts or joins it there, and this process is one of its workers. */

import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { systemClock } from '../../base/core/clock.ts';
import { InvariantError, StoreError, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CorpusWriter, KeptPayloads } from '../../base/core/parts/keeping.ts';
import type { CommitMark, CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { LinkScorer } from '../../base/core/parts/scoring.ts';
import type { Parts } from '../../base/core/parts.ts';
import { lastRescoring } from '../../base/core/rescoring-schedule.ts';
import { signalWithin } from '../../base/core/time-signal.ts';
import type { Ms, Topic } from '../../base/core/types.ts';
import { makeDirectory } from '../../base/disk/directories.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { readMarks, resetMarks, sameOffsets } from '../../corpus/records/commit-marks.ts';
import { corpusSizes } from '../../corpus/records/corpus-writer.ts';
import { CorpusBucket, CorpusCopy } from '../../crawling/cluster/corpus-bucket.ts';
import { CorpusChecksums } from '../../crawling/cluster/corpus-checksums.ts';
import { beginEngineCrawl, engineFiles, findEngineCrawl } from '../../crawling/cluster/crawl-list.ts';
import { migrate } from '../../crawling/cluster/database-tables.ts';
import type { CorpusSums } from '../../crawling/cluster/database-texts.ts';
import { type EngineAddress, readEngineAddress } from '../../crawling/cluster/engine-address.ts';
import { corpusStateOf, momentOf, placeOfCorpus, refuseOtherLog } from '../../crawling/cluster/engine-log.ts';
import { guardedRequests } from '../../crawling/cluster/guarded-requests.ts';
import { sharedParts } from '../../crawling/cluster/shared-parts.ts';
import { sharedPayloads } from '../../crawling/cluster/shared-payloads.ts';
import { SharedSession } from '../../crawling/cluster/shared-session.ts';
import { EngineGoneError, FencedError, persistently, SqlClient } from '../../crawling/cluster/sql-client.ts';
import { systemIdentifierOf } from '../../crawling/cluster/system-identifier.ts';
import { type EngineCrawl, EngineWorker, LEASE } from '../../crawling/cluster/worker.ts';
import { refusePartOfGraph } from '../../crawling/crawl/all-links.ts';
import { commitAll } from '../../crawling/crawl/committer.ts';
import { LINKS_AT_A_TIME } from '../../crawling/crawl/rescore-waiting.ts';
import type { RunningCrawl } from '../../crawling/crawl/running.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  findCrawl,
  OWN_OPT_OUT,
  readManifest,
  rejudgedBy,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import type { Requests } from '../../crawling/fetch/requests.ts';
import { openLoggedFrontier } from '../../crawling/frontier/frontier.ts';
import type { LoggedFrontier } from '../../crawling/frontier/logged-frontier.ts';
import type { CrawlOptions, WorkerReport } from './crawl-options.ts';
import { bringFiles, filesOf, readView, type StoredView, sharedManifest, writeInto } from './engine-files.ts';
import { adoptModel, noteModel, SharedOptOut, withOwnOptOut } from './shared-settings.ts';

/** A database and an object store that start answer within this time. */
const STARTS_WITHIN: Ms = 60_000;
/** The time for a worker in a new directory, which a person just started: a restart of the database takes less. */
const JOINS_WITHIN: Ms = 15_000;
/** Nobody answers at this address (Node, `uv_errno`). */
const NOBODY: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT']);
/** Attempts of a request to the bucket before the crawl reports that it waits. It tries again until the bucket answers. */
const BUCKET_ATTEMPTS = 3;

/** Options that change the topic or ask about it while the crawl runs. */
const OF_ONE_MACHINE = ['ask', 'answersBy', 'warmUp', 'linkModel', 'record', 'force', 'revisit', 'known', 'stopRecall'] as const;

/** The connection to the database of a crawl. */
export class ClusterConnection {
  readonly #client: SqlClient;
  readonly #at: string;
  readonly #address: EngineAddress;
  /** Aborts when this worker has waited long enough for database and bucket. */
  readonly #patience: AbortSignal;
  #bucket: CorpusBucket | null = null;

  private constructor(client: SqlClient, at: string, address: EngineAddress, patience: AbortSignal) {
    [this.#client, this.#at, this.#address, this.#patience] = [client, at, address, patience];
  }

  /**
   * A worker that starts again waits a minute for its database and its bucket: all may start after a power cut. A new one waits a quarter of that, and not
   * where nobody answers: its address may be wrong.
   * @returns null for a crawl of one machine
   * @throws UsageError, StoreError, CrawlerError
   */
  static async connect(options: CrawlOptions): Promise<ClusterConnection | null> {
    const here = findCrawl(options.dir);
    const at = options.at ?? here?.at ?? null;
    if (at === null) return null;
    const address = readEngineAddress(at);
    for (const name of OF_ONE_MACHINE)
      if (options[name] !== undefined && options[name] !== false)
        throw new UsageError(`${options.dir}: ${name} is an option of crawls on one machine; omit it, or omit --at`);
    const patience = signalWithin(here === null ? JOINS_WITHIN : STARTS_WITHIN, ...(options.signal ? [options.signal] : []));
    const client = await (here === null ? firstConnection(address, patience) : persistently(() => SqlClient.connect(address), patience));
    try {
      await persistently(() => migrate(client), patience);
      return new ClusterConnection(client, at, address, patience);
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /**
   * Puts manifest, models and seeds of the crawl into a directory without a crawl, if the database has the crawl.
   * @throws UsageError if the directory has another crawl
   */
  async bring(paths: CrawlPaths): Promise<void> {
    const { dir, manifest } = paths;
    const crawl = await persistently(() => findEngineCrawl(this.#client, this.#address.crawl), this.#patience);
    const here = findCrawl(dir);
    if (crawl === null && here === null) return;
    const remedy = 'give an empty directory, or another name of the crawl in --at';
    if (crawl === null && here?.at === null) return;
    if (crawl === null) throw new UsageError(`${dir}: has a crawl that is not in ${this.#address.shown}; ${remedy}`);
    const stored = sharedManifest(crawl);
    const { id } = stored;
    if (here !== null && here.id !== id) throw new UsageError(`${dir}: has another crawl than ${this.#address.shown}; ${remedy}`);
    if (here?.at === null && isThere(paths.gathered)) throw new UsageError(`${dir}: was gathered from this crawl; give another directory`);
    if (here?.at === null) await this.#refuseCopy(crawl, paths);
    if (here !== null) return;
    const files = await persistently(() => engineFiles(this.#client, crawl), this.#patience);
    makeDirectory(dir);
    bringFiles(dir, files);
    // Last: without it the directory has no crawl.
    // A list of URLs is a file of the worker that was given it, and its corpus has no page yet.
    writeInto(manifest, JSON.stringify({ ...stored, optOut: OWN_OPT_OUT, urlLists: [], keptAlternates: stored.alternates }));
  }

  /** A copy that was made before the crawl moved has the same id, and pages that the database has as kept elsewhere. @throws UsageError */
  async #refuseCopy(crawl: EngineCrawl, { dir, corpusId, corpus }: CrawlPaths): Promise<void> {
    const own = isThere(corpusId) ? readFileSync(corpusId, 'utf8').trim() : null;
    const place = own === null ? null : await persistently(() => placeOfCorpus(this.#client, crawl, own), this.#patience);
    if (place !== null && place.host === hostname() && place.path === resolve(corpus)) return;
    throw new UsageError(
      `${dir}: the crawl was moved to ${this.#address.shown} from ${place === null ? 'another directory' : `${place.path} on ${place.host}`}, and this is a copy of it; give an empty directory to join it, and keep or delete this one`,
    );
  }

  /**
   * Looks whether the directory of a worker belongs to the database, before anything is changed in either.
   * @throws StoreError
   */
  async #refuseOthers(paths: CrawlPaths, manifest: CrawlManifest): Promise<void> {
    const crawl = await persistently(() => findEngineCrawl(this.#client, this.#address.crawl), this.#patience);
    if (crawl === null) return;
    await persistently(async () => {
      await refuseOtherServer(this.#client, paths);
      const { commits } = await momentOf(this.#client, crawl, LEASE);
      const view = await readView(paths, manifest.id);
      await refuseOtherLog(this.#client, crawl, view, commits);
      await refuseOtherCorpus(this.#client, crawl, paths, view);
    }, this.#patience);
  }

  /**
   * Looks whether the bucket of the crawl, if it has one, takes objects. A worker that starts again waits for it.
   * @throws UsageError, EnvironmentError
   */
  async reachBucket(manifest: CrawlManifest, { s3Credentials }: CrawlOptions): Promise<void> {
    this.#bucket ??= await CorpusBucket.open(manifest, this.#address.crawl, { s3Credentials, attempts: BUCKET_ATTEMPTS });
    const bucket = this.#bucket;
    if (bucket !== null) await persistently(() => bucket.announce(), this.#patience);
  }

  /**
   * Makes the crawl of a directory known in the database, and joins it.
   * @returns null if another machine started one of the same name at the same moment
   * @throws FencedError, EngineGoneError, StoreError
   */
  async begin(
    paths: CrawlPaths,
    manifest: CrawlManifest,
    options: CrawlOptions,
    running: RunningCrawl,
    warn: (message: string) => void,
  ): Promise<ClusterWorker | null> {
    const text = JSON.stringify({ ...manifest, runs: [] });
    const files = filesOf(paths);
    const crawl = await persistently(() => beginEngineCrawl(this.#client, this.#address.crawl, text, files), this.#patience);
    if (sharedManifest(crawl).id !== manifest.id) return null;
    const joining = { client: this.#client, bucket: this.#bucket, crawl, at: this.#at, delay: manifest.delay, options, running, warn };
    return persistently(() => ClusterWorker.join(joining), this.#patience);
  }

  /** Moves a crawl of one machine into the database, or looks whether a worker's directory belongs to it. @param found before this run */
  async settleIn(paths: CrawlPaths, found: CrawlManifest, manifest: CrawlManifest): Promise<void> {
    if (found.at === null) await this.#moveIn(paths, manifest);
    else await this.#refuseOthers(paths, found);
  }

  /** See `moveCrawl`. */
  async #moveIn(paths: CrawlPaths, manifest: CrawlManifest): Promise<void> {
    const { moveCrawl } = await import('./move-crawl.ts');
    await moveCrawl(this.#client, this.#address.crawl, paths, manifest, corpusIdIn(paths.dir));
  }

  /** The manifest of a worker: see `withOwnOptOut`. Its module is loaded only for a crawl on several machines. */
  readonly ownManifest = withOwnOptOut;

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#bucket?.close()]);
  }
}

/** A crawl to join, and the process that joins it. */
interface Joining {
  readonly client: SqlClient;
  /** null: pages are on the disks of the workers alone. */
  readonly bucket: CorpusBucket | null;
  readonly crawl: EngineCrawl;
  /** The address of the crawl. */
  readonly at: string;
  /** Least time between requests to one address. */
  readonly delay: Ms;
  readonly options: CrawlOptions;
  readonly running: RunningCrawl;
  readonly warn: (message: string) => void;
}

/** A worker of the crawl in this process. */
export class ClusterWorker {
  readonly #joining: Joining;
  readonly #closed = new AbortController();
  readonly #stop = new AbortController();
  readonly #optOut: SharedOptOut;
  #worker: EngineWorker;
  /** null before `corpusCommit`, and without a bucket. */
  #copy: CorpusCopy | null = null;
  /** null before `corpusCommit`. */
  #sums: CorpusChecksums | null = null;
  /** Visits of its earlier sessions. */
  #visitsBefore = 0;
  #lost = new AbortController();
  #newModel = new AbortController();
  /** Number of activations of models before the crawl was opened here. */
  #models = 0;
  session: SharedSession;

  private constructor(joining: Joining, worker: EngineWorker) {
    this.#joining = joining;
    this.#worker = worker;
    this.#optOut = new SharedOptOut(joining.client, joining.crawl, crawlPaths(joining.options.dir));
    this.session = this.#newSession();
  }

  /** @throws as `SqlClient.query` */
  static async join(joining: Joining): Promise<ClusterWorker> {
    return new ClusterWorker(joining, await newWorker(joining));
  }

  /** Was it another worker that took over? */
  isFenced(error: unknown): boolean {
    return error instanceof FencedError;
  }

  /**
   * Joins again as a new worker, after others took over the partitions of this one.
   * @param open opens the parts of the crawl for it
   */
  async again<T>(open: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.session.close();
      this.#visitsBefore += this.session.visits;
      this.#worker = await persistently(() => newWorker(this.#joining), this.#closed.signal);
      this.#lost = new AbortController();
      this.session = this.#newSession();
      try {
        return await open();
      } catch (error) {
        if (!this.isFenced(error)) throw error;
      }
    }
  }

  /** Aborts when the user stops the crawl on all machines. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts, with the error, when another worker has taken over partitions of this one. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Aborts when another model was activated, or when pages of a partition must be judged again by the active one. */
  get newModel(): AbortSignal {
    return this.#newModel.signal;
  }

  /**
   * Lets the active model judge all that this worker has. Its frontier must be closed.
   * @throws StoreError, DataError, ModelError; EngineGoneError when the crawl is closed
   */
  async adoptModel(mayWrite: () => void): Promise<void> {
    const { client, crawl, options } = this.#joining;
    this.#newModel = new AbortController();
    await persistently(() => adoptModel(client, crawl.name, crawlPaths(options.dir), mayWrite), this.#closed.signal);
  }

  /** The frontier as this machine's view of the log. It has no hosts before `session.open`. @throws StoreError */
  async openFrontier(paths: CrawlPaths, manifest: CrawlManifest): Promise<LoggedFrontier> {
    this.#models = manifest.relabelled.length;
    await noteModel(paths, manifest);
    return openLoggedFrontier(paths.frontier, frontierOptionsOf(manifest), rejudgedBy(manifest), this.session, this.session);
  }

  /**
   * The commit to which the corpus of this worker belongs. The log decides: the view of a process that was killed between the two commits lags by one, and an
   * older copy by more. Pages that the log has as kept would be cut off otherwise.
   * @throws StoreError, also for a log that has less than the view
   */
  async corpusCommit(frontier: Pick<LoggedFrontier, 'lastCommit' | 'heads' | 'logged'>): Promise<CommitMark | null> {
    const { client, crawl } = this.#joining;
    await persistently(async () => {
      const { commits } = await momentOf(client, crawl, LEASE);
      await refuseOtherLog(client, crawl, frontier, commits);
    }, this.#closed.signal);
    const last = frontier.lastCommit();
    const { bucket, options, warn } = this.#joining;
    const { dir } = options;
    const paths = crawlPaths(dir);
    const [id, { corpus }] = [corpusIdIn(dir), paths];
    if (isThere(paths.repaired)) await this.#tellRepaired(paths, id);
    const state = await persistently(() => corpusStateOf(client, crawl, id), this.#closed.signal);
    const sizes = state?.sizes ?? null;
    this.#sums = new CorpusChecksums(corpus, state);
    if (bucket !== null)
      this.#copy = new CorpusCopy(bucket, { id, folder: corpus }, this.#worker.id, sizes ?? {}, (why) =>
        warn(why === null ? 'the bucket is there again' : `${why}; nothing is requested until the bucket is there again`),
      );
    if (sizes === null || (last && sameOffsets(last, { offsets: sizes }))) return last;
    const commit = { number: (last?.number ?? 0) + 1, offsets: sizes };
    // The corpus numbers commits as its view does. Without a mark of these sizes it is not that of the log, and its opening says so.
    if (readMarks(corpus).some((mark) => sameOffsets(mark, commit))) await resetMarks(corpus, commit, readManifest(dir).id);
    return commit;
  }

  /**
   * Takes the partitions of this worker, and teaches the scorer all lessons of the crawl.
   * @throws UsageError for a scorer that observes all links: each worker has a part of them
   */
  async open(frontier: LoggedFrontier, corpus: Pick<CorpusWriter, 'offsets' | 'flush'>, scorer: LinkScorer): Promise<void> {
    refusePartOfGraph(scorer);
    const { session } = this;
    const busyHosts = () => [...this.#joining.running.visits()].map(({ lease }) => lease.entry.host);
    await session.open(
      {
        frontier,
        busyHosts,
        added: () => this.#joining.running.added(),
        commit: () => commitAll(frontier, corpus),
      },
      this.#models,
    );
    const last = lastRescoring(session.lessonCount);
    for await (const lessons of session.lessonsSoFar())
      for (const { entry, relevance } of lessons) {
        scorer.learn?.(entry, relevance);
        if (scorer.learn && scorer.learnedFrom === last) await rescoreInTurns(frontier, scorer);
      }
  }

  /** Facts of this worker for a report. */
  share(parts: Parts): Parts {
    return sharedParts(parts, this.session);
  }

  report(): WorkerReport {
    const { visits, visitedByAll } = this.session;
    return { at: this.#joining.at, visited: this.#visitsBefore + visits, visitedByAll };
  }

  payloads(topics: readonly Topic[]): KeptPayloads {
    const { session } = this;
    return sharedPayloads(this.#worker, topics, this.#closed.signal, (gone) => session.tried('claim', gone));
  }

  /** Ends each request before another worker may ask the same host, also if the machine stood still meanwhile. */
  guarded(fetcher: Requests): Requests {
    return guardedRequests(fetcher, () => this.session.requestsEndIn);
  }

  /** Stops looking at the crawl, so that its parts can be closed. */
  pause(): Promise<void> {
    return this.session.pause();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.session.close();
  }

  /** The bucket gets all bytes of a repaired corpus, and then the log its sizes: the worker has a higher number than those that stored the former bytes. */
  async #tellRepaired(paths: CrawlPaths, id: string): Promise<void> {
    const { client, crawl, bucket } = this.#joining;
    const { signal } = this.#closed;
    const { corpus } = paths;
    if (bucket !== null)
      await new CorpusCopy(bucket, { id, folder: corpus }, this.#worker.id, {}, () => undefined).keep(await corpusSizes(corpus), signal);
    const { tellRepaired } = await import('./repaired-corpus.ts');
    await persistently(() => tellRepaired(client, crawl, paths, id), signal);
  }

  #keep(sizes: CorpusOffsets, signal: AbortSignal): Promise<void> {
    if (this.#copy === null) throw new InvariantError('a commit came before the corpus was opened');
    return this.#copy.keep(sizes, signal);
  }

  #sumsOf(sizes: CorpusOffsets): Promise<CorpusSums> {
    if (this.#sums === null) throw new InvariantError('a commit came before the corpus was opened');
    return this.#sums.upTo(sizes);
  }

  #newSession(): SharedSession {
    const { bucket, options, delay, warn } = this.#joining;
    const { maxPages } = options;
    const limit = maxPages === undefined || maxPages === Number.POSITIVE_INFINITY ? null : maxPages;
    const lost = this.#lost;
    const place = bucket && { keep: (sizes: CorpusOffsets, signal: AbortSignal) => this.#keep(sizes, signal) };
    const session = new SharedSession(this.#worker, systemClock, {
      ...(limit !== null && { maxVisits: limit }),
      ...(place !== null && { place }),
      sums: (sizes) => this.#sumsOf(sizes),
      delay,
      onShare: ({ live, held, of }) => {
        if (live > 1) warn(`${live} workers are in the crawl; this one has ${held} of ${of} partitions`);
      },
      onGone: (why) => warn(why === null ? 'the database works again' : `${why}; nothing is requested until it works again`),
      onLook: async (tended) => {
        await this.#optOut.follow(tended);
        if (tended.models > this.#models) this.#newModel.abort();
      },
      onOlderModel: () => this.#newModel.abort(),
      onStop: () => this.#stop.abort(),
      onLost: (why) => lost.abort(why),
    });
    session.onChange(() => this.#joining.running.changed());
    return session;
  }
}

/** Millions of links take longer than a lease, so the session looks at the crawl meanwhile. */
async function rescoreInTurns(frontier: Pick<LoggedFrontier, 'rescoring' | 'storePriorities'>, scorer: LinkScorer): Promise<void> {
  let links = 0;
  const rescoring = frontier.rescoring(scorer, Number.POSITIVE_INFINITY);
  for (let step = rescoring.next(); !step.done; step = rescoring.next()) {
    links += step.value;
    if (links < LINKS_AT_A_TIME) continue;
    links = 0;
    await turnOfLoop();
  }
  frontier.storePriorities();
}

/** @throws EngineGoneError at once if nobody answers */
async function firstConnection(address: EngineAddress, patience: AbortSignal): Promise<SqlClient> {
  try {
    return await SqlClient.connect(address);
  } catch (error) {
    const { cause } = error instanceof EngineGoneError ? error : {};
    if (!(error instanceof EngineGoneError) || (cause instanceof Error && 'code' in cause && NOBODY.has(cause.code))) throw error;
    return persistently(() => SqlClient.connect(address), patience);
  }
}

async function newWorker({ client, crawl, options: { dir } }: Joining): Promise<EngineWorker> {
  const paths = crawlPaths(dir);
  const here = await refuseOtherServer(client, paths);
  if (here !== null && !isThere(paths.serverId)) writeInto(paths.serverId, `${here}\n`);
  const { corpus: path } = paths;
  return EngineWorker.join(client, crawl, { id: corpusIdIn(dir), host: hostname(), path: resolve(path) }, `${hostname()} ${process.pid}`);
}

/**
 * The view of a worker belongs to the log of one server: its commits have the same numbers elsewhere, and other content. Two servers with one crawl would
 * ask each host twice.
 * @throws StoreError
 */
async function refuseOtherServer(client: SqlClient, { dir, serverId: path }: CrawlPaths): Promise<string | null> {
  const here = await systemIdentifierOf(client);
  if (here === null || !isThere(path)) return here;
  const before = readFileSync(path, 'utf8').trim();
  if (before !== here)
    throw new StoreError(
      'STORE_CORRUPT',
      `${dir}: the crawl was in another database server (system identifier ${before}, this is ${here}); correct --at; if the other one is gone for good and this one has its data, continue in a new directory, and keep this one for its pages`,
    );
  return here;
}

/**
 * The corpus of a worker is that of the last commit that the log has of it, or one commit ahead. The log learns of a repaired one first.
 * @throws StoreError
 */
async function refuseOtherCorpus(client: SqlClient, crawl: EngineCrawl, paths: CrawlPaths, { committed }: StoredView): Promise<void> {
  const { dir, corpus, corpusId, repaired } = paths;
  if (!isThere(corpusId) || isThere(repaired)) return;
  const state = await corpusStateOf(client, crawl, readFileSync(corpusId, 'utf8').trim());
  if (state === null) return;
  const remedy = `restore frontier and corpus of one moment from a copy, or continue with the rest: ${commandOn('repair', dir)}`;
  for (const [name, size] of Object.entries(state.sizes)) {
    const there = statSync(join(corpus, name), { throwIfNoEntry: false })?.size ?? 0;
    if (there < size)
      throw new StoreError('STORE_CORRUPT', `${join(corpus, name)}: has ${there} bytes, but ${size} were committed; ${remedy}`);
  }
  const own = { offsets: state.sizes };
  if (committed !== null && sameOffsets(committed, own)) return;
  if (readMarks(corpus).some((mark) => sameOffsets(mark, own)) || Object.values(state.sizes).every((size) => size === 0)) return;
  throw new StoreError('STORE_CORRUPT', `${corpus}: is not the corpus that the database has, and nothing was changed; ${remedy}`);
}

/** The corpus of a crawl directory has an id, so that one that was lost is not taken for the one that came after it. */
function corpusIdIn(dir: string): string {
  const path = crawlPaths(dir).corpusId;
  if (!isThere(path)) writeInto(path, `${randomUUID()}\n`);
  return readFileSync(path, 'utf8').trim();
}
