import { InvariantError } from '../../base/core/errors.ts';
import type { CommitMark, CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, Fate, Revisit, Unit } from '../../base/core/types.ts';
import type { HostHealth } from './host-health.ts';
import type { FrontierStore, StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import type { Slot } from './url-table.ts';

/** A frontier store that lives only as long as its process: for tests, simulations and replays. */
export class MemoryStore implements FrontierStore {
  readonly #discoveries: StoredDiscovery[] = [];
  readonly #fates = new Map<Slot, StoredFate>();
  readonly #retries = new Map<Slot, StoredRetry>();
  readonly #hosts = new Map<number, HostHealth>();
  readonly #revisits = new Map<Slot, Revisit>();
  readonly #reopened = new Set<Slot>();
  readonly #unparkings: Unparking[] = [];
  #lastCommit: CommitMark | null = null;

  appendDiscovery(index: number, discovery: StoredDiscovery): void {
    this.#discoveries[index] = discovery;
  }
  discovery(index: number): StoredDiscovery {
    const found = this.#discoveries[index];
    if (!found) throw new InvariantError(`frontier: discovery ${index} is not in the store`);
    return found;
  }
  *discoveries(from = 0): Iterable<readonly [number, StoredDiscovery]> {
    for (let index = from; index < this.#discoveries.length; index++) yield [index, this.discovery(index)];
  }
  referrer(index: number): CanonicalUrl | null {
    return this.#discoveries[index]?.referrer?.url ?? null;
  }
  /** The columns of the frontier hold them and live just as long. */
  putPriorities(): void {}
  priorities(): null {
    return null;
  }
  allPriorities(): readonly [] {
    return [];
  }
  readonly scoredBy = null;
  noteScoredBy(): void {}
  putFate(slot: Slot, fate: StoredFate): void {
    this.#reopened.delete(slot);
    this.#fates.set(slot, fate);
  }
  fate(slot: Slot): StoredFate | null {
    const stored = this.#fates.get(slot);
    return stored ? { ...stored, fate: { ...stored.fate, page: null } } : null;
  }
  hasFate(slot: Slot): boolean {
    return this.#fates.has(slot);
  }
  fates(): Iterable<readonly [Slot, StoredFate]> {
    return this.#fates;
  }
  page(slot: Slot): Fate['page'] {
    return this.#fates.get(slot)?.fate.page ?? null;
  }
  /** None always: this store is new whenever a frontier opens. */
  steps(): readonly [] {
    return [];
  }
  readonly mayReopen = false;
  /** The crawl ends with the process, so no later model reopens any. */
  reopened(slot: Slot): Unit | null {
    return this.#reopened.has(slot) ? (this.#fates.get(slot)?.fate.relevance ?? null) : null;
  }
  reopen(slot: Slot): void {
    this.#reopened.add(slot);
  }
  putRevisit(slot: Slot, revisit: Revisit): void {
    this.#revisits.set(slot, revisit);
  }
  revisit(slot: Slot): Revisit | null {
    return this.#revisits.get(slot) ?? null;
  }
  revisits(): Iterable<readonly [Slot, Revisit]> {
    return this.#revisits;
  }
  putRetry(slot: Slot, retry: StoredRetry): void {
    this.#retries.set(slot, retry);
  }
  retry(slot: Slot): StoredRetry | null {
    return this.#retries.get(slot) ?? null;
  }
  retries(): Iterable<readonly [Slot, StoredRetry]> {
    return this.#retries;
  }
  putHost(host: number, health: HostHealth): void {
    this.#hosts.set(host, health);
  }
  hosts(): Iterable<readonly [number, HostHealth]> {
    return this.#hosts;
  }
  unparkings(): readonly Unparking[] {
    return this.#unparkings;
  }
  putUnparking(unparking: Unparking): void {
    this.#unparkings.push(unparking);
  }
  runs = 0;

  noteRuns(runs: number): void {
    this.runs = runs;
  }
  notes: CrawlNotes = {};

  note(notes: CrawlNotes): void {
    this.notes = { ...this.notes, ...notes };
  }
  lastCommit(): CommitMark | null {
    return this.#lastCommit;
  }
  async commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    await after;
    this.#lastCommit = { number: (this.#lastCommit?.number ?? 0) + 1, offsets };
  }
  /** null always: this store is new whenever a frontier opens. */
  checkpoint(): null {
    return null;
  }
  async close(): Promise<void> {}
}
