/** The part of a shared crawl that one worker holds, and how it keeps in step with the others: leases, links, lessons, visits. */
import { type Clock, dateOf } from '../../base/core/clock.ts';
import type { CorpusOffsets, VisitBudget } from '../../base/core/parts/queueing.ts';
import type { Lesson, LessonQueue } from '../../base/core/parts/scoring.ts';
import type { EpochMs, HostKey, Ms, Unit } from '../../base/core/types.ts';
import { MOST_PATIENCE } from '../crawl/patience.ts';
import type { FrontierLog, LogBatch, LogMark } from '../frontier/frontier-log.ts';
import { higher } from '../frontier/log-outbox.ts';
import { logRowsOf, packPassedOn } from '../frontier/log-rows.ts';
import type { HostShare, LoggedFrontier } from '../frontier/logged-frontier.ts';
import type { CorpusSums } from './database-texts.ts';
import { HeldPartitions } from './held-partitions.ts';
import { Inbox } from './inbox.ts';
import { LessonOrder } from './lesson-order.ts';
import { packLessons } from './lesson-rows.ts';
import { OutageTracker } from './outage-tracker.ts';
import { SharedAddresses } from './shared-addresses.ts';
import { EngineGoneError, otherLogError, persistently } from './sql-client.ts';
import { VisitShare, type WorkerState } from './visit-share.ts';
import type { CrawlSnapshot, EngineWorker } from './worker.ts';

/** Time between looks at the crawl. */
const TEND_EVERY: Ms = 500;
/** A worker begins no request so long before the end of its leases: the server counts them from a later moment than this worker. */
const MARGIN: Ms = 1_000;
/**
 * A worker begins no request while a commit takes longer: its pages wait in memory. A commit takes some 10 ms, with a bucket some 100 ms; 8 MB take 2 s on a
 * line of 32 Mbit a second.
 */
const SLOW_COMMIT: Ms = 2_000;

/** The running crawl, as the session needs it. */
export interface SessionCrawl {
  readonly frontier: LoggedFrontier;
  /** The host of each visit in flight. */
  busyHosts(): readonly HostKey[];
  /** Something waits for a commit. */
  added(): void;
  /** Commits, while the session opens: nothing else does by then. */
  commit(): Promise<void>;
}

/** Another place for the pages of this worker, such as a bucket. */
export interface CorpusReplica {
  /** Stores the files of the corpus up to these sizes, before the log has them. @param signal ends the attempts */
  keep(sizes: CorpusOffsets, signal: AbortSignal): Promise<void>;
}

export interface SessionEvents {
  readonly onShare: (share: { readonly live: number; readonly held: number; readonly of: number }) => void;
  /** The database is gone, or cannot store anything; null: it works again. */
  readonly onGone: (why: string | null) => void;
  /** Called after each look. @throws EngineGoneError, StoreError */
  readonly onLook: (tended: CrawlSnapshot) => Promise<void>;
  /** Steps of a partition were taken over that an earlier model judged. */
  readonly onOlderModel: () => void;
  /** The user stops the crawl on all machines. */
  readonly onStop: () => void;
  /** Nothing can be committed any more: another worker has taken over, or the crawl was dropped. */
  readonly onLost: (why: unknown) => void;
}

export interface SessionOptions extends Partial<Omit<SessionEvents, 'onLost'>>, Pick<SessionEvents, 'onLost'> {
  /** Limit of visits of the whole crawl. Default: no limit. */
  readonly maxVisits?: number;
  /** Least time between requests to one address. Default 0. */
  readonly delay?: Ms;
  /** Default: pages are on the disk of this worker alone. */
  readonly place?: CorpusReplica;
  /** The CRC-32 of the files of the corpus up to these sizes, which are on the disk. Default: none. */
  readonly sums?: (sizes: CorpusOffsets) => Promise<CorpusSums>;
}

const UNHEARD: Omit<SessionEvents, 'onLost'> = {
  onShare: () => undefined,
  onGone: () => undefined,
  onLook: () => Promise.resolve(),
  onOlderModel: () => undefined,
  onStop: () => undefined,
};

