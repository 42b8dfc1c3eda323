import type { Clock } from '../../base/core/clock.ts';
import { InvariantError } from '../../base/core/errors.ts';
import type {
  CommitMark,
  CorpusOffsets,
  Frontier,
  FrontierCounts,
  Ledger,
  OpenLedger,
  Settlement,
} from '../../base/core/parts/queueing.ts';
import type { LearningRescorer, Rescorer } from '../../base/core/parts/scoring.ts';
import type {
  CanonicalUrl,
  Discovery,
  EpochMs,
  Fate,
  FrontierEntry,
  HostKey,
  Lease,
  LeaseId,
  LedgerLine,
  Ms,
  NextLease,
  Patience,
  RecordId,
  Unit,
} from '../../base/core/types.ts';
import { directoryOf } from '../../base/web/url.ts';
import { EntryReader } from './entry-reader.ts';
import { Exploration, type ExplorationOptions } from './exploration.ts';
import { ForeignLinks } from './foreign-links.ts';
import type { FrontierLog, LogMark } from './frontier-log.ts';
import { HeapRooms } from './heap.ts';
import { type Delays, HostClocks } from './host-clocks.ts';
import { HostGroups } from './host-groups.ts';
import { type HostHealth, readmitted } from './host-health.ts';
import { type HostState, HostTable } from './hosts.ts';
import { undecodable } from './lmdb-file.ts';
import { LmdbStore } from './lmdb-store.ts';
import type { LogEntry } from './log-entry.ts';
import { LoggedStore } from './logged-store.ts';
import { MemoryStore } from './memory-store.ts';
import { type Politeness, PoliteQueue } from './polite-queue.ts';
import { checkpointOf, type FrontierParts, replay, visitsBefore } from './replay.ts';
import { type Rescored, Rescoring } from './rescoring.ts';
import { afterRest } from './rest.ts';
import { Revisits } from './revisits.ts';
import { isOfTheWay, Sightings } from './sightings.ts';
import type { FrontierStore, StoredFate } from './store.ts';
import { takeEntries } from './takeover.ts';
import { TrapGuard } from './trap-guard.ts';
import { type Slot, UrlTable } from './url-table.ts';
import { VisitPlaces } from './visit-places.ts';
import { WaitingCounts } from './waiting.ts';

export interface FrontierOptions extends Politeness, Delays {
  readonly clock: Clock;
  /** Order of two URLs of equal priority: first the one discovered earlier (default), or the one discovered later (depth-first). */
  readonly tie?: 'oldest' | 'newest';
  /** Parks patterns of URLs whose pages have long been off topic (see `Parking`). Default: false. */
  readonly traps?: boolean;
  /** Visits that are drawn from all waiting URLs, instead of by priority. Default: none. */
  readonly explore?: ExplorationOptions;
  /** Id of its crawl: the database of another crawl is refused. Default: any. */
  readonly crawl?: string;
  /** Number of URLs from which a checkpoint is written at the end. Default: `CHECKPOINT_FROM`. */
  readonly checkpointFrom?: number;
}

/** A frontier that lives only as long as its process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  return new StoredFrontier(new MemoryStore(), options);
}

/**
 * Opens the frontier of an LMDB directory in the state of its last commit.
 * @param judgedBy the model of the last `rejudgeFrontier`, to use its judgements of pages and links; null for the stored ones
 * @param use `read`: nothing is committed, and nothing is written to the directory unless the database needs repair
 * @throws StoreError
 */
export function openLmdbFrontier(
  path: string,
  options: FrontierOptions,
  judgedBy: string | null = null,
  use: 'read' | 'write' = 'write',
): Frontier {
  const store = LmdbStore.open(path, judgedBy, options.crawl ?? null, use);
  try {
    return new StoredFrontier(store, options, use);
  } catch (error) {
    void store.close();
    // The frontier is built only from the store.
    throw undecodable(path, error);
  }
}

/** The part of a crawl that a frontier has: the partitions of hosts that it holds now. It changes while the frontier is open. */
export interface HostShare {
  /** Does another process ask this host? */
  isAway(host: HostKey): boolean;
  /** The partitions whose hosts this process asks. */
  held(): Iterable<number>;
}

