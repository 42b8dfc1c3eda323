/** The part of a shared crawl that one worker holds, and how it keeps in step with the others: leases, links, lessons, visits. */
import { type Clock, dateOf } from '../core/clock.ts';
import { StoreError } from '../core/errors.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { Doing, Lesson, SharedCrawl } from '../core/parts/sharing.ts';
import type { EpochMs, HostKey, Ms, Unit } from '../core/types.ts';
import { MOST_PATIENCE } from '../crawl/patience.ts';
import type { HostShare, LoggedFrontier } from '../frontier/frontier.ts';
import type { FrontierLog, LogBatch } from '../frontier/frontier-log.ts';
import { packPassedOn, rowsOf, unpackPassedOn } from '../frontier/log-entry.ts';
import { higher } from '../frontier/logged-store.ts';
import { isOutbid } from '../frontier/polite-queue.ts';
import { LessonOrder } from './lesson-order.ts';
import { packLessons } from './lesson-rows.ts';
import { partitionsOf } from './partition-of.ts';
import { SharedAddresses } from './shared-addresses.ts';
import { EngineGoneError, FencedError, persistently } from './sql-client.ts';
import type { EngineWorker, Letter, Tended } from './worker.ts';

/** Between looks at the crawl. */
const TEND_EVERY: Ms = 500;
/** A worker begins no request so long before the end of its leases: the server counts them from a later moment than this worker. */
const MARGIN: Ms = 1_000;
/** Visits that a worker may start during a look at the crawl: as many as it has at once by default. */
const STARTED_MEANWHILE = 16;
/**
 * A worker begins no request while a commit takes longer: its pages wait in memory. A commit takes some 10 ms, with a bucket some 100 ms; 8 MB take 2 s on a
 * line of 32 Mbit a second.
 */
const SLOW_COMMIT: Ms = 2_000;

/** A leased partition. `taken`: its log is being read. `open`: its hosts are asked. `leaving`: it is given back when all of it is committed. */
interface Holding {
  readonly epoch: number;
  readonly state: 'taken' | 'open' | 'leaving';
  /** Its hosts are not asked before. */
  readonly restedBy: EpochMs;
}

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
export interface SecondPlace {
  /** Stores the files of the corpus up to these sizes, before the log has them. @param signal ends the attempts */
  keep(sizes: CorpusOffsets, signal: AbortSignal): Promise<void>;
}

export interface SessionEvents {
  readonly onShare: (share: { readonly live: number; readonly held: number; readonly of: number }) => void;
  /** The database is gone, or cannot store anything; null: it works again. */
  readonly onGone: (why: string | null) => void;
  /** After each look. @throws EngineGoneError, StoreError */
  readonly onLook: (tended: Tended) => Promise<void>;
  /** Steps of a partition were taken over that an earlier model judged. */
  readonly onOlderModel: () => void;
  /** The user stops the crawl on all machines. */
  readonly onStop: () => void;
  /** Nothing can be committed any more: another worker has taken over, or the crawl was dropped. */
  readonly onLost: (why: unknown) => void;
}

export interface SessionOptions extends Partial<Omit<SessionEvents, 'onLost'>>, Pick<SessionEvents, 'onLost'> {
  /** Of the whole crawl. Default: no limit. */
  readonly maxVisits?: number;
  /** Between requests to one address. Default 0. */
  readonly delay?: Ms;
  /** Default: pages are on the disk of this worker alone. */
  readonly place?: SecondPlace;
}

const UNHEARD: Omit<SessionEvents, 'onLost'> = {
  onShare: () => undefined,
  onGone: () => undefined,
  onLook: () => Promise.resolve(),
  onOlderModel: () => undefined,
  onStop: () => undefined,
};

