import type { Clock } from '../../base/core/clock.ts';
import type {
  CommitMark,
  CorpusOffsets,
  CrawlNotes,
  FrontierCounts,
  Ledger,
  LinkWords,
  OpenLedger,
  PlainUrls,
  SiteCounts,
} from '../../base/core/parts/queueing.ts';
import type { Rescorer } from '../../base/core/parts/scoring.ts';
import type { CanonicalUrl, Fate, FrontierEntry, HostKey, LedgerLine, Revisit } from '../../base/core/types.ts';
import { DiscoveryReferrers } from './discovery-referrers.ts';
import type { FrontierParts } from './frontier-parts.ts';
import type { HostState } from './hosts.ts';
import { plainUrlsOf } from './plain-urls.ts';
import { replay, visitsBefore } from './replay.ts';
import { Rescoring } from './rescoring.ts';
import { SettledCounts } from './settled-counts.ts';
import type { Slot, UrlTable } from './url-table.ts';
import { VisitPlaces } from './visit-places.ts';

type SettledPlace = ReturnType<Ledger['settled']> extends Iterable<infer T> ? T : never;

/** The reading side of a frontier: the fate of each URL, and the last commit. See `Ledger` and `Durable` for the contract. */
export class FrontierLedger implements OpenLedger {
  protected readonly parts: FrontierParts;
  protected readonly clock: Clock;
  protected readonly settlements: SettledCounts;
  protected readonly priorities: Rescoring;
  protected readonly visitPlaces: VisitPlaces;
  readonly #referrers: DiscoveryReferrers;

  /** Replays the store. @param use `read`: nothing is ever leased, so no queue is built */
  constructor(parts: FrontierParts, clock: Clock, use: 'read' | 'write' = 'read') {
    [this.parts, this.clock] = [parts, clock];
    this.settlements = new SettledCounts(parts);
    this.priorities = new Rescoring(parts);
    this.visitPlaces = new VisitPlaces(parts.store, parts.reader);
    this.#referrers = new DiscoveryReferrers(parts);
    replay(parts, this.settlements, clock.now(), use);
  }

  counts(): FrontierCounts {
    const { urls, hosts, waiting } = this.parts;
    const { earlierVisits, reopened } = this.settlements.counts;
    const of = (state: Parameters<UrlTable['countOf']>[0]) => urls.countOf(state);
    return {
      discovered: urls.size,
      waiting: of('waiting'),
      queued: of('waiting'),
      parked: waiting.parked,
      leased: of('leased'),
      fetched: of('fetched'),
      kept: of('kept'),
      offTopic: of('off-topic'),
      duplicate: of('duplicate'),
      refused: of('refused'),
      failed: of('failed'),
      visited: this.visits,
      earlierVisits,
      reopened,
      hosts: hosts.size,
      hostsGivenUp: waiting.hostsGivenUp,
    };
  }

  get visits(): number {
    return this.settlements.visits;
  }

  *ledger(places?: Iterable<number>): Generator<LedgerLine> {
    if (places !== undefined) for (const slot of places) yield this.#lineOf(slot);
    else for (let slot = 0; slot < this.parts.urls.size; slot++) yield this.#lineOf(slot);
  }

  find(url: CanonicalUrl): ReturnType<Ledger['find']> {
    const { reader, store, urls } = this.parts;
    const slot = urls.find(url);
    if (slot < 0) return null;
    const stored = store.fate(slot);
    const fate = stored && { ...stored.fate, ...reader.kept(slot), page: store.page(slot) };
    const ended = reader.ended(slot);
    return {
      line: this.#lineOf(slot),
      entry: reader.asLeased(slot, ended),
      fate,
      settled: ended?.order ?? null,
      reopened: reader.reopened(slot),
    };
  }

  standing(url: CanonicalUrl): ReturnType<Ledger['standing']> {
    const slot = this.parts.urls.find(url);
    return slot < 0 ? null : this.parts.reader.standing(slot);
  }

  ofHost(host: HostKey): SiteCounts {
    const { kept = 0, lists = 0 } = this.parts.hosts.named(host) ?? {};
    return { kept, lists };
  }

  requested(): Generator<LedgerLine> {
    const { ended, others } = this.plain();
    return this.ledger(Uint32Array.from([...ended, ...others]).sort());
  }