/** A frontier whose truth is a log that others write too. It takes their steps when it takes over a partition. */
export interface LoggedFrontier extends Frontier {
  /** The number of the last commit that this view has, by partition. */
  readonly heads: ReadonlyMap<number, number>;
  /** The last commit of the log that this view knows by its id; null for none. */
  readonly logged: LogMark | null;
  /**
   * Repeats steps of partitions that are away, from their log. Durable in the view with the next commit.
   * @param heads by partition, the number of the commit up to which these steps go
   * @param mark a commit of the log that the view knows from now on. Default: none
   * @throws InvariantError for steps that are not the next ones
   */
  take(entries: Iterable<LogEntry>, heads: Iterable<readonly [partition: number, commit: number]>, mark?: LogMark): void;
  /**
   * Call this after the held partitions changed. New hosts rest first, since their former worker may have just sent a request.
   * @param restedBy time before which a new host is not asked
   */
  shareChanged(restedBy: (host: HostKey) => EpochMs): void;
  /** Is everything that changed in the log? */
  readonly isLogged: boolean;
  /** Does a URL wait, now or until a later time? */
  readonly anyWaiting: boolean;
  /** The highest priority of a URL that may be requested within a time, or whose host is leased; null if there is none. */
  best(within: Ms): Unit | null;
  /** The highest priority of links to hosts of other workers that wait for the next commit; null without any. */
  readonly bestPassedOn: Unit | null;
}

/**
 * Opens the frontier of an LMDB directory as a view of a shared log, in the state of its last commit.
 * @param path a directory; it may be empty, as the log has everything
 * @throws StoreError
 */
export function openLoggedFrontier(
  path: string,
  options: FrontierOptions,
  judgedBy: string | null,
  log: FrontierLog,
  share: HostShare,
): LoggedFrontier {
  const view = LmdbStore.open(path, judgedBy, options.crawl ?? null);
  try {
    return new StoredFrontier(new LoggedStore(view, log, share.held), options, 'write', share);
  } catch (error) {
    void view.close();
    throw undecodable(path, error);
  }
}

/** Opens a frontier only for reading: nothing is committed, and no queue is built. @throws StoreError */
export function openLmdbLedger(path: string, options: FrontierOptions, judgedBy: string | null = null): OpenLedger {
  return openLmdbFrontier(path, options, judgedBy, 'read');
}

/** A lease that is held. */
interface HeldLease {
  readonly slot: Slot;
  readonly at: EpochMs;
  /** Are the groups of its host leased with it? */
  holdsGroups: boolean;
  /** The other host that its request asks; null if it asks its own. */
  turnedTo: HostState | null;
  /** True for a revisit of a kept page. */
  readonly again: boolean;
}

type Leased = Extract<NextLease, { kind: 'lease' }>;

/** Share of the waiting URLs above which rebuilding the queues costs less than moving single URLs. */
const REBUILD_SHARE = 0.2;

/**
 * Rescoring changes each waiting link some seven times in 6,000 pages (`npm run bench -- crawl`). Storing these changes with each commit costs 5 % of
 * a crawl. A busy crawl commits four times a second.
 */
const COMMITS_A_STORING = 64;

/** A replay of so many URLs takes a tenth of a second. */
const CHECKPOINT_FROM = 20_000;

/** The frontier: columns and heaps in memory, strings and fates in a store. See `Frontier` for the contract. */
class StoredFrontier implements LoggedFrontier {
  readonly #parts: FrontierParts;
  readonly #checkpointFrom: number;
  readonly #store: FrontierStore;
  /** null for a frontier without a shared log. */
  readonly #logged: LoggedStore | null;
  readonly #use: 'read' | 'write';
  readonly #clock: Clock;
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #clocks: HostClocks;
  readonly #queue: PoliteQueue;
  readonly #waiting: WaitingCounts;
  readonly #reader: EntryReader;
  readonly #sightings: Sightings;
  readonly #rescoring: Rescoring;
  readonly #revisits: Revisits;
  readonly #places: VisitPlaces;
  /** null if no pattern is ever parked. */
  readonly #guard: TrapGuard | null;
  /** null if all visits are by priority. */
  readonly #exploration: Exploration | null;
  readonly #leases = new Map<LeaseId, HeldLease>();
  #order: number;
  /** Number of settled URLs that were requested. */
  #visited = 0;
  #earlierVisits: number;
  #reopened: number;
  #leaseCount = 0;
  /** Commits since priorities were last written to the store. */
  #commitsSince = 0;