export class SharedSession implements SharedCrawl, FrontierLog, HostShare {
  readonly #worker: EngineWorker;
  readonly #clock: Clock;
  readonly #events: SessionEvents;
  readonly #maxVisits: number | null;
  readonly #place: SecondPlace | null;
  readonly #closed = new AbortController();
  readonly #partitionOf: (host: HostKey) => number;
  readonly #holdings = new Map<number, Holding>();
  /** Partitions that are committed and wait to be given back. */
  #released: number[] = [];
  #lessons = new LessonOrder();
  /** Has the scorer of this crawl all lessons that existed when it was opened? Before, the crawl does not commit by itself. */
  #isTaught = false;
  readonly #addresses: SharedAddresses;
  #crawl: SessionCrawl | null = null;
  #tending: Promise<void> | null = null;
  /** The last look: they come one after the other. */
  #looking: Promise<unknown> = Promise.resolve();
  #nap = new AbortController();
  #ring: () => void = () => undefined;
  #last: Tended | null = null;
  /** Until when requests may begin: by the monotonic clock, and by the date, since the former stops while a machine sleeps. */
  #until: EpochMs = 0;
  #untilDate: EpochMs = 0;
  #renewedAt: EpochMs = 0;
  /** The kinds of attempts whose last one failed, with the reason. */
  readonly #troubles = new Map<'look' | 'commit' | 'claim', string>();
  /** The last commit that this worker knows: of its own, or of a log that it has read. */
  #head = 0;
  /** How often a model was activated before this crawl was opened. */
  #models = 0;
  /** The last word of the loop. */
  #doing: Doing = 'busy';
  /** Number of visits, in all, that may start before the answer to a look comes. */
  #mostClaimed = Number.POSITIVE_INFINITY;
  #visits = 0;
  #freshVisits = 0;
  /** The best priority of links that a commit is passing on, of those that were passed on since the last look began, and of those before a running look. */
  #sending: Unit | null = null;
  #sent: Unit | null = null;
  #asked: Unit | null = null;
  /** Links that are in the frontier, and leave the inbox with the next commit. */
  #read: Letter[] = [];
  readonly #known = new Set<string>();
  #shown = '';
  /** When the commit began that is on its way; null: none is. */
  #committing: EpochMs | null = null;

  constructor(worker: EngineWorker, clock: Clock, { maxVisits, delay = 0, place, ...events }: SessionOptions) {
    this.#worker = worker;
    this.#clock = clock;
    this.#maxVisits = maxVisits ?? null;
    this.#place = place ?? null;
    this.#events = { ...UNHEARD, ...events };
    this.#partitionOf = partitionsOf(worker.crawl.partitions);
    this.#addresses = new SharedAddresses(worker, clock, delay, this.#partitionOf, this.#closed.signal);
  }

  // The hosts of this worker.

  readonly isAway = (host: HostKey): boolean => this.#holdings.get(this.#partitionOf(host))?.state !== 'open';

