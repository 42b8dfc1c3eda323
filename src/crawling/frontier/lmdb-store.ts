import { dirname, join } from 'node:path';
import type { DatabaseOptions, RootDatabase } from 'lmdb';
import { InvariantError, messageOf, StoreError } from '../../base/core/errors.ts';
import type { CommitMark, CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { Fate, RecordId, Revisit, Unit } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { AS_BYTES, CheckedTable, packed, type ValueForm } from './checked-table.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { DecodedDiscoveries } from './decoded-discoveries.ts';
import type { LogMark } from './frontier-log.ts';
import type { HostHealth } from './host-health.ts';
import {
  commitErrorFrom,
  damagedDatabase,
  giveRoomBack,
  makeRoom,
  openErrorFrom,
  readThrough,
  refuseDamagedLmdb,
  refuseFullDisk,
  undecodable,
} from './lmdb-file.ts';
import { type EntryCounts, type Head, isChecked, putCheckpoint, putHead, readDatabaseHead } from './lmdb-head.ts';
import { giveUp, hasTable, isReadableDatabase, openRoot, openToRead, refuseReadHere, refuseUnwritable } from './lmdb-read.ts';
import { type PackedDiscovery, packDiscovery, unpackDiscovery } from './packed-discovery.ts';
import { AS_PRIORITIES } from './packed-priorities.ts';
import { PendingTable, valueIn, valuesIn } from './pending-table.ts';
import {
  bytesOf,
  Rejudgement,
  type RejudgementHead,
  type RejudgementKey,
  type RejudgementTable,
  type TopicRejudgements,
} from './rejudgement.ts';
import type { FrontierStore, LinkPriorities, StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import { AS_FATE, AS_RETRY } from './stored-reasons.ts';
import { packTexts, unpackTexts } from './stored-texts.ts';
import type { Slot } from './url-table.ts';

/** Batches by event turn have a promise that nobody holds: if their commit fails, that ends the process. For reading ahead see `readThrough`. */
const OPTIONS = { maxDbs: 9, noReadAhead: true, eventTurnBatching: false };
const TABLES = ['discoveries', 'fates', 'pages', 'retries', 'revisits', 'hosts', 'rejudgements'];
/** Absent from databases of earlier versions. */
const PRIORITIES = 'priorities';
const LOST = 'lost';
/** All tables, with the options of their keys. */
export const TABLE_KEYS: Readonly<Record<string, DatabaseOptions>> = Object.fromEntries(
  [...TABLES, PRIORITIES, LOST].map((name) => [name, name === 'rejudgements' ? {} : { keyEncoding: 'uint32' }]),
);
/** Discoveries that are rejudged in one transaction: some MB. */
const REJUDGED_AT_ONCE = 1000;

/** Tables of a database. A writer makes all of them in one transaction, since each of its own would be flushed to disk alone. */
function openTables(root: RootDatabase<unknown, string>, path: string, use: 'read' | 'write') {
  return use === 'write' ? root.transactionSync(() => tablesOf(root, path, use)) : tablesOf(root, path, use);
}

function tablesOf(root: RootDatabase<unknown, string>, path: string, use: 'read' | 'write') {
  const table = <V, K extends number | RejudgementKey>(name: string, form: ValueForm<V>, key: DatabaseOptions) =>
    new CheckedTable<V, K>(root.openDB<Uint8Array, K>({ name, encoding: 'binary', ...key }), form, isChecked(root), (why) =>
      undecodable(path, new Error(`${name}: ${messageOf(why)}`, { cause: why })),
    );
  const bySlot = <V>(name: string, form: ValueForm<V> = packed<V>()) => table<V, number>(name, form, { keyEncoding: 'uint32' });
  const pending = <V>(name: string, form?: ValueForm<V>) => new PendingTable<V>(bySlot(name, form), (value) => value);
  const later = <V>(name: string, form?: ValueForm<V>) =>
    use === 'write' || hasTable(root, name) ? pending<V>(name, form) : new PendingTable<V>(null, (value) => value);
  return {
    discoveries: new PendingTable(bySlot<PackedDiscovery | StoredDiscovery>('discoveries'), packDiscovery),
    fates: pending('fates', AS_FATE),
    pages: pending('pages', AS_BYTES),
    retries: pending('retries', AS_RETRY),
    revisits: pending<Revisit>('revisits'),
    hosts: pending<HostHealth>('hosts'),
    rejudgements: table<Uint8Array, RejudgementKey>('rejudgements', AS_BYTES, {}),
    priorities: later(PRIORITIES, AS_PRIORITIES),
    lostRecords: later<RecordId>(LOST),
  };
}

/**
 * A frontier store in LMDB: one record for the discoveries of each page, one for each settled URL. A commit resolves when its transaction is flushed
 * to disk. After kill -9 or power loss, the store opens at the last flushed transaction.
 */
export class LmdbStore implements FrontierStore {
  readonly #root: RootDatabase<unknown, string>;
  readonly #head: Head;
  readonly #crawl: string | null;
  readonly #judgedBy: string | null;
  /** Id of the checkpoint from which the columns were restored; null if there was none. */
  #checkpoint: string | null = null;
  readonly #discoveries: PendingTable<StoredDiscovery, PackedDiscovery | StoredDiscovery>;
  readonly #fates: PendingTable<StoredFate>;
  /** Title and text of judged pages, compressed. They are most of the bytes and seldom read, so they have a table of their own. */
  readonly #pages: PendingTable<Uint8Array>;
  readonly #retries: PendingTable<StoredRetry>;
  readonly #revisits: PendingTable<Revisit>;
  readonly #hosts: PendingTable<HostHealth>;
  readonly #priorities: PendingTable<LinkPriorities>;
  /** Records that are lost with their corpus: by slot, the id. `#lost` has all of them. */
  readonly #lostRecords: PendingTable<RecordId>;
  readonly #lost: Map<Slot, RecordId>;
  readonly #rejudgements: RejudgementTable;
  readonly #rejudgement: Rejudgement | null;
  readonly #path: string;
  readonly #decoded: DecodedDiscoveries;
  #lastCommit: CommitMark | null;
  #unparkings: readonly Unparking[];
  #committedUnparkings: readonly Unparking[];
  #runs: number;
  #scoredBy: string | null;
  #notes: CrawlNotes;
  readonly #heads: Map<number, number>;
  #logged: LogMark | null;
  #failed = false;
  readonly #writes: boolean;

  private constructor(
    path: string,
    root: RootDatabase<unknown, string>,
    judgedBy: string | null,
    crawl: string | null,
    use: 'read' | 'write',
  ) {
    this.#path = path;
    this.#root = root;
    this.#writes = use === 'write';
    this.#judgedBy = judgedBy;
    this.#decoded = new DecodedDiscoveries(use);
    const tables = openTables(root, path, use);
    this.#discoveries = tables.discoveries;
    this.#fates = tables.fates;
    this.#pages = tables.pages;
    this.#retries = tables.retries;
    this.#revisits = tables.revisits;
    this.#hosts = tables.hosts;
    this.#rejudgements = tables.rejudgements;
    this.#priorities = tables.priorities;
    this.#lostRecords = tables.lostRecords;
    this.#lost = new Map(valuesIn(this.#lostRecords));
    // After all tables are open: opening one ends the current read snapshot, and another process may commit meanwhile.
    const head = readDatabaseHead(root, join(path, 'data.mdb'));
    this.#head = head;
    refuseOtherCrawl(path, head, crawl);
    this.#crawl = crawl ?? head.crawl;
    this.#refuseLostEntries();
    this.#lastCommit = head.commit;
    this.#unparkings = head.unparkings;
    this.#committedUnparkings = head.unparkings;
    this.#runs = head.runs;
    this.#scoredBy = head.scoredBy;
    this.#notes = head.notes;
    this.#heads = new Map(head.heads);
    this.#logged = head.logged;
    this.#rejudgement = judgedBy === null ? null : Rejudgement.load(this.#rejudgements, judgedBy, path);
  }

  get #entries(): EntryCounts {
    return { discoveries: this.#discoveries.stored?.size ?? 0, fates: this.#fates.stored?.size ?? 0 };
  }

  /** No read looks for an entry that damage moved to another name or key. The count shows that it is missing. */
  #refuseLostEntries(): void {
    const { entries } = this.#head;
    if (entries === null) return;
    const there = this.#entries;
    for (const name of ['discoveries', 'fates'] as const)
      if (there[name] !== entries[name])
        throw damagedDatabase(join(this.#path, 'data.mdb'), `it has ${there[name]} ${name} where ${entries[name]} were committed`);
  }

  /**
   * @param judgedBy the model whose rejudgement is active; null for none
   * @param crawl id of the expected crawl; null accepts any
   * @param use `read`: nothing is written to the database, unless it needs repair
   * @throws StoreError if the directory cannot be opened, is damaged, belongs to another crawl or version, or has no such rejudgement
   */
  static open(path: string, judgedBy: string | null, crawl: string | null = null, use: 'read' | 'write' = 'write'): LmdbStore {
    const file = join(path, 'data.mdb');
    refuseDamagedLmdb(file);
    const reading = use === 'read' && isReadableDatabase(path) ? LmdbStore.#openReading(path, judgedBy, crawl) : null;
    if (reading !== null) return reading;
    if (use === 'write') refuseReadHere(path);
    refuseUnwritable(path);
    refuseFullDisk(path);
    let root: RootDatabase<unknown, string> | null = null;
    try {
      root = openRoot({ path, ...OPTIONS });
      return new LmdbStore(path, root, judgedBy, crawl, 'write');
    } catch (error) {
      if (root) giveUp(root);
      throw openErrorFrom(error, path);
    }
  }

  /** null for a database of an earlier version, which lacks tables that only a writer can create. */
  static #openReading(path: string, judgedBy: string | null, crawl: string | null): LmdbStore | null {
    let root: RootDatabase<unknown, string> | null = null;
    try {
      root = openToRead(path, OPTIONS, TABLES);
      return root && new LmdbStore(path, root, judgedBy, crawl, 'read');
    } catch (error) {
      if (root) giveUp(root);
      throw openErrorFrom(error, path);
    }
  }

  appendDiscovery(index: number, discovery: StoredDiscovery): void {
    this.#discoveries.put(index, discovery);
  }

  discovery(index: number): StoredDiscovery {
    const found = this.#discoveries.fresh(index) ?? this.#decoded.get(index) ?? this.#load(index);
    if (!found) throw new InvariantError(`${this.#path}: discovery ${index} is not in the store`);
    return found;
  }

  *discoveries(): Iterable<readonly [number, StoredDiscovery]> {
    for (const [index, packed] of this.#discoveries.allStored()) yield [index, this.#unpacked(packed)];
    yield* this.#discoveries.allFresh();
  }

  putPriorities(index: number, given: LinkPriorities): void {
    this.#priorities.put(index, given);
  }

  priorities(index: number): LinkPriorities | null {
    return valueIn(this.#priorities, index);
  }

  get scoredBy(): string | null {
    return this.#scoredBy;
  }

  noteScoredBy(modelId: string): void {
    this.#scoredBy = modelId;
  }

  /** The number of the last commit that a view of a shared log read from it, by partition. */
  get heads(): ReadonlyMap<number, number> {
    return this.#heads;
  }

  /** The view now has a partition's log up to this commit; stored with the next one. */
  noteHead(partition: number, commit: number): void {
    this.#heads.set(partition, commit);
  }

  /** The last commit that a view of a shared log knows by its id; null for none. */
  get logged(): LogMark | null {
    return this.#logged;
  }

  /** The view knows this commit of the log; stored with the next one. Commits without an id, and earlier ones, tell nothing. */
  noteLogged(mark: LogMark): void {
    if (mark.id !== null && mark.commit >= (this.#logged?.commit ?? 0)) this.#logged = mark;
  }

  putFate(slot: Slot, stored: StoredFate): void {
    const { page } = stored.fate;
    if (page) this.#pages.put(slot, packTexts(page));
    else if (stored.fate.relevance !== null && this.reopened(slot) !== null) this.#pages.remove(slot);
    this.#fates.put(slot, page ? { ...stored, fate: { ...stored.fate, page: null } } : stored);
  }

  /** Replaces the fate of a page that was taken back. Its texts and revisits go with the next commit. */
  purge(slot: Slot, stored: StoredFate): void {
    this.#fates.put(slot, stored);
    this.#pages.remove(slot);
    this.#revisits.remove(slot);
  }

  fate(slot: Slot): StoredFate | null {
    const stored = valueIn(this.#fates, slot);
    return stored && (this.#rejudgement?.fate(slot, stored) ?? stored);
  }

  page(slot: Slot): Fate['page'] {
    const packed = valueIn(this.#pages, slot);
    if (packed === null) return null;
    try {
      return unpackTexts(packed);
    } catch (error) {
      throw undecodable(this.#path, error);
    }
  }

  *fates(): Iterable<readonly [Slot, StoredFate]> {
    for (const [key, value] of this.#fates.allStored()) yield [key, this.#rejudgement?.fate(key, value) ?? value];
    yield* this.#fates.allFresh();
  }

  reopened(slot: Slot): Unit | null {
    const lost = this.#lost.get(slot);
    if (lost === undefined && !this.#rejudgement?.accepts(slot)) return null;
    const stored = this.fate(slot);
    if (stored === null) return null;
    const isLost = lost !== undefined && stored.fate.recordId === lost;
    return isLost || this.#rejudgement?.reopens(slot, stored) ? stored.fate.relevance : null;
  }

  /** The record of a kept page is lost: the page waits for another visit. */
  putLost(slot: Slot, record: RecordId): void {
    this.#lost.set(slot, record);
    this.#lostRecords.put(slot, record);
  }

  /** Are there judgements of this model? */
  hasRejudgement(modelId: string): boolean {
    return this.#rejudgements.get([modelId, 'head', 0]) !== undefined;
  }

  putRevisit(slot: Slot, revisit: Revisit): void {
    this.#revisits.put(slot, revisit);
  }

  revisit(slot: Slot): Revisit | null {
    const found = valueIn(this.#revisits, slot);
    return found && (this.#rejudgement?.revisit(slot, found) ?? found);
  }

  *revisits(): Iterable<readonly [Slot, Revisit]> {
    for (const [key, value] of this.#revisits.allStored()) yield [key, this.#rejudgement?.revisit(key, value) ?? value];
    yield* this.#revisits.allFresh();
  }

  putRetry(slot: Slot, retry: StoredRetry): void {
    this.#retries.put(slot, retry);
  }

  retry(slot: Slot): StoredRetry | null {
    return valueIn(this.#retries, slot);
  }

  retries(): Iterable<readonly [Slot, StoredRetry]> {
    return valuesIn(this.#retries);
  }

  putHost(host: number, health: HostHealth): void {
    this.#hosts.put(host, health);
  }

  hosts(): Iterable<readonly [number, HostHealth]> {
    return valuesIn(this.#hosts);
  }

  unparkings(): readonly Unparking[] {
    return this.#unparkings;
  }

  putUnparking(unparking: Unparking): void {
    this.#unparkings = [...this.#unparkings, unparking];
  }

  get runs(): number {
    return this.#runs;
  }

  noteRuns(runs: number): void {
    this.#runs = runs;
  }

  get notes(): CrawlNotes {
    return this.#notes;
  }

  note(notes: CrawlNotes): void {
    this.#notes = { ...this.#notes, ...notes };
  }

  lastCommit(): CommitMark | null {
    return this.#lastCommit;
  }

  /** Yields for each stored value of each table its fault in words, or null. O(database). */
  *faults(): Iterable<string | null> {
    yield* this.#discoveries.stored?.faults((stored) => this.#unpacked(stored)) ?? [];
    yield* this.#fates.stored?.faults() ?? [];
    yield* this.#pages.stored?.faults((packed) => unpackTexts(packed)) ?? [];
    yield* this.#retries.stored?.faults() ?? [];
    yield* this.#revisits.stored?.faults() ?? [];
    yield* this.#hosts.stored?.faults() ?? [];
    yield* this.#rejudgements.faults();
    yield* this.#priorities.stored?.faults() ?? [];
    yield* this.#lostRecords.stored?.faults() ?? [];
  }

  async commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    const discoveries = this.#discoveries.batch();
    const others = [this.#fates, this.#pages, this.#priorities, this.#retries, this.#revisits, this.#hosts, this.#lostRecords];
    const batches = [discoveries, ...others.map((one) => one.batch())];
    const unparkings = this.#unparkings;
    const mark = { number: (this.#lastCommit?.number ?? 0) + 1, offsets };
    await after;
    await this.#written(() =>
      this.#root.transaction(() => {
        for (const batch of batches) batch.write();
        this.#putHead(mark, unparkings);
      }),
    );
    this.#lastCommit = mark;
    this.#committedUnparkings = unparkings;
    for (const batch of batches) batch.forget();
    for (const [index, discovery] of discoveries.entries) if (discovery !== null) this.#decoded.keepMade(index, discovery);
  }

  checkpoint(): Checkpoint | null {
    const { checkpoint } = this.#head;
    const found = checkpoint === null ? null : readCheckpoint(this.#path, checkpoint, this.#judgedBy);
    if (found !== null) this.#checkpoint = checkpoint;
    return found;
  }

  readAhead(): void {
    readThrough(join(this.#path, 'data.mdb'));
  }

  /**
   * Closes the database, except after a failed commit: LMDB would wait for its flush for ever, so the database stays open until the process
   * ends.
   */
  async close(checkpoint: () => Checkpoint | null = () => null): Promise<void> {
    if (this.#failed) return;
    if (this.#writes) {
      if (this.#isCommitted) this.#putCheckpoint(checkpoint());
      // Within a transaction: a crawl that has lost its lock is also closed, and LMDB then lets nobody else write.
      this.#root.transactionSync(() => giveRoomBack(this.#path));
    }
    await this.#root.close();
  }

  get #isCommitted(): boolean {
    const tables = [
      this.#discoveries,
      this.#fates,
      this.#pages,
      this.#priorities,
      this.#retries,
      this.#revisits,
      this.#hosts,
      this.#lostRecords,
    ];
    return this.#unparkings === this.#committedUnparkings && tables.every(({ isCommitted }) => isCommitted);
  }

  /** Stores a checkpoint if there is room for it. Without one, the next opening replays everything stored. */
  #putCheckpoint(checkpoint: Checkpoint | null): void {
    const commit = this.#lastCommit;
    if (checkpoint === null || commit === null) return;
    try {
      makeRoom(this.#path);
    } catch {
      return;
    }
    const file = join(this.#path, 'data.mdb');
    const write = () => writeCheckpoint(this.#path, this.#judgedBy, checkpoint);
    this.#root.transactionSync(() => putCheckpoint(this.#root, file, commit.number, this.#checkpoint, write));
  }

  /**
   * Lets URLs wait as if they had never been settled. The change is on disk when it resolves.
   * @throws StoreError
   */
  async unsettle(slots: readonly Slot[]): Promise<void> {
    await this.#written(() =>
      this.#root.transaction(() => {
        for (const slot of slots) {
          this.#fates.stored?.remove(slot);
          this.#revisits.stored?.remove(slot);
          this.#pages.stored?.remove(slot);
        }
        if (this.#lastCommit) this.#putHead(this.#lastCommit);
      }),
    );
  }

  /** Call it within a transaction, after everything else. */
  #putHead(mark: CommitMark, unparkings = this.#unparkings): void {
    putHead(this.#root, this.#head.format, {
      crawl: this.#crawl,
      ...mark,
      unparkings,
      runs: this.#runs,
      ...(this.#scoredBy !== null && { scoredBy: this.#scoredBy }),
      ...(Object.keys(this.#notes).length > 0 && { notes: this.#notes }),
      ...(this.#heads.size > 0 && { heads: [...this.#heads] }),
      ...(this.#logged !== null && { logged: this.#logged }),
      ...this.#entries,
    });
  }

  /**
   * Stores a model's judgements of pages and links. They become active when the store is opened with the model's name. Of earlier models, only
   * `active` stays. A crash leaves them incomplete, and the next call overwrites them.
   * @param pages relevance by slot, NaN without a judgement
   * @param links see `linkScores`
   * @param topics the same of each of several topics; null for one
   * @param wanted 1 by slot for a page of a wanted subtopic; null without a wish
   * @throws StoreError
   */
  async putRejudgement(
    modelId: string,
    active: string | null,
    head: RejudgementHead,
    pages: Float64Array,
    links: Iterable<readonly [index: number, scores: Float64Array]>,
    topics: TopicRejudgements | null = null,
    wanted: Float64Array | null = null,
  ): Promise<void> {
    await this.#written(async () => {
      await this.#forgetRejudgements(active);
      const waiting: (readonly [number, Float64Array])[] = [];
      const write = () => {
        makeRoom(this.#path);
        return this.#root.transaction(() => {
          for (const [index, scores] of waiting.splice(0)) this.#rejudgements.put([modelId, 'links', index], bytesOf(scores));
        });
      };
      for (const one of links) if (waiting.push(one) === REJUDGED_AT_ONCE) await write();
      await write();
      await this.#root.transaction(() => {
        this.#rejudgements.put([modelId, 'pages', 0], bytesOf(pages));
        for (const [i, relevances] of topics?.relevances.entries() ?? [])
          this.#rejudgements.put([modelId, 'topics', i], bytesOf(relevances));
        if (topics !== null) this.#rejudgements.put([modelId, 'kept-for', 0], bytesOf(topics.keptFor));
        if (wanted !== null) this.#rejudgements.put([modelId, 'wanted', 0], bytesOf(wanted));
        this.#rejudgements.put([modelId, 'head', 0], Buffer.from(JSON.stringify(head)));
        if (this.#lastCommit) this.#putHead(this.#lastCommit);
      });
    });
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

  async #forgetRejudgements(except: string | null): Promise<void> {
    const keys = [...this.#rejudgements.keys()].filter(([modelId]) => modelId !== except);
    await this.#root.transaction(() => {
      for (const key of keys) this.#rejudgements.remove(key);
    });
  }

  /** @throws StoreError */
  #unpacked(stored: PackedDiscovery | StoredDiscovery): StoredDiscovery {
    try {
      return 'links' in stored ? stored : unpackDiscovery(stored);
    } catch (error) {
      throw undecodable(this.#path, error);
    }
  }

  #load(index: number): StoredDiscovery | undefined {
    const packed = this.#discoveries.stored?.get(index);
    if (!packed) return undefined;
    const stored = this.#unpacked(packed);
    const found = this.#rejudgement?.discovery(index, stored) ?? stored;
    this.#decoded.keep(index, found);
    return found;
  }
}

/**
 * The head of the database in a folder, read without a change: no table is added to it.
 * @param crawl id of the expected crawl; null accepts any
 * @throws StoreError if it is damaged, or belongs to another crawl or version
 */
export async function storedHeadOf(path: string, crawl: string | null): Promise<Head> {
  const file = join(path, 'data.mdb');
  refuseDamagedLmdb(file);
  let root: RootDatabase<unknown, string> | null = null;
  try {
    // After a power cut, opening it to read would write to it as well.
    root = (isReadableDatabase(path) ? openToRead(path, OPTIONS, []) : null) ?? openRoot({ path, ...OPTIONS });
    const head = readDatabaseHead(root, file);
    refuseOtherCrawl(path, head, crawl);
    return head;
  } catch (error) {
    throw openErrorFrom(error, path);
  } finally {
    await root?.close();
  }
}

/** @throws StoreError that names both crawls */
function refuseOtherCrawl(path: string, { crawl: own }: Head, crawl: string | null): void {
  if (own === null || crawl === null || own === crawl) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${path}: is the frontier of crawl ${own}, but this is crawl ${crawl}; restore this crawl's frontier from a copy, or rebuild it from the corpus: ${commandOn('repair', dirname(path))}`,
  );
}
