import { InvariantError } from '../core/errors.ts';
import type { Clock, CorpusOffsets, Frontier, FrontierCounts, Settlement } from '../core/parts.ts';
import type {
  CanonicalUrl,
  DiscoveredLink,
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
  RefusalReason,
} from '../core/types.ts';
import { EntryReader } from './entry-reader.ts';
import { afterRest, type HostState, HostTable } from './hosts.ts';
import { LmdbStore } from './lmdb-store.ts';
import { MemoryStore } from './memory-store.ts';
import { type Politeness, PoliteQueue } from './polite-queue.ts';
import type { FrontierStore, StoredFate } from './store.ts';
import { TrapGuard, tracesOf } from './trap-guard.ts';
import { type Slot, UrlTable } from './url-table.ts';
import { Waiting } from './waiting.ts';

export interface FrontierOptions extends Politeness {
  readonly clock: Clock;
  /** Rest of a host between the end of one request and the start of the next. */
  readonly delay: Ms;
  /** Which of two URLs of equal priority goes first: the one discovered earlier (default), or later (depth-first). */
  readonly tie?: 'oldest' | 'newest';
  /** Are patterns of URLs parked whose pages come out off topic for long (see `Parking`)? Default false. */
  readonly traps?: boolean;
}

/** A frontier that ends with its process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  return new StoredFrontier(new MemoryStore(), options);
}

/**
 * A frontier in an LMDB directory, as its last commit left it.
 * @param judgedBy the model that `rejudgeFrontier` was last called with, to see pages and links as it does; null for as they were stored
 * @throws StoreError
 */
export function openLmdbFrontier(path: string, options: FrontierOptions, judgedBy: string | null = null): Frontier {
  return new StoredFrontier(LmdbStore.open(path, judgedBy), options);
}

/** Refusals that another sighting can lift: they are of the way here, not of the URL. */
const OF_THE_WAY: ReadonlySet<RefusalReason | null> = new Set(['max-depth', 'tunnel']);

/** Above this share of what waits, building the queues anew costs less than moving single URLs. */
const REBUILD_SHARE = 0.2;

/** The frontier: columns and heaps in memory, strings and fates in a store. See `Frontier` for the contract. */
class StoredFrontier implements Frontier {
  readonly #store: FrontierStore;
  readonly #clock: Clock;
  readonly #floor: Ms;
  readonly #maxPagesPerHost: number;
  readonly #urls = new UrlTable();
  readonly #hosts: HostTable;
  readonly #queue: PoliteQueue;
  readonly #waiting: Waiting;
  readonly #reader: EntryReader;
  /** null where nothing is parked by its pattern. */
  readonly #guard: TrapGuard | null;
  readonly #leases = new Map<LeaseId, Slot>();
  #discoveries = 0;
  #order = 0;
  #visited = 0;
  #leaseCount = 0;

  constructor(store: FrontierStore, options: FrontierOptions) {
    const tie = options.tie ?? 'oldest';
    this.#store = store;
    this.#clock = options.clock;
    this.#floor = options.delay;
    this.#maxPagesPerHost = options.maxPagesPerHost;
    this.#hosts = new HostTable(options.delay, tie);
    this.#queue = new PoliteQueue(this.#urls, this.#hosts, options, tie);
    this.#waiting = new Waiting(this.#urls, this.#hosts, this.#queue);
    this.#reader = new EntryReader(this.#urls, store);
    this.#guard = options.traps ? new TrapGuard((url) => this.#reader.settledAt(url)) : null;
    this.#replay();
  }

  add(discovery: Discovery): { readonly added: number; readonly seen: number } {
    const before = this.#urls.size;
    this.#discover(discovery);
    const added = this.#urls.size - before;
    return { added, seen: discovery.links.length - added };
  }

  /** @returns the URLs that were not known, and are no concern of a rule of the user's. */
  #discover(discovery: Discovery): CanonicalUrl[] {
    const now = this.#clock.now();
    const kept: DiscoveredLink[] = [];
    const fresh: CanonicalUrl[] = [];
    const shorterWayOnly: number[] = [];
    for (const link of discovery.links) {
      const known = this.#urls.size;
      const change = this.#sight(link, discovery, kept.length, now);
      if (this.#urls.size > known && isFollowable(link)) fresh.push(link.url);
      if (change === 'none') continue;
      if (change === 'way') shorterWayOnly.push(kept.length);
      kept.push(link);
    }
    if (kept.length > 0) this.#store.appendDiscovery(this.#discoveries++, { ...discovery, links: kept, shorterWayOnly });
    return fresh;
  }