  readonly held = (): number[] => [...this.#holdings].flatMap(([partition, { state }]) => (state === 'taken' ? [] : [partition]));

  /** May a request begin now? */
  get mayAsk(): boolean {
    return this.#left > 0 && this.#troubles.size === 0 && this.#last?.state === 'running' && !this.#isSlow;
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

  // The crawl as the loop sees it.

  get visitsLeft(): number {
    if (this.#maxVisits === null) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(this.#last?.granted ?? 0, this.#mostClaimed) - this.#visits);
  }

  get isSpent(): boolean {
    return this.#maxVisits !== null && (this.#last?.visited ?? 0) >= this.#maxVisits;
  }

  get isDrained(): boolean {
    return this.#last?.drained ?? false;
  }

  /** Visits of this worker since it joined. */
  get visits(): number {
    return this.#visits;
  }

  /** Visits of all workers, as of the last look at the crawl. */
  get visitedByAll(): number {
    return this.#last?.visited ?? 0;
  }

  get elsewhere(): Unit | null {
    return [this.#onTheWay, this.#sent, this.#asked].reduce(higher, this.#last?.elsewhere ?? null);
  }

  /** The best priority of links to others that are not in the database yet. */
  get #onTheWay(): Unit | null {
    return higher(this.#crawl?.frontier.bestPassedOn ?? null, this.#sending);
  }

  does(what: Doing): void {
    // The others may wait for its links, or for its visits.
    if (what !== this.#doing && what !== 'busy') this.#nap.abort();
    this.#doing = what;
  }

  visited(): void {
    this.#visits += 1;
    this.#freshVisits += 1;
  }

  teach(lesson: Lesson): boolean {
    return this.#lessons.teach(lesson, this.#open.length === this.#worker.crawl.partitions);
  }

  learned(): Iterable<Lesson> {
    return this.#lessons.learned();
  }

  know(host: HostKey, groups: readonly string[]): Promise<void> {
    return this.#addresses.know(host, groups);
  }

  enter(host: HostKey): Promise<void> {
    return this.#addresses.enter(host);
  }

  leave(host: HostKey): void {
    this.#addresses.leave(host);
  }

  onChange(ring: () => void): void {
    this.#ring = ring;
  }

  // The log.

  begin({ entries, passedOn, offsets }: LogBatch): () => Promise<number> {
    const held = new Map(this.held().map((partition) => [partition, this.#holdings.get(partition)?.epoch ?? 0]));
    const [read, own, visits, leaving] = [this.#read, this.#lessons.batch(), this.#freshVisits, this.#quietLeaving()];
    [this.#read, this.#freshVisits] = [[], 0];
    const letters = packPassedOn(passedOn, this.#partitionOf);
    this.#sending = letters.reduce((best: Unit | null, letter) => higher(best, letter.best), null);
    const batch = {
      held,
      rows: rowsOf(entries, this.#partitionOf, held.keys()),
      passedOn: letters,
      read,
      lessons: packLessons(own.lessons),
      visits,
      models: this.#models,
      sizes: offsets,
    };
    return async () => {
      this.#committing = this.#clock.now();
      await this.#place?.keep(offsets, this.#closed.signal);
      const before = this.#head;
      const { commit, firstLesson } = await this.#worker.commit(batch, this.#closed.signal, (gone) => this.tried('commit', gone));
      [this.#sending, this.#sent] = [null, higher(this.#sent, this.#sending)];
      this.#committing = null;
      this.#refuseOlder(commit - 1, before);
      this.#head = commit;
      for (const letter of read) this.#known.delete(keyOf(letter));
      this.#lessons.placed(own, firstLesson);
      for (const partition of leaving) this.#holdings.delete(partition);
      this.#released.push(...leaving);
      if (leaving.length > 0 || this.#doing === 'idle') this.#nap.abort();
      this.#ring();
      return commit;
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
    [this.#lessons, this.#isTaught, this.#doing] = [new LessonOrder(), false, 'busy'];
    // Links that an earlier frontier of this session read and did not commit are still in the inbox.
    this.#read = [];
    this.#known.clear();
    this.#head = Math.max(this.#head, ...crawl.frontier.heads.values());
    for (const [partition, holding] of this.#holdings) this.#holdings.set(partition, { ...holding, state: 'taken' });
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

  /** A database with a full disk may still answer looks, and store nothing. @param gone null: the attempt succeeded */
  tried(what: 'look' | 'commit' | 'claim', gone: Error | null): void {
    const before = this.#troubles.size;
    if (gone === null) this.#troubles.delete(what);
    else this.#troubles.set(what, gone.message);
    if (before === 0 && gone !== null) this.#events.onGone(gone.message);
    if (before > 0 && this.#troubles.size === 0) this.#events.onGone(null);
  }

  #look(): Promise<void> {
    const look = this.#looking.then(() => this.#lookNow(this.#crawl));
    this.#looking = look.catch(() => undefined);
    return look;
  }

  /** One look at the crawl, and all that follows from it. @param crawl null: this worker only keeps its partitions */
  async #lookNow(crawl: SessionCrawl | null): Promise<void> {
    const released = [...this.#released];
    if (released.length > 0) await this.#worker.release(released);
    this.#released = this.#released.filter((partition) => !released.includes(partition));
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
  async #renew(crawl: SessionCrawl | null, takes: boolean): Promise<Tended> {
    const [at, date] = [this.#clock.now(), dateOf(this.#clock)];
    const before = this.#head;
    const tended = await this.#tended(crawl, takes);
    this.#refuseOlder(tended.commits, before);
    if (tended.state === 'stopping') this.#events.onStop();
    [this.#until, this.#untilDate] = [at + this.#worker.lease - MARGIN, date + this.#worker.lease - MARGIN];
    this.#compare(tended, at);
    this.#renewedAt = at;
    return tended;
  }

  async #tended(crawl: SessionCrawl | null, takes: boolean): Promise<Tended> {
    const inFlight = crawl?.busyHosts().length ?? 0;
    const isIdle = crawl?.frontier.anyWaiting === false && inFlight === 0 && crawl.frontier.isLogged && this.#read.length === 0;
    const best = crawl?.frontier.best(MOST_PATIENCE) ?? null;
    // Without visits the loop asks for no URL, and cannot know when it is no longer outbid. Before the first look there are no URLs yet.
    const wants = this.#last === null || (best !== null && !(this.#doing === 'outbid' && isOutbid(best, this.elsewhere)));
    const started = this.#visits + inFlight;
    const claimed = wants ? Math.min(this.#last?.granted ?? 0, started + STARTED_MEANWHILE) : started;
    // Also while the answer is lost: the others may have been given the rest.
    this.#mostClaimed = claimed;
    [this.#sent, this.#asked] = [null, this.#sent];
    const outlook = { best: higher(best, this.#onTheWay), wants, patience: MOST_PATIENCE };
    this.#last = await this.#worker.tend(claimed, this.#maxVisits, isIdle, takes, outlook);
    this.#asked = null;
    this.#mostClaimed = Number.POSITIVE_INFINITY;
    return this.#last;
  }

  /**
   * @param before the last commit that was known before the database was asked
   * @throws StoreError if the database has fewer: an older copy was restored, or a replica that lagged took over
   */
  #refuseOlder(commits: number, before: number): void {
    if (commits < before) throw olderLogError(this.#worker.crawl.name, commits, before);
  }

  /** @throws FencedError if another worker took over a partition of this one */
  #compare({ held }: Tended, at: EpochMs): void {
    const epochs = new Map(held.map(([partition, epoch]) => [partition, epoch]));
    for (const [partition, { epoch }] of this.#holdings)
      if (epochs.get(partition) !== epoch)
        throw new FencedError(`${this.#worker.crawl.name}: another worker took over partition ${partition}`);
    for (const [partition, epoch, rest] of held)
      if (!this.#holdings.has(partition) && !this.#released.includes(partition))
        this.#holdings.set(partition, { epoch, state: 'taken', restedBy: at + rest });
  }

  /** Reads the logs of new partitions, then lets their hosts be asked. A long log takes longer than a lease, so leases are renewed meanwhile. */
  async #takeOver(crawl: SessionCrawl): Promise<void> {
    const { frontier } = crawl;
    const taken = [...this.#holdings].flatMap(([partition, { state }]) => (state === 'taken' ? [partition] : []));
    if (taken.length === 0) return;
    for await (const { entries, upTo, models } of this.#worker.entriesAfter(frontier.heads, taken)) {
      if (models < this.#models) this.#events.onOlderModel();
      frontier.take(
        entries,
        taken.map((partition) => [partition, upTo]),
      );
      if (!this.#isTaught) await crawl.commit();
      else crawl.added();
      if (this.#clock.now() - this.#renewedAt >= TEND_EVERY) await this.#renew(crawl, false);
    }
    for (const partition of taken) {
      const holding = this.#holdings.get(partition);
      if (holding) this.#holdings.set(partition, { ...holding, state: 'open' });
    }
    this.#shareChanged(frontier);
  }

  /** Another worker is to have some of the partitions of this one. */
  #giveUp(quota: number, { frontier, added }: SessionCrawl): void {
    const excess = this.#open.slice(quota);
    for (const partition of excess) {
      const holding = this.#holdings.get(partition);
      if (holding) this.#holdings.set(partition, { ...holding, state: 'leaving' });
    }
    if (excess.length > 0) this.#shareChanged(frontier);
    if ([...this.#holdings.values()].some(({ state }) => state === 'leaving')) added();
  }

  #shareChanged(frontier: LoggedFrontier): void {
    frontier.shareChanged((host) => this.#holdings.get(this.#partitionOf(host))?.restedBy ?? 0);
  }

  /** Partitions that leave and have no request in flight: the next commit has all of them. */
  #quietLeaving(): number[] {
    const busy = new Set(this.#crawl?.busyHosts().map(this.#partitionOf));
    return [...this.#holdings].flatMap(([partition, { state }]) => (state === 'leaving' && !busy.has(partition) ? [partition] : []));
  }

  async #readLetters({ frontier, added }: SessionCrawl): Promise<void> {
    if (this.#open.length === 0) return;
    const letters = await this.#worker.letters(this.#open);
    const fresh = letters.filter((letter) => !this.#known.has(keyOf(letter)) && this.#holdings.get(letter.partition)?.state === 'open');
    for (const letter of fresh) {
      this.#known.add(keyOf(letter));
      this.#read.push(letter);
      for (const discovery of unpackPassedOn(letter.body)) frontier.add(discovery);
    }
    if (fresh.length > 0) added();
  }

  get #open(): number[] {
    return [...this.#holdings].flatMap(([partition, { state }]) => (state === 'open' ? [partition] : []));
  }

  #tellShare({ live }: Tended): void {
    const share = { live, held: this.#open.length, of: this.#worker.crawl.partitions };
    const shown = JSON.stringify(share);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#events.onShare(share);
  }
}

/** For a database that lacks commits which a view of its log has. */
export function olderLogError(crawl: string, commits: number, known: number): StoreError {
  return new StoreError(
    'STORE_CORRUPT',
    `${crawl}: the database has ${commits} commits of the crawl, and ${known} were made: it is an older copy; restore a later one, or continue from it in new directories, and keep the former ones for their pages`,
  );
}

function keyOf({ partition, commit, place }: Letter): string {
  return `${partition} ${commit} ${place}`;
}