export class SharedSession implements FrontierLog, HostShare {
  readonly #worker: EngineWorker;
  readonly #clock: Clock;
  readonly #events: SessionEvents;
  readonly #place: CorpusReplica | null;
  readonly #sums: (sizes: CorpusOffsets) => Promise<CorpusSums>;
  readonly #closed = new AbortController();
  readonly #holdings: HeldPartitions;
  readonly #inbox: Inbox;
  readonly #share: VisitShare;
  readonly #addresses: SharedAddresses;
  readonly #troubles: OutageTracker;
  #lessons = new LessonOrder();
  /** Has the scorer of this crawl all lessons that existed when it was opened? Before, the crawl does not commit by itself. */
  #isTaught = false;
  #crawl: SessionCrawl | null = null;
  #tending: Promise<void> | null = null;
  /** The last look: they come one after the other. */
  #looking: Promise<unknown> = Promise.resolve();
  #nap = new AbortController();
  #ring: () => void = () => undefined;
  #last: CrawlSnapshot | null = null;
  /**
   * End of the time in which requests may begin: by the monotonic clock, and by the date, since the former stops while a machine sleeps.
   */
  #until: EpochMs = 0;
  #untilDate: EpochMs = 0;
  #renewedAt: EpochMs = 0;
  /** The last commit that this worker knows: of its own, or of a log that it has read. */
  #head = 0;
  /** Number of activations of models before this crawl was opened. */
  #models = 0;
  #shown = '';
  /** Start of the commit that is on its way; null: none is. */
  #committing: EpochMs | null = null;

  constructor(worker: EngineWorker, clock: Clock, { maxVisits, delay = 0, place, sums, ...events }: SessionOptions) {
    this.#worker = worker;
    this.#clock = clock;
    this.#place = place ?? null;
    this.#sums = sums ?? (() => Promise.resolve({}));
    this.#events = { ...UNHEARD, ...events };
    this.#holdings = new HeldPartitions(worker.crawl);
    this.#inbox = new Inbox(worker);
    this.#share = new VisitShare(maxVisits ?? null);
    this.#addresses = new SharedAddresses(worker, clock, delay, this.#holdings.partitionOf, this.#closed.signal);
    this.#troubles = new OutageTracker(this.#events.onGone);
  }

  // The hosts of this worker.

  readonly isAway = (host: HostKey): boolean => !this.#holdings.isOpen(host);

  readonly held = (): Iterable<number> => this.#holdings.epochs().keys();

  /** Whether a request may begin: no longer when the leases of this worker may have run out, the crawl is paused, or a commit takes long. */
  get mayAsk(): boolean {
    return this.#left > 0 && !this.#troubles.any && this.#last?.state === 'running' && !this.#isSlow;
  }

