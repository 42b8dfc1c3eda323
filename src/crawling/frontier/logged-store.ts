import type { CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, Discovery, HostKey, Revisit, Unit } from '../../base/core/types.ts';
import type { FrontierLog } from './frontier-log.ts';
import type { HostHealth } from './host-health.ts';
import type { LmdbStore } from './lmdb-store.ts';
import { bestOf, type LogEntry } from './log-entry.ts';
import type { FrontierStore, StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import type { Slot } from './url-table.ts';

/** URLs and hosts by the numbers that a frontier gave them. */
export interface LogView {
  urlOf(slot: Slot): { readonly url: CanonicalUrl; readonly host: HostKey };
  hostOf(index: number): HostKey;
}

/**
 * A store whose commits go to a log first. Steps that were read from the log are put into `view` alone, and become durable there with the next commit, as
 * do the numbers of the commits up to which each partition was read (`LmdbStore.noteHead`).
 */
export class LoggedStore implements FrontierStore {
  /** Puts that are already in the log. */
  readonly view: LmdbStore;
  readonly #log: FrontierLog;
  readonly #held: () => Iterable<number>;
  #names: LogView | null = null;
  #entries: LogEntry[] = [];
  #passedOn: Discovery[] = [];
  #bestPassedOn: Unit | null = null;
  #commits = 0;

  /** @param held the partitions whose logs this process writes */
  constructor(view: LmdbStore, log: FrontierLog, held: () => Iterable<number>) {
    this.view = view;
    this.#log = log;
    this.#held = held;
  }

  /** Must be called before the first put. */
  nameBy(names: LogView): void {
    this.#names = names;
  }

  /** Adds links to hosts of other workers to the next commit. */
  passOn(discovery: Discovery): void {
    this.#passedOn.push(discovery);
    this.#bestPassedOn = higher(this.#bestPassedOn, bestOf(discovery.links));
  }

  /** The highest priority of links to hosts of other workers that wait for the next commit; null without any. */
  get bestPassedOn(): Unit | null {
    return this.#bestPassedOn;
  }

  appendDiscovery(index: number, discovery: StoredDiscovery): void {
    this.view.appendDiscovery(index, discovery);
    this.#entries.push({ kind: 'discovery', discovery });
  }
  putFate(slot: Slot, stored: StoredFate): void {
    this.view.putFate(slot, stored);
    this.#entries.push({ kind: 'fate', ...this.#nameOf(slot), stored });
  }
  putRetry(slot: Slot, retry: StoredRetry): void {
    this.view.putRetry(slot, retry);
    this.#entries.push({ kind: 'retry', ...this.#nameOf(slot), retry });
  }
  putRevisit(slot: Slot, revisit: Revisit): void {
    this.view.putRevisit(slot, revisit);
    this.#entries.push({ kind: 'revisit', ...this.#nameOf(slot), revisit });
  }
  putHost(host: number, health: HostHealth): void {
    this.view.putHost(host, health);
    if (this.#names) this.#entries.push({ kind: 'health', host: this.#names.hostOf(host), health });
  }
  putUnparking(unparking: Unparking): void {
    this.view.putUnparking(unparking);
    this.#entries.push({ kind: 'unparking', unparking });
  }

  /** Is everything that was put in the log? */
  get isLogged(): boolean {
    return this.#entries.length === 0 && this.#passedOn.length === 0 && this.#commits === 0;
  }

  /** The log, then the view. */
  commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    const held = [...this.#held()];
    const write = this.#log.begin({ entries: this.#entries, passedOn: this.#passedOn, offsets });
    [this.#entries, this.#passedOn, this.#bestPassedOn] = [[], [], null];
    this.#commits += 1;
    const logged = after.then(write).then((mark) => {
      this.#commits -= 1;
      for (const partition of held) this.view.noteHead(partition, mark.commit);
      this.view.noteLogged(mark);
    });
    return this.view.commit(offsets, logged);
  }

  discovery(index: number): StoredDiscovery {
    return this.view.discovery(index);
  }
  discoveries(): ReturnType<FrontierStore['discoveries']> {
    return this.view.discoveries();
  }
  putPriorities(...given: Parameters<FrontierStore['putPriorities']>): void {
    this.view.putPriorities(...given);
  }
  priorities(index: number): ReturnType<FrontierStore['priorities']> {
    return this.view.priorities(index);
  }
  get scoredBy(): string | null {
    return this.view.scoredBy;
  }
  noteScoredBy(modelId: string): void {
    this.view.noteScoredBy(modelId);
  }
  fate(slot: Slot): StoredFate | null {
    return this.view.fate(slot);
  }
  fates(): ReturnType<FrontierStore['fates']> {
    return this.view.fates();
  }
  page(slot: Slot): ReturnType<FrontierStore['page']> {
    return this.view.page(slot);
  }
  reopened(slot: Slot): ReturnType<FrontierStore['reopened']> {
    return this.view.reopened(slot);
  }
  revisit(slot: Slot): Revisit | null {
    return this.view.revisit(slot);
  }
  revisits(): ReturnType<FrontierStore['revisits']> {
    return this.view.revisits();
  }
  retry(slot: Slot): StoredRetry | null {
    return this.view.retry(slot);
  }
  retries(): ReturnType<FrontierStore['retries']> {
    return this.view.retries();
  }
  hosts(): ReturnType<FrontierStore['hosts']> {
    return this.view.hosts();
  }
  unparkings(): readonly Unparking[] {
    return this.view.unparkings();
  }
  get runs(): number {
    return this.view.runs;
  }
  noteRuns(runs: number): void {
    this.view.noteRuns(runs);
  }
  get notes(): CrawlNotes {
    return this.view.notes;
  }
  note(notes: CrawlNotes): void {
    this.view.note(notes);
  }
  lastCommit(): ReturnType<FrontierStore['lastCommit']> {
    return this.view.lastCommit();
  }
  checkpoint(): ReturnType<FrontierStore['checkpoint']> {
    return this.view.checkpoint();
  }
  readAhead(): void {
    this.view.readAhead();
  }
  close(...checkpoint: Parameters<FrontierStore['close']>): Promise<void> {
    return this.view.close(...checkpoint);
  }

  #nameOf(slot: Slot): { readonly url: CanonicalUrl; readonly host: HostKey } {
    if (this.#names === null) throw new Error('frontier: its log has no names yet');
    return this.#names.urlOf(slot);
  }
}

/** The higher of two priorities. */
export function higher(a: Unit | null, b: Unit | null): Unit | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
