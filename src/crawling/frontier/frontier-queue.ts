import { InvariantError } from '../../base/core/errors.ts';
import { isListed } from '../../base/core/listed-links.ts';
import type { CorpusOffsets, CrawlNotes, Frontier, Settlement } from '../../base/core/parts/queueing.ts';
import type { LearningRescorer, Rescorer } from '../../base/core/parts/scoring.ts';
import type { RefreshPlan } from '../../base/core/refresh-plan.ts';
import type {
  Alternate,
  CanonicalUrl,
  DiscoveredLink,
  Discovery,
  EpochMs,
  FrontierEntry,
  HostKey,
  Lease,
  ListKind,
  Ms,
  NextLease,
  Patience,
  RecordId,
  Unit,
} from '../../base/core/types.ts';
import { directoryOf, hostKeyOf } from '../../base/web/url.ts';
import { Exploration } from './exploration.ts';
import { FrontierLedger } from './frontier-ledger.ts';
import type { FrontierOptions, FrontierParts } from './frontier-parts.ts';
import { HostLeases } from './host-leases.ts';
import type { HostState } from './hosts.ts';
import { checkpointOf, visitsBefore } from './replay.ts';
import { Revisits } from './revisits.ts';
import { isOfTheWay } from './sightings.ts';
import type { StoredFate } from './store.ts';
import type { Slot, Way } from './url-table.ts';

/** Share of the waiting URLs above which rebuilding the queues costs less than moving single URLs. */
const REBUILD_SHARE = 0.2;

/**
 * Rescoring changes each waiting link some seven times in 6,000 pages (`npm run bench -- crawl`). Storing these changes with each commit costs 5 % of
 * a crawl. A busy crawl commits four times a second.
 */
const COMMITS_A_STORING = 64;

/** A replay of so many URLs takes a tenth of a second. */
const CHECKPOINT_FROM = 20_000;

/** The writing side of a frontier: URLs are added, leased and settled. See `Queue` and `Durable` for the contract. */
export class FrontierQueue extends FrontierLedger implements Frontier {
  readonly #checkpointFrom: number;
  protected readonly again: Revisits;
  readonly #leases: HostLeases;
  /** null if all visits are by priority. */
  readonly #exploration: Exploration | null;
  /** Commits since priorities were last written to the store. */
  #commitsSince = 0;

  constructor(parts: FrontierParts, { clock, explore, checkpointFrom = CHECKPOINT_FROM }: FrontierOptions) {
    super(parts, clock, 'write');
    this.#checkpointFrom = checkpointFrom;
    this.#leases = new HostLeases(parts, clock);
    this.again = new Revisits(parts);
    this.#exploration = explore ? new Exploration(explore) : null;
    this.#walkOn();
  }

  add(discovery: Discovery): { readonly added: number; readonly seen: number } {
    const { urls } = this.parts;
    const before = urls.size;
    this.#sight(discovery);
    const added = urls.size - before;
    return { added, seen: discovery.links.length - added };
  }

  knows(url: CanonicalUrl): boolean {
    return this.parts.urls.find(url) >= 0 || this.parts.hosts.isAway(hostKeyOf(url));
  }

  wants(url: CanonicalUrl): boolean {
    const { urls } = this.parts;
    const slot = urls.find(url);
    if (slot < 0) return true;
    const state = urls.state(slot);
    return state === 'waiting' || (state === 'refused' && isOfTheWay(urls.refusal(slot)));
  }

  alternatesOf(url: CanonicalUrl): readonly Alternate[] {
    return this.parts.sightings.stated.of(this.parts.urls.find(url));
  }

  improves(url: CanonicalUrl, priority: Unit, way: Way): boolean {
    const { store, urls } = this.parts;
    const slot = urls.find(url);
    if (slot < 0 || urls.state(slot) !== 'waiting' || this.hostOf(slot).away) return true;
    // A step of the walk is chosen from all waiting links of a page.
    if (this.#exploration?.isWarmingUp(this.settlements.last)) return true;
    return urls.isShorter(slot, way) || (urls.isLower(slot, priority) && store.reopened(slot) === null);
  }

  next(what: 'all' | 'revisits' = 'all', patience?: Patience): NextLease {
    const { queue, reader, waiting } = this.parts;
    for (;;) {
      const now = this.clock.now();
      const only = what === 'revisits';
      this.again.turn(now, !only);
      // Due pages that may be requested come before all waiting URLs.
      const drawn = only || (this.due > 0 && queue.hasReady('revisit', now)) ? null : this.#draw(now);
      if (drawn) return this.#lease(drawn.slot, drawn.entry);
      const taken = queue.take(now, only ? 'revisit' : null, patience);
      if ('until' in taken) return this.#untilNext(taken, only ? this.due > 0 : waiting.any);
      const { slot } = taken;
      if (this.again.isDue(slot)) return this.#leases.hold(slot, this.again.take(slot), true);
      const entry = reader.entry(slot);
      if (this.whyParked(slot, entry) === null) return this.#lease(slot, entry);
      waiting.exclude(slot);
      queue.place(this.hostOf(slot), now);
    }
  }

  /** @param any is there something to wait for? */
  #untilNext(taken: { readonly until: EpochMs; readonly outbid?: true }, any: boolean): NextLease {
    const { nextTurn } = this.again;
    if (any) return { kind: 'wait', ...taken, until: Math.min(taken.until, nextTurn ?? Number.POSITIVE_INFINITY) };
    return nextTurn === null ? { kind: 'drained' } : { kind: 'wait', until: nextTurn, onlyRevisits: true };
  }