  get #isSlow(): boolean {
    return this.#committing !== null && this.#clock.now() - this.#committing > SLOW_COMMIT;
  }

  /** Time until each request must have ended: then another worker may ask the same hosts. */
  get requestsEndIn(): Ms {
    return Math.max(0, this.#left + this.#worker.longestRequest);
  }

  get #left(): Ms {
    return Math.min(this.#until - this.#clock.now(), this.#untilDate - dateOf(this.#clock));
  }

  // The crawl as the parts of a worker see it: see `shared-parts.ts`.

  /** The visits of this worker. Its share grows when others give some back. */
  get budget(): VisitBudget {
    return this.#share;
  }

  /** All workers learn all lessons in one order: a worker that is alone at once, others after the commit. */
  readonly lessons: LessonQueue = {
    teach: (lesson) => this.#lessons.teach(lesson, this.#holdings.isAlone),
    learned: () => this.#lessons.learned(),
  };

  /** Number of visits in flight. */
  get inFlight(): number {
    return this.#crawl?.busyHosts().length ?? 0;
  }

  /** Whether no worker has anything to do, now or later. */
  get isDrained(): boolean {
    return this.#last?.drained ?? false;
  }

  /** Visits of this worker since it joined. */
  get visits(): number {
    return this.#share.visits;
  }

  /** Visits of all workers, as of the last look at the crawl. */
  get visitedByAll(): number {
    return this.#last?.visited ?? 0;
  }

  /** Priority of the best URL of other workers, as of the last look at the crawl. null: there is none, or they make no visits. */
  get elsewhere(): Unit | null {
    return this.#share.elsewhere(this.#waiting);
  }

  /** The best priority of links to others that wait for a commit. */
  get #waiting(): Unit | null {
    return this.#crawl?.frontier.bestPassedOn ?? null;
  }

  /** Notes the state of this worker: the next look at the crawl tells the others. A worker that is not busy is given no visits. */
  reportState(what: WorkerState): void {
    // The others may wait for its links, or for its visits.
    if (what !== this.#share.doing && what !== 'busy') this.#nap.abort();
    this.#share.doing = what;
  }

  /** Notes the groups of a host, at its first lease in this process. */
  setGroups(host: HostKey, groups: readonly string[]): Promise<void> {
    return this.#addresses.know(host, groups);
  }

  /** Waits until this worker may ask a host. Hosts of one address that several workers have are asked one after the other. */
  acquireAddress(host: HostKey): Promise<void> {
    return this.#addresses.enter(host);
  }

  /** Ends the visit to a host. */
  releaseAddress(host: HostKey): void {
    this.#addresses.leave(host);
  }

  /** Sets the function that is called when anything above may have changed. */
  onChange(ring: () => void): void {
    this.#ring = ring;
  }

  // The log.

  begin({ entries, passedOn, offsets }: LogBatch): () => Promise<LogMark> {
    const { partitionOf } = this.#holdings;
    const [held, read, own, leaving] = [this.#holdings.epochs(), this.#inbox.batch(), this.#lessons.batch(), this.#quietLeaving()];
    const letters = packPassedOn(passedOn, partitionOf);
    this.#share.sends(letters.reduce((best: Unit | null, letter) => higher(best, letter.best), null));
    const batch = {
      held,
      rows: logRowsOf(entries, partitionOf, held.keys()),
      passedOn: letters,
      read,
      lessons: packLessons(own.lessons),
      visits: this.#share.batch(),
      models: this.#models,
      sizes: offsets,
    };
    return async () => {
      this.#committing = this.#clock.now();
      await this.#place?.keep(offsets, this.#closed.signal);
      const sums = await this.#sums(offsets);
      const before = this.#head;
      const tried = (gone: Parameters<OutageTracker['tried']>[1]) => this.tried('commit', gone);
      const { mark, firstLesson } = await this.#worker.commit({ ...batch, sums }, this.#closed.signal, tried);
      this.#committing = null;
      this.#refuseOlder(mark.commit - 1, before);
      this.#head = mark.commit;
      this.#share.sent();
      this.#inbox.committed(read);
      this.#lessons.placed(own, firstLesson);
      this.#holdings.left(leaving);
      if (leaving.length > 0 || this.#share.doing === 'idle') this.#nap.abort();
      this.#ring();
      return mark;
    };
  }

  // In step with the others.

  /**
   * Takes the partitions of this worker into a frontier, and then looks at the crawl twice a second. Lessons that exist are not learned: the caller reads
   * them (`lessonsSoFar`) and teaches a fresh scorer.
   * @param models how often a model was activated: the last one judges here. Default 0
   * @throws FencedError, EngineGoneError; StoreError for a log that has less than the view of this worker
   */
  async open(crawl: SessionCrawl, models = 0): Promise<void> {
    [this.#crawl, this.#models] = [crawl, models];
    [this.#lessons, this.#isTaught, this.#share.doing] = [new LessonOrder(), false, 'busy'];
    this.#inbox.reset();
    this.#holdings.reopen();
    this.#head = Math.max(this.#head, ...crawl.frontier.heads.values());
    if (crawl.frontier.logged !== null) this.#worker.knows(crawl.frontier.logged);
    await persistently(() => this.#look(), this.#closed.signal);
    this.#tending ??= this.#tend();
  }

  /** All lessons that exist, in their order, some at a time. From then on `learned` has the others. */
  async *lessonsSoFar(): AsyncIterable<readonly Lesson[]> {
    for (;;) {
      const rows = await persistently(() => this.#worker.lessonsFrom(this.#lessons.next), this.#closed.signal);
      if (rows.length === 0) {
        this.#isTaught = true;
        return;
      }
      this.#lessons.read(rows, () => false);
      yield [...this.#lessons.learned()];
    }
  }

  /** Number of lessons that exist. */
  get lessonCount(): number {
    return this.#last?.lessons ?? 0;
  }

  /** The crawl is about to be closed. This worker keeps its partitions, and asks nobody until `open`. */
  async pause(): Promise<void> {
    this.#crawl = null;
    await this.#looking;
  }

  /** Gives all partitions back. Everything must be committed. */
  async close(): Promise<void> {
    await this.pause();
    this.#closed.abort();
    this.#nap.abort();
    await this.#tending;
    // If the database is gone, the leases end by themselves.
    await this.#worker.leave().catch(() => undefined);
  }

  async #tend(): Promise<void> {
    for (;;) {
      this.#nap = new AbortController();
      await this.#clock.sleep(TEND_EVERY, this.#nap.signal);
      if (this.#closed.signal.aborted) return;
      try {
        await this.#look();
        this.tried('look', null);
      } catch (error) {
        if (error instanceof EngineGoneError) this.tried('look', error);
        else {
          this.#events.onLost(error);
          return;
        }
      }
      this.#ring();
    }
  }

  /** See `OutageTracker`. */
  tried(...attempt: Parameters<OutageTracker['tried']>): void {
    this.#troubles.tried(...attempt);
  }

  #look(): Promise<void> {
    const look = this.#looking.then(() => this.#lookNow(this.#crawl));
    this.#looking = look.catch(() => undefined);
    return look;
  }

  /** One look at the crawl, and all that follows from it. @param crawl null: this worker only keeps its partitions */
  async #lookNow(crawl: SessionCrawl | null): Promise<void> {
    const released = [...this.#holdings.released];
    if (released.length > 0) await this.#worker.release(released);
    this.#holdings.givenBack(released);
    if (crawl !== null) await this.#readLetters(crawl);
    const tended = await this.#renew(crawl, crawl !== null);
    if (crawl === null) return;
    this.#lessons.exist(tended.lessons);
    await this.#addresses.learn(tended.turns);
    await this.#takeOver(crawl);
    this.#giveUp(tended.quota, crawl);
    if (this.#lessons.isBehind && this.#isTaught) {
      const rows = await this.#worker.lessonsFrom(this.#lessons.next);
      this.#lessons.read(rows, (row) => row.worker === this.#worker.id);
    }
    await this.#events.onLook(tended);
    this.#tellShare(tended);
  }

  /**
   * Renews the leases.
   * @param crawl null while its parts are being opened: then it gets no visits
   * @param takes whether to take partitions that are free
   */
  async #renew(crawl: SessionCrawl | null, takes: boolean): Promise<CrawlSnapshot> {
    const [at, date] = [this.#clock.now(), dateOf(this.#clock)];
    const before = this.#head;
    const tended = await this.#tended(crawl, takes);
    this.#refuseOlder(tended.commits, before);
    if (tended.state === 'stopping') this.#events.onStop();
    [this.#until, this.#untilDate] = [at + this.#worker.lease - MARGIN, date + this.#worker.lease - MARGIN];
    this.#holdings.compare(tended.held, at);
    this.#renewedAt = at;
    return tended;
  }

  async #tended(crawl: SessionCrawl | null, takes: boolean): Promise<CrawlSnapshot> {
    const inFlight = crawl?.busyHosts().length ?? 0;
    const isIdle = crawl?.frontier.anyWaiting === false && inFlight === 0 && crawl.frontier.isLogged && this.#inbox.isEmpty;
    const own = crawl?.frontier.best(MOST_PATIENCE) ?? null;
    const { claimed, wants } = this.#share.ask(inFlight, own, this.#waiting);
    const outlook = { best: higher(own, this.#share.onTheWay(this.#waiting)), wants, patience: MOST_PATIENCE };
    this.#last = await this.#worker.tend(claimed, this.#share.limit, isIdle, takes, outlook);
    this.#share.answered(this.#last);
    return this.#last;
  }

  /**
   * @param before the last commit that was known before the database was asked
   * @throws StoreError if the database has fewer: an older copy was restored, or a replica that lagged took over
   */
  #refuseOlder(commits: number, before: number): void {
    const { name } = this.#worker.crawl;
    if (commits < before) throw otherLogError(`${name}: the database has ${commits} commits of the crawl, and ${before} were made`);
  }

  /** Reads the logs of new partitions, then lets their hosts be asked. A long log takes longer than a lease, so leases are renewed meanwhile. */
  async #takeOver(crawl: SessionCrawl): Promise<void> {
    const { frontier } = crawl;
    const { taken } = this.#holdings;
    if (taken.length === 0) return;
    for await (const { entries, upTo, models } of this.#worker.entriesAfter(frontier.heads, taken)) {
      if (models < this.#models) this.#events.onOlderModel();
      frontier.take(
        entries,
        taken.map((partition) => [partition, upTo.commit]),
        upTo,
      );
      this.#worker.knows(upTo);
      if (!this.#isTaught) await crawl.commit();
      else crawl.added();
      if (this.#clock.now() - this.#renewedAt >= TEND_EVERY) await this.#renew(crawl, false);
    }
    this.#holdings.opened(taken);
    this.#shareChanged(frontier);
  }

  /** Another worker is to have some of the partitions of this one. */
  #giveUp(quota: number, { frontier, added }: SessionCrawl): void {
    if (this.#holdings.leaveBeyond(quota)) this.#shareChanged(frontier);
    if (this.#holdings.leaving.length > 0) added();
  }

  #shareChanged(frontier: LoggedFrontier): void {
    frontier.shareChanged((host) => this.#holdings.restedBy(host));
  }

  /** Partitions that leave and have no request in flight: the next commit has all of them. */
  #quietLeaving(): number[] {
    const busy = new Set(this.#crawl?.busyHosts().map(this.#holdings.partitionOf));
    return this.#holdings.leaving.filter((partition) => !busy.has(partition));
  }

  async #readLetters({ frontier, added }: SessionCrawl): Promise<void> {
    const came = await this.#inbox.read(
      () => this.#holdings.open,
      (discovery) => frontier.add(discovery),
    );
    if (came) added();
  }

  #tellShare({ live }: CrawlSnapshot): void {
    const share = { live, held: this.#holdings.open.length, of: this.#worker.crawl.partitions };
    const shown = JSON.stringify(share);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#events.onShare(share);
  }
}
