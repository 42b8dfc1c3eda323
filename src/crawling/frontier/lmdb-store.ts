import { statSync } from 'node:fs';
import type { RootDatabase } from 'lmdb';
import { InvariantError } from '../../base/core/errors.ts';
import type { CommitMark, CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, Fate, HostKey, Revisit, Unit } from '../../base/core/types.ts';
import type { Checkpoint } from './checkpoint.ts';
import { CurrentHead } from './current-head.ts';
import { DecodedDiscoveries } from './decoded-discoveries.ts';
import type { HostHealth } from './host-health.ts';
import { LmdbCheckpoint } from './lmdb-checkpoint.ts';
import { commitErrorFrom, giveRoomBack, makeRoom, openErrorFrom, undecodable } from './lmdb-file.ts';
import { type Head, putHead, readDatabaseHead } from './lmdb-head.ts';
import { LmdbLog } from './lmdb-log.ts';
import { type OpenDatabase, openDatabase } from './lmdb-opening.ts';
import { giveUp } from './lmdb-read.ts';
import type { FrontierTables } from './lmdb-tables.ts';
import { type LogEntry, type UrlName, withoutPage } from './log-entry.ts';
import type { LogOutbox } from './log-outbox.ts';
import { entryIn, type LoggedEntry } from './logged-value.ts';
import { packDiscovery, unpackDiscovery } from './packed-discovery.ts';
import { type PendingBatch, valueIn, valuesIn } from './pending-table.ts';
import { Rejudgement } from './rejudgement.ts';
import type { FrontierStore, LinkPriorities, StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import { unpackTexts } from './stored-texts.ts';
import type { Slot } from './url-table.ts';
import type { WholeFrontier } from './write-frontier.ts';
import { type MadeRejudgement, writeRejudgement } from './write-rejudgement.ts';

/** Everything that another process committed since. */
export interface NewSteps {
  /** Each as in `FrontierStore.steps`. */
  readonly steps: Iterable<LoggedEntry>;
  /** Were priorities stored as well? */
  readonly areScored: boolean;
}

/**
 * A frontier store in LMDB: a log of all steps, and the place of the newest one about each URL, host and discovery. A commit resolves when its
 * transaction is flushed to disk. After kill -9 or power loss, the store opens at the last flushed transaction.
 */
export class LmdbStore implements FrontierStore {
  readonly #database: OpenDatabase;
  readonly #path: string;
  readonly #root: RootDatabase<unknown, string>;
  readonly #tables: FrontierTables;
  readonly #log: LmdbLog;
  /** Stored with the next commit. */
  head: CurrentHead;
  /** The stored head that `head` began as. */
  #storedHead: Head;
  readonly #rejudgement: Rejudgement | null;
  readonly #decoded: DecodedDiscoveries;
  /** null for a crawl on one machine. */
  readonly #outbox: LogOutbox | null;
  readonly #checkpoint: LmdbCheckpoint;
  #failed = false;

  private constructor(database: OpenDatabase, judgedBy: string | null, crawl: string | null, outbox: LogOutbox | null) {
    const { path, root, tables, head, writes } = database;
    [this.#database, this.#path, this.#root, this.#tables] = [database, path, root, tables];
    this.#outbox = outbox;
    this.#log = new LmdbLog(database, outbox);
    this.#checkpoint = new LmdbCheckpoint(database, judgedBy);
    [this.head, this.#storedHead] = [new CurrentHead(head, crawl), head];
    this.#decoded = new DecodedDiscoveries(writes ? 'write' : 'read');
    this.#rejudgement = judgedBy === null ? null : Rejudgement.load(tables.rejudgements, judgedBy, path);
  }

  /**
   * @param judgedBy the model whose rejudgement is active; null for none
   * @param crawl id of the expected crawl; null accepts any
   * @param use `read`: nothing is written to the database, unless it needs repair
   * @param outbox where steps go before they are committed here; null for a crawl on one machine
   * @throws StoreError if the directory cannot be opened, is damaged, belongs to another crawl or version, or has no such rejudgement
   */
  static open(
    path: string,
    judgedBy: string | null,
    crawl: string | null = null,
    use: 'read' | 'write' = 'write',
    outbox: LogOutbox | null = null,
  ): LmdbStore {
    const database = openDatabase(path, crawl, use);
    try {
      return new LmdbStore(database, judgedBy, crawl, outbox);
    } catch (error) {
      giveUp(database.root);
      throw openErrorFrom(error, path);
    }
  }

  // Steps.

  steps(): ReturnType<LmdbLog['steps']> {
    return this.#log.steps();
  }

  /**
   * The steps that another process committed since this one opened the store, or followed it. The head is then that of the newest commit.
   * @returns null if the database must be opened again: it was replaced, or has another history
   * @throws StoreError for a damaged head, and from the steps for a damaged one
   */
  follow(): NewSteps | null {
    const { file, inode } = this.#database;
    const before = this.#storedHead;
    if (inode === null || statSync(file, { throwIfNoEntry: false })?.ino !== inode) return null;
    this.#root.resetReadTxn();
    const head = readDatabaseHead(this.#root, file);
    const isSame = head.crawl === before.crawl && head.writer === before.writer;
    if (!isSame || (head.commit?.number ?? 0) < (before.commit?.number ?? 0)) return null;
    [this.head, this.#storedHead] = [new CurrentHead(head, null), head];
    return { steps: this.#log.stepsUpTo(head.entries), areScored: head.scored !== before.scored };
  }

  /** See `LmdbLog.history`. */
  history(): ReturnType<LmdbLog['history']> {
    return this.#log.history();
  }

  /** Adds a step. @param key number of its discovery, URL or host */
  push(key: number, entry: LogEntry): void {
    this.#log.push(key, entry);
  }

  get mayReopen(): boolean {
    return this.#rejudgement !== null || this.#log.anyLost;
  }

  appendDiscovery(index: number, discovery: StoredDiscovery): void {
    this.push(index, { kind: 'discovery', discovery });
  }

  discovery(index: number): StoredDiscovery {
    const found = this.#log.freshDiscovery(index) ?? this.#decoded.get(index) ?? this.#load(index);
    if (!found) throw new InvariantError(`${this.#path}: discovery ${index} is not in the store`);
    return found;
  }

  *discoveries(from = 0): Iterable<readonly [number, StoredDiscovery]> {
    for (let index = from; index < this.#log.places.discoveries; index++) {
      const entry = this.#log.newest('discovery', index);
      if (entry) yield [index, entry.discovery];
    }
  }

  referrer(index: number): CanonicalUrl | null {
    const known = this.#log.freshDiscovery(index) ?? this.#decoded.get(index);
    return (known ?? this.#log.newest('discovery', index)?.discovery)?.referrer?.url ?? null;
  }

  #load(index: number): StoredDiscovery | undefined {
    const entry = this.#log.newest('discovery', index);
    if (!entry) return undefined;
    return this.#decode(() => {
      const found = this.#rejudgement?.discovery(index, unpackDiscovery(packDiscovery(entry.discovery))) ?? entry.discovery;
      this.#decoded.keep(index, found);
      return found;
    });
  }

  putPriorities(index: number, given: LinkPriorities): void {
    this.#tables.priorities.put(index, given);
  }

  priorities(index: number): LinkPriorities | null {
    return valueIn(this.#tables.priorities, index);
  }

  putFate(slot: Slot, stored: StoredFate, { url, host }: UrlName): void {
    this.push(slot, { kind: 'fate', url, host, stored });
  }

  fate(slot: Slot): StoredFate | null {
    const entry = this.#log.newest('fate', slot);
    if (entry === null) return null;
    const stored = withoutPage(entry.stored);
    return this.#rejudgement?.fate(slot, stored) ?? stored;
  }

  hasFate(slot: Slot): boolean {
    return this.#log.places.of('fate', slot) > 0;
  }

  page(slot: Slot): Fate['page'] {
    const packed = this.#log.textsOf(slot);
    return packed && this.#decode(() => unpackTexts(packed));
  }

  allPriorities(): Iterable<readonly [index: number, given: LinkPriorities]> {
    return valuesIn(this.#tables.priorities);
  }

  *fates(): Iterable<readonly [Slot, StoredFate]> {
    for (const slot of this.#log.places.settled()) {
      const stored = this.fate(slot);
      if (stored) yield [slot, stored];
    }
  }

  reopened(slot: Slot): Unit | null {
    const isLost = this.#log.isLost(slot);
    if (!isLost && !this.#rejudgement?.accepts(slot)) return null;
    const stored = this.fate(slot);
    if (stored === null) return null;
    return isLost || this.#rejudgement?.reopens(slot, stored) ? stored.fate.relevance : null;
  }

  reopen(slot: Slot, { url, host }: UrlName): void {
    this.push(slot, { kind: 'lost', url, host, record: null });
  }

  putRevisit(slot: Slot, revisit: Revisit, { url, host }: UrlName): void {
    this.push(slot, { kind: 'revisit', url, host, revisit });
  }

  revisit(slot: Slot): Revisit | null {
    const found = this.#log.newest('revisit', slot)?.revisit ?? null;
    return found && (this.#rejudgement?.revisit(slot, found) ?? found);
  }

  *revisits(): Iterable<readonly [Slot, Revisit]> {
    for (const slot of this.#log.places.keys('revisit')) {
      const revisit = this.revisit(slot);
      if (revisit) yield [slot, revisit];
    }
  }

  putRetry(slot: Slot, retry: StoredRetry, { url, host }: UrlName): void {
    this.push(slot, { kind: 'retry', url, host, retry });
  }

  retry(slot: Slot): StoredRetry | null {
    return this.#log.newest('retry', slot)?.retry ?? null;
  }

  *retries(): Iterable<readonly [Slot, StoredRetry]> {
    for (const slot of this.#log.places.keys('retry')) {
      const retry = this.retry(slot);
      if (retry) yield [slot, retry];
    }
  }

  putHost(index: number, health: HostHealth, host: HostKey): void {
    this.push(index, { kind: 'health', host, health });
  }

  *hosts(): Iterable<readonly [number, HostHealth]> {
    for (const index of this.#log.places.keys('health')) {
      const entry = this.#log.newest('health', index);
      if (entry) yield [index, entry.health];
    }
  }

  unparkings(): readonly Unparking[] {
    return [...this.#log.places.keys('unparking')].flatMap((place) => this.#log.newest('unparking', place)?.unparking ?? []);
  }

  putUnparking(unparking: Unparking): void {
    this.push(this.#log.places.unparkings, { kind: 'unparking', unparking });
  }

  /** Are there judgements of this model? */
  hasRejudgement(modelId: string): boolean {
    return this.#tables.rejudgements.get([modelId, 'head', 0]) !== undefined;
  }

  /** Everything in the database, to write it again. */
  whole(): WholeFrontier {
    return {
      head: this.head.storedAs(this.head.lastCommit ?? { number: 0, offsets: {} }),
      steps: this.history(),
      priorities: this.allPriorities(),
      rejudgements: this.#tables.rejudgements.all(),
    };
  }

  // The head.

  get scoredBy(): string | null {
    return this.head.scoredBy;
  }

  noteScoredBy(modelId: string): void {
    this.head.scoredBy = modelId;
  }

  get runs(): number {
    return this.head.runs;
  }

  noteRuns(runs: number): void {
    this.head.runs = runs;
  }

  get notes(): CrawlNotes {
    return this.head.notes;
  }

  note(notes: CrawlNotes): void {
    this.head.notes = { ...this.head.notes, ...notes };
  }

  lastCommit(): CommitMark | null {
    return this.head.lastCommit;
  }

  // Commits and checkpoints.

  /** Yields for each stored value of each table its fault in words, or null. O(database). */
  *faults(): Iterable<string | null> {
    const { log, texts, priorities, rejudgements } = this.#tables;
    yield* log.stored?.faults((value) => refuseUnreadable(entryIn(value))) ?? [];
    yield* texts.stored?.faults((packed) => unpackTexts(packed)) ?? [];
    yield* priorities.stored?.faults() ?? [];
    yield* rejudgements.faults();
  }

  /** The shared log of a crawl on several machines has the steps first. */
  async commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    const priorities = this.#tables.priorities.batch();
    const batches = [...this.#log.batches((index, discovery) => this.#decoded.keepMade(index, discovery)), priorities];
    const mark = { number: (this.head.lastCommit?.number ?? 0) + 1, offsets };
    if (priorities.entries.length > 0) this.head.scored = mark.number;
    const head = this.head.copy();
    const send = this.#outbox?.send(offsets, (held, logged) => {
      for (const one of [this.head, head]) {
        for (const partition of held) one.noteHead(partition, logged.commit);
        one.noteLogged(logged);
      }
    });
    await after;
    await send?.();
    await this.#commitBatches(batches, mark, head);
    this.head.lastCommit = mark;
    for (const batch of batches) batch.forget();
  }

  #commitBatches(batches: readonly PendingBatch<unknown>[], mark: CommitMark | null, head: CurrentHead): Promise<void> {
    return this.#written(() =>
      this.#root.transaction(() => {
        for (const batch of batches) batch.write();
        this.#putHead(mark, head);
      }),
    );
  }

  checkpoint(): Checkpoint | null {
    return this.#checkpoint.read();
  }

  /**
   * Closes the database, except after a failed commit: LMDB would wait for its flush for ever, so the database stays open until the process
   * ends.
   */
  async close(checkpoint: () => Checkpoint | null = () => null): Promise<void> {
    if (this.#failed) return;
    if (this.#database.writes) {
      this.#putCheckpoint(checkpoint);
      // Within a transaction: a crawl that has lost its lock is also closed, and LMDB then lets nobody else write.
      this.#root.transactionSync(() => giveRoomBack(this.#path));
    }
    await this.#database.close();
  }

  #putCheckpoint(checkpoint: () => Checkpoint | null): void {
    const { log, texts, priorities } = this.#tables;
    const commit = this.head.lastCommit;
    if (commit === null || ![log, texts, priorities].every(({ isCommitted }) => isCommitted)) return;
    const found = checkpoint();
    if (found) this.#checkpoint.write({ ...found, columns: { ...found.columns, ...this.#log.places.columns() } }, commit.number);
  }

  /**
   * Lets URLs wait as if they had never been settled. The change is on disk when it resolves.
   * @throws StoreError
   */
  async unsettle(urls: Iterable<readonly [Slot, UrlName]>): Promise<void> {
    for (const [slot, name] of urls) if (this.#log.places.of('fate', slot) > 0) this.push(slot, { kind: 'unsettled', ...name });
    const batches = this.#log.batches();
    await this.#commitBatches(batches, this.head.lastCommit, this.head);
    for (const batch of batches) batch.forget();
  }

  /** Call it within a transaction, after everything else. @param mark null: nothing was ever committed, so there is no head */
  #putHead(mark: CommitMark | null, head: CurrentHead): void {
    if (mark) putHead(this.#root, { ...head.storedAs(mark), entries: this.#log.entries });
  }

  /**
   * Stores a model's judgements of pages and links. They become active when the store is opened with the model's name.
   * @throws StoreError
   */
  putRejudgement(made: MadeRejudgement): Promise<void> {
    return this.#written(() => writeRejudgement(this.#database, made, () => this.#putHead(this.head.lastCommit, this.head)));
  }

  /** The data are on disk when it resolves. @throws StoreError */
  async #written(transactions: () => Promise<unknown>): Promise<void> {
    makeRoom(this.#path);
    try {
      await transactions();
      await this.#root.flushed;
    } catch (error) {
      this.#failed = true;
      throw await commitErrorFrom(error, this.#path);
    }
  }

  #decode<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw undecodable(this.#path, error);
    }
  }
}

/** @throws Error of any kind for links that cannot be unpacked */
function refuseUnreadable(entry: LogEntry): void {
  if (entry.kind === 'discovery') void entry.discovery.links.length;
}