  lease(url: CanonicalUrl, only: 'waiting' | 'kept' = 'waiting'): Lease | null {
    const { reader, urls, waiting } = this.parts;
    const slot = urls.find(url);
    if (slot < 0 || urls.state(slot) !== only) return null;
    if (only === 'kept') return this.#leases.hold(slot, this.again.takeAtOnce(slot, this.clock.now()), true).lease;
    waiting.readmit(slot);
    return this.#lease(slot, reader.entry(slot)).lease;
  }

  get due(): number {
    return this.parts.waiting.due;
  }

  revisit(before: EpochMs, what: 'pages' | 'all' = 'pages'): readonly RecordId[] {
    return this.again.begin(before, this.clock.now(), what);
  }

  refresh(plan: RefreshPlan): void {
    this.again.refresh(plan, this.clock);
  }

  hint(url: CanonicalUrl, changedAt: EpochMs, source: ListKind): void {
    this.again.hint(url, changedAt, source);
  }

  join(lease: Lease, keys: readonly string[]): boolean {
    return this.#leases.join(lease, keys);
  }

  turnTo(lease: Lease, host: HostKey, groups: readonly string[] | null): boolean {
    return this.#leases.turnTo(lease, host, groups);
  }

  settle(lease: Lease, settlement: Settlement): void {
    const now = this.clock.now();
    const ended = this.#leases.end(lease, settlement.host, now);
    const { slot, host, again } = ended;
    if (again) this.again.end(slot, settlement, lease.entry, now);
    else if (settlement.kind === 'done') this.#finish(slot, host, settlement, lease.entry);
    else this.#putBack(slot, host, settlement, lease.entry, now);
    this.#leases.place(ended, now);
  }

  setHostDelay(host: HostKey, delay: Ms): void {
    this.#leases.setDelay(host, delay);
  }

  readmitHosts(): number {
    return this.#leases.readmit();
  }

  *held(): Generator<FrontierEntry> {
    const { reader, urls } = this.parts;
    for (let slot = 0; slot < urls.size; slot++) if (urls.isHeld(slot)) yield reader.entry(slot);
  }

  unpark(pattern: string): readonly string[] {
    const { guard, store } = this.parts;
    const released = guard?.unpark(pattern) ?? [];
    if (released.length === 0) return released;
    store.putUnparking({ settled: this.settlements.last, pattern });
    this.#readmitAll();
    return released;
  }

  override rescore(scorer: Rescorer, learnedFrom: number, foundBefore = learnedFrom): number {
    const { queue, urls } = this.parts;
    const { scored, moved } = this.priorities.all(scorer, learnedFrom, foundBefore);
    if (moved.length > REBUILD_SHARE * urls.countOf('waiting')) queue.rebuild(this.clock.now());
    else queue.reorder(moved, this.clock.now());
    this.storePriorities();
    return scored;
  }

  *rescoring(scorer: LearningRescorer, limit: number): Generator<number> {
    for (const { scored, moved } of this.priorities.inTurns(scorer, () => scorer.learnedFrom, limit)) {
      this.parts.queue.reorder(moved, this.clock.now());
      yield scored;
    }
  }

  storePriorities(): boolean {
    this.#commitsSince = 0;
    return this.priorities.storePriorities();
  }

  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    this.#commitsSince += 1;
    if (this.#commitsSince >= COMMITS_A_STORING) this.storePriorities();
    return this.parts.store.commit(offsets, after);
  }

  noteRuns(runs: number): void {
    this.parts.store.noteRuns(runs);
  }

  note(notes: CrawlNotes): void {
    this.parts.store.note(notes);
  }

  /** Writes a checkpoint of a large frontier, if nothing is leased and everything is committed. */
  override close(): Promise<void> {
    const isAtRest = this.#leases.size === 0 && !this.priorities.hasUnstored && this.parts.urls.size >= this.#checkpointFrom;
    return this.parts.store.close(() => (isAtRest ? checkpointOf(this.parts, this.settlements.counts) : null));
  }