  wants(url: CanonicalUrl): boolean {
    const slot = this.#urls.find(url);
    if (slot < 0) return true;
    const state = this.#urls.state(slot);
    return state === 'queued' || (state === 'refused' && OF_THE_WAY.has(this.#urls.refusal(slot)));
  }

  next(): NextLease {
    for (;;) {
      const now = this.#clock.now();
      const taken = this.#queue.take(now);
      if ('until' in taken) return this.#waiting.any ? { kind: 'wait', until: taken.until } : { kind: 'drained' };
      const { slot } = taken;
      const entry = this.#reader.entry(slot);
      if (this.#whyParked(slot, entry) === null) return this.#lease(slot, entry);
      this.#waiting.setAside(slot);
      this.#queue.place(this.#hostOf(slot), now);
    }
  }

  #lease(slot: Slot, entry: FrontierEntry): NextLease {
    const host = this.#hostOf(slot);
    host.leased = true;
    this.#waiting.count(host, -1);
    this.#urls.setState(slot, 'leased');
    const id = ++this.#leaseCount as LeaseId;
    this.#leases.set(id, slot);
    return { kind: 'lease', lease: { id, entry } };
  }

  settle(lease: Lease, settlement: Settlement): void {
    const slot = this.#leases.get(lease.id);
    if (slot === undefined) throw new InvariantError(`frontier: ${lease.entry.url} was settled twice, or never leased`);
    this.#leases.delete(lease.id);
    const now = this.#clock.now();
    const host = this.#hostOf(slot);
    host.leased = false;
    if (settlement.hostRest !== null) host.restUntil = afterRest(now, host.delay + settlement.hostRest);
    if (settlement.kind === 'done') this.#finish(slot, host, settlement, lease.entry);
    else this.#putBack(slot, host, settlement, now);
    this.#queue.place(host, now);
  }

  unpark(pattern: string): readonly string[] {
    const letGo = this.#guard?.unpark(pattern) ?? [];
    if (letGo.length === 0) return letGo;
    this.#store.putUnparking({ settled: this.#order, pattern });
    this.#readmitAll();
    return letGo;
  }

  setHostDelay(host: HostKey, delay: Ms): void {
    this.#hosts.get(host).delay = Math.max(this.#floor, delay);
  }

  rescore(
    priority: (entries: readonly FrontierEntry[]) => Float32Array,
    learnedFrom: number,
    limit: number,
    foundBefore = learnedFrom,
  ): number {
    const changed: Slot[] = [];
    for (let index = this.#discoveries - 1; index >= 0 && changed.length < limit; index--)
      if (this.#waiting.anyBy(index) && this.#store.discovery(index).learnedFrom < foundBefore)
        for (const slot of this.#rescoreDiscovery(index, priority, learnedFrom)) changed.push(slot);
    if (changed.length > REBUILD_SHARE * this.#urls.countOf('queued')) this.#queue.rebuild(this.#clock.now());
    else this.#queue.reorder(changed, this.#clock.now());
    return changed.length;
  }

  counts(): FrontierCounts {
    const of = (state: Parameters<UrlTable['countOf']>[0]) => this.#urls.countOf(state);
    return {
      discovered: this.#urls.size,
      queued: of('queued'),
      parked: this.#waiting.parked,
      leased: of('leased'),
      fetched: of('fetched'),
      kept: of('kept'),
      offTopic: of('off-topic'),
      duplicate: of('duplicate'),
      refused: of('refused'),
      failed: of('failed'),
      visited: this.#visited,
      hosts: this.#hosts.size,
    };
  }

  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    return this.#store.commit(offsets, after);
  }

  committedOffsets(): CorpusOffsets {
    return this.#store.offsets();
  }

  *ledger(): Generator<LedgerLine> {
    for (let slot = 0; slot < this.#urls.size; slot++) yield this.#lineOf(slot);
  }

  find(url: CanonicalUrl): ReturnType<Frontier['find']> {
    const slot = this.#urls.find(url);
    if (slot < 0) return null;
    const stored = this.#store.fate(slot);
    const fate = stored && { ...stored.fate, page: this.#store.page(slot) };
    const reopened = this.#store.reopened(slot) !== null || stored?.reopened === true;
    return { line: this.#lineOf(slot), entry: this.#reader.asLeased(slot, this.#reader.ended(slot)), fate, reopened };
  }

  *settled(): Generator<{ readonly entry: FrontierEntry; readonly fate: Fate }> {
    for (const { entry, stored } of this.#reader.settled()) yield { entry, fate: stored.fate };
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /**
   * One sighting of a URL: claim it, or improve what waits. A URL keeps the *maximum* of its priorities with the
   * edge that gave it, and the *minimum* of its depths.
   * @param position where the sighting is stored, if it changes anything.
   */
  #sight(link: DiscoveredLink, discovery: Discovery, position: number, now: EpochMs): Change {
    const { slot, isNew } = this.#urls.claim(link.url);
    const reopened = this.#urls.state(slot) === 'refused';
    const change = isNew ? this.#admit(slot, link, discovery) : this.#improve(slot, link, discovery);
    if (change === 'edge') this.#takeEdge(slot, link, discovery, position, !isNew && !reopened);
    if (change === 'none' || link.refusal !== null) return change;
    // Another way may be by an on-topic page.
    const wasAside = this.#waiting.readmit(slot);
    if (change === 'edge' || wasAside) this.#queue.offer(slot, now);
    return change;
  }

  #admit(slot: Slot, link: DiscoveredLink, discovery: Discovery): Change {
    const host = this.#hosts.get(link.host);
    this.#urls.host[slot] = host.index;
    this.#urls.depth[slot] = discovery.depth;
    this.#urls.offTopicDepth[slot] = discovery.offTopicDepth;
    this.#urls.setRefusal(slot, link.refusal);
    if (link.refusal !== null) this.#urls.setState(slot, 'refused');
    else this.#waiting.count(host, 1);
    return 'edge';
  }

  #improve(slot: Slot, link: DiscoveredLink, discovery: Discovery): Change {
    if (link.refusal !== null) return 'none';
    const reopened = this.#urls.state(slot) === 'refused' && OF_THE_WAY.has(this.#urls.refusal(slot));
    if (reopened) this.#reopen(slot);
    if (this.#urls.state(slot) !== 'queued') return 'none';
    const shorter = this.#shorten(slot, discovery);
    const better = Math.fround(link.priority) > this.#urls.priorityOf(slot) && this.#store.reopened(slot) === null;
    if (reopened || better) return 'edge';
    return shorter ? 'way' : 'none';
  }

  #reopen(slot: Slot): void {
    this.#urls.setRefusal(slot, null);
    this.#urls.setState(slot, 'queued');
    this.#waiting.count(this.#hostOf(slot), 1);
  }

  /** Take the shorter of two ways here. @returns whether it is shorter. */
  #shorten(slot: Slot, { depth, offTopicDepth }: Discovery): boolean {
    const { depth: depths, offTopicDepth: offTopicDepths } = this.#urls;
    const shorter = depth < (depths[slot] ?? 0) || offTopicDepth < (offTopicDepths[slot] ?? 0);
    depths[slot] = Math.min(depths[slot] ?? 0, depth);
    offTopicDepths[slot] = Math.min(offTopicDepths[slot] ?? 0, offTopicDepth);
    return shorter;
  }

  /** @param waited whether the URL waited already, by an edge that now gives way. */
  #takeEdge(slot: Slot, link: DiscoveredLink, discovery: Discovery, position: number, waited: boolean): void {
    if (waited) this.#waiting.countEdge(slot, -1);
    this.#urls.priority[slot] = link.priority;
    this.#urls.learnedFrom[slot] = discovery.learnedFrom;
    this.#urls.discovery[slot] = this.#discoveries;
    this.#urls.position[slot] = position;
    if (link.refusal === null) this.#waiting.countEdge(slot, 1);
  }

  #finish(slot: Slot, host: HostState, { fate, discovered }: Settlement & { kind: 'done' }, entry: FrontierEntry): void {
    this.#waiting.countEdge(slot, -1);
    this.#mark(slot, host, fate);
    const fresh = discovered ? this.#discover(discovered) : [];
    const traces = this.#guard && tracesOf(entry.url, fate, fresh);
    this.#order += 1;
    const stored: StoredFate = {
      fate,
      order: this.#order,
      priority: entry.priority,
      learnedFrom: entry.edge?.learnedFrom ?? 0,
      ...(this.#store.reopened(slot) === null ? {} : { reopened: true }),
      ...(traces && { traces }),
    };
    this.#store.putFate(slot, stored);
    if (this.#guard?.settled(entry, stored)) this.#readmitAll();
  }

  /** A pattern was let go. */
  #readmitAll(): void {
    this.#waiting.readmitAll();
    this.#queue.rebuild(this.#clock.now());
  }

  #lineOf(slot: Slot): LedgerLine {
    return this.#reader.line(slot, (waiting, entry) =>
      this.#queue.isFull(this.#hostOf(waiting)) ? 'max-pages-per-host' : this.#whyParked(waiting, entry),
    );
  }

  /** What is known of a reopened page is better than what is known of its pattern. */
  #whyParked(slot: Slot, entry: FrontierEntry): string | null {
    return this.#guard === null || this.#store.reopened(slot) !== null ? null : this.#guard.reasonFor(entry);
  }

  #mark(slot: Slot, host: HostState, fate: Fate): void {
    this.#urls.setState(slot, fate.state);
    if (!fate.visited) return;
    this.#visited += 1;
    host.visits += 1;
    if (host.visits === this.#maxPagesPerHost) this.#waiting.fill(host);
  }

  #putBack(slot: Slot, host: HostState, settlement: Exclude<Settlement, { kind: 'done' }>, now: EpochMs): void {
    this.#urls.setState(slot, 'queued');
    this.#waiting.count(host, 1);
    if (settlement.kind === 'released') {
      this.#queue.offer(slot, now);
      return;
    }
    const attempts = (this.#urls.attempts[slot] ?? 0) + 1;
    this.#urls.attempts[slot] = attempts;
    this.#store.putRetry(slot, { attempts, notBefore: settlement.notBefore });
    this.#queue.offerLater(slot, settlement.notBefore);
  }

  #rescoreDiscovery(index: number, priority: (entries: readonly FrontierEntry[]) => Float32Array, learnedFrom: number): Slot[] {
    const slots: Slot[] = [];
    for (const [position, link] of this.#store.discovery(index).links.entries()) {
      const slot = this.#urls.find(link.url);
      if (this.#urls.state(slot) !== 'queued') continue;
      if (this.#urls.discovery[slot] === index && this.#urls.position[slot] === position) slots.push(slot);
    }
    if (slots.length === 0) return slots;
    const fresh = priority(slots.map((slot) => this.#reader.entry(slot)));
    for (const [i, slot] of slots.entries()) {
      // What is known of a page is better than what is expected of a link.
      this.#urls.priority[slot] = this.#store.reopened(slot) ?? fresh[i] ?? 0;
      this.#urls.learnedFrom[slot] = learnedFrom;
    }
    return slots;
  }

  #hostOf(slot: Slot): HostState {
    const host = this.#hosts.at(this.#urls.host[slot] ?? 0);
    if (!host) throw new InvariantError(`frontier: URL ${slot} has no host`);
    return host;
  }

  /**
   * Bring the columns to where the store's last commit left them, by the same steps as when it was written.
   * Every host rests its delay first: the last request before a crash may have been a moment ago.
   */
  #replay(): void {
    const now = this.#clock.now();
    for (const [index, discovery] of this.#store.discoveries()) {
      this.#discoveries = index;
      const shorterWayOnly = new Set(discovery.shorterWayOnly);
      for (const [position, link] of discovery.links.entries()) this.#sightAgain(link, discovery, position, shorterWayOnly.has(position));
      this.#discoveries = index + 1;
    }
    if (this.#discoveries === 0) return;
    for (const [slot, { fate, order }] of this.#store.fates()) {
      this.#order = Math.max(this.#order, order);
      const reopened = this.#store.reopened(slot);
      if (reopened !== null) {
        this.#urls.priority[slot] = reopened;
        continue;
      }
      if (this.#urls.state(slot) === 'queued') {
        this.#waiting.count(this.#hostOf(slot), -1);
        this.#waiting.countEdge(slot, -1);
      }
      this.#mark(slot, this.#hostOf(slot), fate);
    }
    for (const [slot, { attempts, notBefore }] of this.#store.retries()) {
      this.#urls.attempts[slot] = attempts;
      if (this.#urls.state(slot) === 'queued' && notBefore > now) this.#queue.offerLater(slot, notBefore);
    }
    this.#guard?.replay(this.#reader.settled(), this.#store.unparkings());
    for (const host of this.#hosts.all()) host.restUntil = afterRest(now, host.delay);
    this.#queue.rebuild(now);
  }

  /** What a stored sighting did when it was made it does again, whatever rescoring stood between. */
  #sightAgain(link: DiscoveredLink, discovery: Discovery, position: number, shorterWayOnly: boolean): void {
    const { slot, isNew } = this.#urls.claim(link.url);
    const reopened = this.#urls.state(slot) === 'refused';
    if (isNew) this.#admit(slot, link, discovery);
    else if (reopened) this.#reopen(slot);
    if (!isNew) this.#shorten(slot, discovery);
    if (!shorterWayOnly) this.#takeEdge(slot, link, discovery, position, !isNew && !reopened);
  }
}

/** Could the crawl ever ask for it? */
function isFollowable({ refusal }: DiscoveredLink): boolean {
  return refusal === null || OF_THE_WAY.has(refusal);
}

/** What a sighting changed: the URL's edge and priority (it is new, or the sighting is better), only its depths, or nothing. */
type Change = 'edge' | 'way' | 'none';