  plain(): PlainUrls {
    return plainUrlsOf(this.parts, (host) => this.#reasonSkipped(host));
  }

  discoveriesOn(pages: ReadonlySet<string>): ReadonlySet<number> {
    return this.#referrers.among(pages);
  }

  *linkTexts(from: number): Generator<LinkWords> {
    const { store, urls } = this.parts;
    for (const [index, { links }] of store.discoveries(from))
      for (const [position, { url, text }] of links.entries()) {
        const place = urls.find(url);
        if (urls.discoveryOf(place) === index && urls.positionOf(place) === position)
          yield { place, url, anchorText: text.anchorText, discovery: index };
      }
  }

  refusals(): ReturnType<Ledger['refusals']> {
    return this.parts.urls.refusals();
  }

  *fates(): Generator<Fate> {
    const { store } = this.parts;
    for (const [slot, { fate }] of store.fates()) if (store.reopened(slot) === null) yield fate;
  }

  *settled(places?: Iterable<number>): Generator<SettledPlace> {
    if (places !== undefined) return yield* this.#settledAt(places);
    for (const { entry, stored, slot } of this.parts.reader.settled(this.settlements.last))
      yield { entry, fate: stored.fate, order: stored.order, place: slot };
  }

  *#settledAt(places: Iterable<number>): ReturnType<FrontierLedger['settled']> {
    const { reader } = this.parts;
    for (const slot of places) {
      const stored = reader.ended(slot);
      if (stored !== null) yield { entry: reader.asLeased(slot, stored), fate: stored.fate, order: stored.order, place: slot };
    }
  }

  earlierVisits(): readonly (number | null)[] {
    const { store } = this.parts;
    const { settled, earlierVisits } = this.settlements.counts;
    // Most crawls have none: their fates need no second reading.
    if (earlierVisits === 0) return [];
    const orders: (number | null)[] = [];
    for (const [slot, stored] of store.fates()) {
      const { ordersBefore = [] } = stored;
      for (let i = ordersBefore.length; i < visitsBefore(stored); i++) orders.push(null);
      orders.push(...ordersBefore, ...(store.reopened(slot) === null ? [] : [stored.order]));
    }
    // As in `settled`: another process may have settled more since this one opened the store.
    return orders.filter((order) => order === null || order <= settled).sort((a, b) => (a ?? 0) - (b ?? 0));
  }

  *revisits(): Generator<{ readonly url: CanonicalUrl; readonly revisit: Revisit }> {
    const { reader, store, urls } = this.parts;
    for (const [slot, revisit] of store.revisits()) if (urls.state(slot) === 'kept') yield { url: reader.entry(slot).url, revisit };
  }

  rescore(scorer: Rescorer, learnedFrom: number, foundBefore = learnedFrom): number {
    const { scored } = this.priorities.all(scorer, learnedFrom, foundBefore);
    this.priorities.storePriorities();
    return scored;
  }

  get runs(): number {
    return this.parts.store.runs;
  }

  get scoredBy(): string | null {
    return this.parts.store.scoredBy;
  }

  noteScoredBy(modelId: string): void {
    this.parts.store.noteScoredBy(modelId);
  }

  get notes(): CrawlNotes {
    return this.parts.store.notes;
  }

  lastCommit(): CommitMark | null {
    return this.parts.store.lastCommit();
  }

  committedOffsets(): CorpusOffsets {
    return this.lastCommit()?.offsets ?? {};
  }

  close(): Promise<void> {
    return this.parts.store.close(() => null);
  }

  protected hostOf(slot: Slot): HostState {
    return this.parts.hosts.known(this.parts.urls.hostOf(slot));
  }

  /** Reason not to request a waiting URL because of its pattern. The known relevance of a reopened page is better than the evidence about its pattern. */
  protected whyParked(slot: Slot, entry: FrontierEntry): string | null {
    const { guard, store } = this.parts;
    return guard === null || store.reopened(slot) !== null ? null : guard.reasonFor(entry);
  }

  #lineOf(slot: Slot): LedgerLine {
    return this.parts.reader.line(
      slot,
      (waiting, entry) => this.#reasonSkipped(this.hostOf(waiting)) ?? this.whyParked(waiting, entry),
      (ended, stored) => this.visitPlaces.of(ended, stored, this.settlements.last),
    );
  }

  #reasonSkipped(host: HostState): string | null {
    if (host.away) return null;
    if (this.parts.queue.isFull(host)) return 'max-pages-per-host';
    return host.health.givenUp ? 'host-unreachable' : null;
  }
}