  /** A URL for a random visit, if it is time for one. */
  #draw(now: EpochMs): { readonly slot: Slot; readonly entry: FrontierEntry } | null {
    const { queue, reader, urls } = this.parts;
    const drawn = this.#exploration?.draw(this.settlements.last + this.#leases.size - this.again.held, {
      size: urls.size,
      isFree: (slot) => queue.isFree(slot, now) && this.whyParked(slot, reader.entry(slot)) === null,
      isListed: (slot) => isListedUrl(reader.entry(slot)),
      directoryOf: (slot) => directoryOf(reader.entry(slot).url),
    });
    if (!drawn) return null;
    const { slot, warmUp } = drawn;
    return { slot, entry: { ...reader.entry(slot), ...(warmUp ? { warmUp } : { explored: true }) } };
  }

  #lease(slot: Slot, entry: FrontierEntry): ReturnType<HostLeases['hold']> {
    this.parts.waiting.count(this.hostOf(slot), -1);
    this.parts.urls.lease(slot);
    return this.#leases.hold(slot, entry, false);
  }

  #finish(slot: Slot, host: HostState, { fate, discovered }: Settlement & { kind: 'done' }, entry: FrontierEntry): void {
    const { guard, store, waiting } = this.parts;
    waiting.countEdge(slot, -1);
    this.settlements.mark(slot, host, fate);
    const fresh = discovered ? this.#sight(discovered) : [];
    const traces = guard?.tracesOf(entry.url, fate, fresh);
    const ahead = discovered ? this.#ahead(entry, discovered) : [];
    const order = this.settlements.next();
    const before = store.reopened(slot) === null ? null : store.fate(slot);
    if (before) this.settlements.visitAgain();
    const stored: StoredFate = {
      fate,
      order,
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
      ...(ahead.length > 0 && { ahead }),
    };
    store.putFate(slot, stored, entry);
    this.again.settled(slot, fate);
    if (guard?.settled(entry, stored)) this.#readmitAll();
  }

  /** @returns as `Sightings.add` */
  #sight(discovery: Discovery): readonly CanonicalUrl[] {
    for (const link of discovery.links) if (link.task.kind === 'alternate' && link.refusal === null) this.#askAgain(link);
    return this.parts.sightings.add(discovery, this.clock.now());
  }

  /** A page that the model found off topic waits again, once, as the alternate of a kept page. The word of a rule, a person or a hook stands. */
  #askAgain({ url, host }: DiscoveredLink): void {
    const { hosts, store, urls } = this.parts;
    const slot = urls.find(url);
    if (slot < 0 || urls.state(slot) !== 'off-topic' || urls.isAlternate(slot) || this.again.isBusy(slot)) return;
    const fate = store.fate(slot)?.fate;
    if (fate?.reason !== '' || fate.relevance === null || fate.hooked?.modelRelevance !== undefined || hosts.isAway(host)) return;
    store.reopen(slot, { url, host });
    this.settlements.waitAgain(slot, this.hostOf(slot), fate, fate.relevance);
    this.visitPlaces.forget();
  }

  /** The links that the next step of the walk is chosen from; empty unless the page is a seed or a step. */
  #ahead({ task, warmUp, depth }: FrontierEntry, { links }: Discovery): readonly Slot[] {
    const { urls } = this.parts;
    if (this.#exploration?.isWarmingUp(this.settlements.last) !== true || task.kind !== 'page' || (!warmUp && depth > 0)) return [];
    return this.#exploration.walkTo(links.map(({ url }) => urls.find(url)).filter((slot) => slot >= 0 && urls.state(slot) === 'waiting'));
  }

  /** Restores the place of the walk after a restart. O(settled URLs) during the warm-up, else O(1). */
  #walkOn(): void {
    if (this.#exploration?.isWarmingUp(this.settlements.last) !== true) return;
    const steps = [...this.parts.store.fates()].map(([, stored]) => stored).sort((a, b) => a.order - b.order);
    this.#exploration.walkOn(steps.findLast(({ ahead }) => ahead)?.ahead ?? []);
  }

  #putBack(slot: Slot, host: HostState, settlement: Exclude<Settlement, { kind: 'done' }>, entry: FrontierEntry, now: EpochMs): void {
    const { queue, store, urls, waiting } = this.parts;
    if (settlement.kind === 'revisited')
      throw new InvariantError(`frontier: ${host.key}: a page that is not kept was settled as revisited`);
    urls.putBack(slot);
    waiting.count(host, 1);
    if (settlement.kind === 'released') {
      queue.offer(slot, now);
      return;
    }
    const attempts = urls.attemptsOf(slot) + 1;
    urls.retry(slot, attempts);
    const { notBefore, reason } = settlement;
    store.putRetry(slot, { attempts, notBefore, pause: Math.max(0, notBefore - now), reason }, entry);
    queue.offerLater(slot, notBefore);
  }

  /** A pattern was released. */
  #readmitAll(): void {
    this.parts.waiting.readmitAll();
    this.parts.queue.rebuild(this.clock.now());
  }
}

function isListedUrl({ edge }: FrontierEntry): boolean {
  return edge !== null && isListed(edge.link);
}