  /** @param use `read`: nothing is ever leased, so no queue is built */
  constructor(store: FrontierStore, options: FrontierOptions, use: 'read' | 'write' = 'write', share: HostShare | null = null) {
    const tie = options.tie ?? 'oldest';
    const urls = new UrlTable();
    const rooms = new HeapRooms('priorities');
    const logged = store instanceof LoggedStore ? store : null;
    const hosts = new HostTable(options.delay, tie, rooms, share?.isAway);
    const groups = new HostGroups(tie, rooms);
    const queue = new PoliteQueue(urls, hosts, groups, options, tie, rooms);
    const waiting = new WaitingCounts(urls, hosts, queue);
    const reader = new EntryReader(urls, store);
    const foreign = logged && new ForeignLinks((discovery) => logged.passOn(discovery));
    const sightings = new Sightings(urls, hosts, waiting, queue, store, foreign);
    const guard = options.traps ? new TrapGuard((url) => reader.settledAt(url)) : null;
    const parts: FrontierParts = { store, urls, hosts, queue, waiting, reader, sightings, guard };
    logged?.nameBy({
      urlOf: (slot) => {
        const { url, host } = reader.entry(slot);
        return { url, host };
      },
      hostOf: (index) => hosts.known(index).key,
    });
    this.#logged = logged;
    this.#parts = parts;
    this.#checkpointFrom = options.checkpointFrom ?? CHECKPOINT_FROM;
    [this.#store, this.#urls, this.#hosts, this.#queue] = [store, urls, hosts, queue];
    [this.#waiting, this.#reader, this.#sightings, this.#guard] = [waiting, reader, sightings, guard];
    this.#clock = options.clock;
    this.#use = use;
    this.#clocks = new HostClocks(options, groups);
    this.#rescoring = new Rescoring(urls, store, reader);
    this.#revisits = new Revisits(parts);
    this.#places = new VisitPlaces(store, reader);
    this.#exploration = options.explore ? new Exploration(options.explore) : null;
    const replayed = replay(parts, this.#clock.now(), use, (slot, host, fate) => this.#mark(slot, host, fate));
    this.#order = replayed.settled;
    this.#visited = replayed.visited;
    this.#earlierVisits = replayed.earlierVisits;
    this.#reopened = replayed.reopened;
  }

  add(discovery: Discovery): { readonly added: number; readonly seen: number } {
    const before = this.#urls.size;
    this.#sightings.add(discovery, this.#clock.now());
    const added = this.#urls.size - before;
    return { added, seen: discovery.links.length - added };
  }

  wants(url: CanonicalUrl): boolean {
    const slot = this.#urls.find(url);
    if (slot < 0) return true;
    const state = this.#urls.state(slot);
    return state === 'waiting' || (state === 'refused' && isOfTheWay(this.#urls.refusal(slot)));
  }

  next(what: 'all' | 'revisits' = 'all', patience?: Patience): NextLease {
    for (;;) {
      const now = this.#clock.now();
      const only = what === 'revisits';
      // Due pages come before all waiting URLs.
      const drawn = only || this.due > 0 ? null : this.#draw(now);
      if (drawn) return this.#lease(drawn.slot, drawn.entry);
      const taken = this.#queue.take(now, only ? 'revisit' : null, patience);
      if ('until' in taken) return (only ? this.due > 0 : this.#waiting.any) ? { kind: 'wait', ...taken } : { kind: 'drained' };
      const { slot } = taken;
      if (this.#revisits.isDue(slot)) return this.#hold(slot, this.#revisits.take(slot), true);
      const entry = this.#reader.entry(slot);
      if (this.#whyParked(slot, entry) === null) return this.#lease(slot, entry);
      this.#waiting.exclude(slot);
      this.#queue.place(this.#hostOf(slot), now);
    }
  }

  lease(url: CanonicalUrl, only: 'waiting' | 'kept' = 'waiting'): Lease | null {
    const slot = this.#urls.find(url);
    if (slot < 0 || this.#urls.state(slot) !== only) return null;
    if (only === 'kept') return this.#hold(slot, this.#revisits.takeAtOnce(slot, this.#clock.now()), true).lease;
    this.#waiting.readmit(slot);
    return this.#lease(slot, this.#reader.entry(slot)).lease;
  }

  /** A URL for a random visit, if it is time for one. */
  #draw(now: EpochMs): { readonly slot: Slot; readonly entry: FrontierEntry } | null {
    const drawn = this.#exploration?.draw(this.#order + this.#leases.size - this.#revisits.held, {
      size: this.#urls.size,
      isFree: (slot) => this.#queue.isFree(slot, now) && this.#whyParked(slot, this.#reader.entry(slot)) === null,
      directoryOf: (slot) => directoryOf(this.#reader.entry(slot).url),
    });
    if (!drawn) return null;
    const { slot, warmUp } = drawn;
    return { slot, entry: { ...this.#reader.entry(slot), ...(warmUp ? { warmUp } : { explored: true }) } };
  }

  #lease(slot: Slot, entry: FrontierEntry): Leased {
    this.#waiting.count(this.#hostOf(slot), -1);
    this.#urls.lease(slot);
    return this.#hold(slot, entry, false);
  }

  #hold(slot: Slot, entry: FrontierEntry, again: boolean): Leased {
    const host = this.#hostOf(slot);
    const at = this.#clock.now();
    this.#clocks.hold(host);
    this.#queue.hold(host, at);
    const id = ++this.#leaseCount as LeaseId;
    this.#leases.set(id, { slot, at, holdsGroups: true, turnedTo: null, again });
    return { kind: 'lease', lease: { id, entry, joined: host.joined } };
  }

  get due(): number {
    return this.#waiting.due;
  }

  revisit(before: EpochMs): readonly RecordId[] {
    return this.#revisits.begin(before, this.#clock.now());
  }

  revisits(): ReturnType<Ledger['revisits']> {
    return this.#revisits.all();
  }

  join(lease: Lease, keys: readonly string[]): boolean {
    const held = this.#heldBy(lease);
    held.holdsGroups = this.#clocks.join(this.#hostOf(held.slot), keys, this.#clock.now());
    return held.holdsGroups;
  }

  turnTo(lease: Lease, key: HostKey, groups: readonly string[] | null): boolean {
    const held = this.#heldBy(lease);
    const [host, asked, now] = [this.#hostOf(held.slot), this.#hosts.guest(key), this.#clock.now()];
    if (asked.health.givenUp) {
      // Its rules are at a host that is given up: so is it, for this run.
      this.#changeHealth(host, () => {
        host.health = { ...host.health, givenUp: true };
      });
      return false;
    }
    if (groups !== null && !asked.joined && !asked.leased) this.#clocks.introduce(asked, groups);
    const turn = this.#clocks.turnOf(asked, host, now);
    if (turn !== null) {
      host.restUntil = Math.max(host.restUntil, turn);
      return false;
    }
    this.#clocks.hold(asked);
    this.#queue.hold(asked, now);
    held.turnedTo = asked;
    return true;
  }

  settle(lease: Lease, settlement: Settlement): void {
    const { slot, at, holdsGroups, turnedTo, again } = this.#heldBy(lease);
    this.#leases.delete(lease.id);
    const now = this.#clock.now();
    const host = this.#hostOf(slot);
    const report = settlement.host;
    if (turnedTo) this.#changeHealth(turnedTo, () => this.#clocks.release(turnedTo, report, true, at, now));
    this.#changeHealth(host, () => this.#clocks.release(host, turnedTo ? null : report, holdsGroups, at, now));
    if (again) this.#revisits.end(slot, settlement, now);
    else if (settlement.kind === 'done') this.#finish(slot, host, settlement, lease.entry);
    else this.#putBack(slot, host, settlement, now);
    for (const released of turnedTo ? [host, turnedTo] : [host]) {
      this.#queue.place(released, now);
      this.#clocks.released(released);
    }
  }

  get heads(): ReadonlyMap<number, number> {
    return this.#logged?.view.heads ?? new Map();
  }

  get logged(): LogMark | null {
    return this.#logged?.view.logged ?? null;
  }

  take(entries: Iterable<LogEntry>, heads: Iterable<readonly [partition: number, commit: number]>, mark?: LogMark): void {
    const { view } = this.#logged ?? {};
    if (view === undefined) throw new InvariantError('frontier: it has no shared log to take steps from');
    const settled = {
      next: () => ++this.#order,
      mark: (slot: Slot, host: HostState, fate: Fate) => this.#mark(slot, host, fate),
      reopened: (host: HostState, by: 1 | -1) => this.#countReopened(host, by),
    };
    takeEntries(entries, this.#parts, view, settled, this.#clock.now());
    for (const [partition, commit] of heads) view.noteHead(partition, commit);
    if (mark) view.noteLogged(mark);
  }

  get isLogged(): boolean {
    return this.#logged?.isLogged ?? true;
  }

  shareChanged(restedBy: (host: HostKey) => EpochMs): void {
    const now = this.#clock.now();
    for (const host of this.#hosts.all()) {
      const away = this.#hosts.isAway(host.key);
      if (away === host.away) continue;
      this.#waiting.change(host, () => {
        host.away = away;
      });
      if (!away) host.restUntil = Math.max(host.restUntil, restedBy(host.key), afterRest(now, host.delay));
    }
    this.#queue.rebuild(now);
  }

  get anyWaiting(): boolean {
    return this.#waiting.any;
  }

  get bestPassedOn(): Unit | null {
    return this.#logged?.bestPassedOn ?? null;
  }

  best(within: Ms): Unit | null {
    return this.#queue.best(this.#clock.now(), within);
  }

  unpark(pattern: string): readonly string[] {
    const released = this.#guard?.unpark(pattern) ?? [];
    if (released.length === 0) return released;
    this.#store.putUnparking({ settled: this.#order, pattern });
    this.#readmitAll();
    return released;
  }

  setHostDelay(host: HostKey, delay: Ms): void {
    this.#clocks.setCrawlDelay(this.#hosts.guest(host), delay);
  }

  readmitHosts(): number {
    const givenUp = this.#hosts.all().filter(({ health }) => health.givenUp);
    for (const host of givenUp) {
      this.#changeHealth(host, () => {
        host.health = readmitted(host.health);
      });
      this.#queue.place(host, this.#clock.now());
    }
    return givenUp.length;
  }

  rescore(scorer: Rescorer, learnedFrom: number, foundBefore = learnedFrom): number {
    const all = [...this.#rescored(scorer, () => learnedFrom, Number.POSITIVE_INFINITY, foundBefore)];
    const moved = this.#use === 'read' ? [] : all.flatMap((one) => one.moved);
    if (moved.length > REBUILD_SHARE * this.#urls.countOf('waiting')) this.#queue.rebuild(this.#clock.now());
    else this.#queue.reorder(moved, this.#clock.now());
    this.storePriorities();
    return all.reduce((sum, { scored }) => sum + scored, 0);
  }

  *rescoring(scorer: LearningRescorer, limit: number): Generator<number> {
    for (const { scored, moved } of this.#rescored(scorer, () => scorer.learnedFrom, limit)) {
      this.#queue.reorder(moved, this.#clock.now());
      yield scored;
    }
  }

  /** Rescores one discovery at a time. */
  *#rescored(scorer: Rescorer, learnedFrom: () => number, limit: number, foundBefore?: number): Generator<Rescored> {
    let left = limit;
    for (let index = this.#sightings.discoveries - 1; index >= 0 && left > 0; index--) {
      if (!this.#waiting.anyBy(index)) {
        this.#rescoring.forget(index);
        continue;
      }
      const rescored = this.#rescoring.discovery(index, scorer, learnedFrom(), foundBefore);
      left -= rescored.scored;
      yield rescored;
    }
  }

  counts(): FrontierCounts {
    const of = (state: Parameters<UrlTable['countOf']>[0]) => this.#urls.countOf(state);
    return {
      discovered: this.#urls.size,
      waiting: of('waiting'),
      queued: of('waiting'),
      parked: this.#waiting.parked,
      leased: of('leased'),
      fetched: of('fetched'),
      kept: of('kept'),
      offTopic: of('off-topic'),
      duplicate: of('duplicate'),
      refused: of('refused'),
      failed: of('failed'),
      visited: this.#visited + this.#earlierVisits,
      earlierVisits: this.#earlierVisits,
      reopened: this.#reopened,
      hosts: this.#hosts.size,
      hostsGivenUp: this.#waiting.hostsGivenUp,
    };
  }

  storePriorities(): boolean {
    this.#commitsSince = 0;
    return this.#rescoring.storePriorities();
  }

  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    this.#commitsSince += 1;
    if (this.#commitsSince >= COMMITS_A_STORING) this.storePriorities();
    return this.#store.commit(offsets, after);
  }

  get runs(): number {
    return this.#store.runs;
  }

  noteRuns(runs: number): void {
    this.#store.noteRuns(runs);
  }

  get scoredBy(): string | null {
    return this.#store.scoredBy;
  }

  noteScoredBy(modelId: string): void {
    this.#store.noteScoredBy(modelId);
  }

  lastCommit(): CommitMark | null {
    return this.#store.lastCommit();
  }

  committedOffsets(): CorpusOffsets {
    return this.lastCommit()?.offsets ?? {};
  }

  *ledger(places?: Iterable<number>): Generator<LedgerLine> {
    if (places !== undefined) for (const slot of places) yield this.#lineOf(slot);
    else for (let slot = 0; slot < this.#urls.size; slot++) yield this.#lineOf(slot);
  }

  find(url: CanonicalUrl): ReturnType<Ledger['find']> {
    const slot = this.#urls.find(url);
    if (slot < 0) return null;
    const stored = this.#store.fate(slot);
    const fate = stored && { ...stored.fate, ...this.#reader.kept(slot), page: this.#store.page(slot) };
    const ended = this.#reader.ended(slot);
    return {
      line: this.#lineOf(slot),
      entry: this.#reader.asLeased(slot, ended),
      fate,
      settled: ended?.order ?? null,
      reopened: this.#reader.reopened(slot),
    };
  }

  standing(url: CanonicalUrl): ReturnType<Ledger['standing']> {
    const slot = this.#urls.find(url);
    return slot < 0 ? null : this.#reader.standing(slot);
  }

  refusals(): ReturnType<Ledger['refusals']> {
    return this.#urls.refusals();
  }

  *fates(): Generator<Fate> {
    for (const [slot, { fate }] of this.#store.fates()) if (this.#store.reopened(slot) === null) yield fate;
  }

  *settled(): Generator<{ readonly entry: FrontierEntry; readonly fate: Fate; readonly order: number }> {
    for (const { entry, stored } of this.#reader.settled(this.#order)) yield { entry, fate: stored.fate, order: stored.order };
  }

  earlierVisits(): readonly (number | null)[] {
    // Most crawls have none: their fates need no second reading.
    if (this.#earlierVisits === 0) return [];
    const orders: (number | null)[] = [];
    for (const [slot, stored] of this.#store.fates()) {
      const { ordersBefore = [] } = stored;
      for (let i = ordersBefore.length; i < visitsBefore(stored); i++) orders.push(null);
      orders.push(...ordersBefore, ...(this.#store.reopened(slot) === null ? [] : [stored.order]));
    }
    // As in `settled`: another process may have settled more since this one opened the store.
    return orders.filter((order) => order === null || order <= this.#order).sort((a, b) => (a ?? 0) - (b ?? 0));
  }

  /** Writes a checkpoint of a large frontier, if nothing is leased and everything is committed. */
  close(): Promise<void> {
    const isAtRest = this.#leases.size === 0 && !this.#rescoring.hasUnstored && this.#urls.size >= this.#checkpointFrom;
    const facts = { settled: this.#order, visited: this.#visited, earlierVisits: this.#earlierVisits, reopened: this.#reopened };
    return this.#store.close(() => (isAtRest ? checkpointOf(this.#parts, facts) : null));
  }

  #finish(slot: Slot, host: HostState, { fate, discovered }: Settlement & { kind: 'done' }, entry: FrontierEntry): void {
    this.#waiting.countEdge(slot, -1);
    this.#mark(slot, host, fate);
    const fresh = discovered ? this.#sightings.add(discovered, this.#clock.now()) : [];
    const traces = this.#guard?.tracesOf(entry.url, fate, fresh);
    this.#order += 1;
    const before = this.#store.reopened(slot) === null ? null : this.#store.fate(slot);
    if (before) this.#countReopened(host, -1);
    const stored: StoredFate = {
      fate,
      order: this.#order,
      priority: entry.priority,
      learnedFrom: entry.edge?.learnedFrom ?? 0,
      ...(before && {
        reopened: true,
        visitsBefore: visitsBefore(before) + 1,
        ordersBefore: [...(before.ordersBefore ?? []), before.order],
      }),
      ...(traces && { traces }),
      ...(entry.explored && { explored: true }),
      ...(entry.warmUp && { warmUp: true }),
    };
    this.#store.putFate(slot, stored);
    if (this.#guard?.settled(entry, stored)) this.#readmitAll();
  }

  /** A pattern was released. */
  #readmitAll(): void {
    this.#waiting.readmitAll();
    this.#queue.rebuild(this.#clock.now());
  }

  #lineOf(slot: Slot): LedgerLine {
    return this.#reader.line(
      slot,
      (waiting, entry) => this.#reasonSkipped(this.#hostOf(waiting)) ?? this.#whyParked(waiting, entry),
      (ended, stored) => this.#places.of(ended, stored, this.#order),
    );
  }

  #reasonSkipped(host: HostState): string | null {
    if (host.away) return null;
    if (this.#queue.isFull(host)) return 'max-pages-per-host';
    return host.health.givenUp ? 'host-unreachable' : null;
  }

  /** The known relevance of a reopened page is better than the evidence about its pattern. */
  #whyParked(slot: Slot, entry: FrontierEntry): string | null {
    return this.#guard === null || this.#store.reopened(slot) !== null ? null : this.#guard.reasonFor(entry);
  }

  #mark(slot: Slot, host: HostState, fate: Fate): void {
    this.#urls.end(slot, fate.state);
    if (!fate.visited) return;
    this.#visited += 1;
    if (fate.state !== 'failed') host.gave = true;
    this.#waiting.change(host, () => {
      host.visits += 1;
    });
  }

  /** A visited URL waits for another visit (1), or had that visit (-1): its former visit stays an earlier one. */
  #countReopened(host: HostState, by: 1 | -1): void {
    this.#reopened += by;
    if (by < 0) return;
    this.#visited -= 1;
    this.#earlierVisits += 1;
    this.#waiting.change(host, () => {
      host.visits -= 1;
    });
  }

  /** @throws InvariantError for a lease that was settled before */
  #heldBy({ id, entry }: Lease): HeldLease {
    const held = this.#leases.get(id);
    if (held === undefined) throw new InvariantError(`frontier: ${entry.url} was settled twice, or never leased`);
    return held;
  }

  /** Does something that may change the health of a host. */
  #changeHealth(host: HostState, how: () => void): void {
    const before: HostHealth = host.health;
    this.#waiting.change(host, how);
    if (host.health !== before) this.#store.putHost(host.index, host.health);
  }

  #putBack(slot: Slot, host: HostState, settlement: Exclude<Settlement, { kind: 'done' }>, now: EpochMs): void {
    if (settlement.kind === 'revisited')
      throw new InvariantError(`frontier: ${host.key}: a page that is not kept was settled as revisited`);
    this.#urls.putBack(slot);
    this.#waiting.count(host, 1);
    if (settlement.kind === 'released') {
      this.#queue.offer(slot, now);
      return;
    }
    const attempts = this.#urls.attemptsOf(slot) + 1;
    this.#urls.retry(slot, attempts);
    const { notBefore, reason } = settlement;
    this.#store.putRetry(slot, { attempts, notBefore, pause: Math.max(0, notBefore - now), reason });
    this.#queue.offerLater(slot, settlement.notBefore);
  }

  #hostOf(slot: Slot): HostState {
    return this.#hosts.known(this.#urls.hostOf(slot));
  }
}
