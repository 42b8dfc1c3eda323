import { dirname, join } from 'node:path';
import type { DatabaseOptions, RootDatabase } from 'lmdb';
import { InvariantError, messageOf, StoreError } from '../core/errors.ts';
import type { CommitMark, CorpusOffsets } from '../core/parts/queueing.ts';
import type { Bytes, Fate, Revisit, Unit } from '../core/types.ts';
import { AS_BYTES, CheckedTable, packed, type ValueForm } from './checked-table.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type { HostHealth } from './host-health.ts';
import {
  commitErrorFrom,
  damaged,
  giveRoomBack,
  makeRoom,
  openErrorFrom,
  readThrough,
  refuseDamagedLmdb,
  refuseFullDisk,
  undecodable,
} from './lmdb-file.ts';
import { type Head, isChecked, putCheckpoint, putHead, readHead } from './lmdb-head.ts';
import { giveUp, hasTable, isReadable, openRoot, openToRead, refuseReadHere, refuseUnwritable } from './lmdb-read.ts';
import { type PackedDiscovery, packDiscovery, unpackDiscovery } from './packed-discovery.ts';
import { AS_PRIORITIES } from './packed-priorities.ts';
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
const OPTIONS = { maxDbs: 8, noReadAhead: true, eventTurnBatching: false };
const TABLES = ['discoveries', 'fates', 'pages', 'retries', 'revisits', 'hosts', 'rejudgements'];
/** Absent from databases of earlier versions. */
const PRIORITIES = 'priorities';
/** Links of decoded discoveries that are kept for leases, which often take links of one page in turn. About 4 MB. */
const CACHED_LINKS = 8192;
/** The same for a reader, which goes through all of them in several orders. About 32 MB. */
const CACHED_TO_READ = 65_536;
/**
 * Committed discoveries with hashed links stay as they were made: those since the last rescoring, in a crawl of 20,000 pages. This is the size of
 * the hashes of their pages, some 1,100 pages with 60 links. With the strings of these pages they take about three times as much.
 */
const MADE_BYTES: Bytes = 8 * 1024 * 1024;
/** Discoveries that are rejudged in one transaction: some MB. */
const REJUDGED_AT_ONCE = 1000;

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
  readonly #discoveries: CheckedTable<PackedDiscovery | StoredDiscovery>;
  readonly #fates: CheckedTable<StoredFate>;
  /** Title and text of judged pages, compressed. They are most of the bytes and seldom read, so they have a table of their own. */
  readonly #pages: CheckedTable<Uint8Array>;
  readonly #retries: CheckedTable<StoredRetry>;
  readonly #revisits: CheckedTable<Revisit>;
  readonly #hosts: CheckedTable<HostHealth>;
  readonly #rejudgements: RejudgementTable;
  /** null if a database that is opened only for reading has no such table. */
  readonly #priorities: CheckedTable<LinkPriorities> | null;
  readonly #rejudgement: Rejudgement | null;
  readonly #path: string;
  readonly #newDiscoveries = new Map<number, StoredDiscovery>();
  readonly #newFates = new Map<Slot, StoredFate>();
  /** null for a text that is no longer needed. */
  readonly #newPages = new Map<Slot, Uint8Array | null>();
  readonly #newPriorities = new Map<number, LinkPriorities>();
  readonly #newRetries = new Map<Slot, StoredRetry>();
  readonly #newRevisits = new Map<Slot, Revisit>();
  readonly #newHosts = new Map<number, HostHealth>();
  /** The last committed ones, by number: leases and the first rescoring need not decode them, nor hash their links again. See `MADE_BYTES`. */
  readonly #made = new Map<number, StoredDiscovery>();
  #madeBytes: Bytes = 0;
  readonly #cache = new Map<number, StoredDiscovery>();
  #cachedLinks = 0;
  /** Cached links at most. */
  readonly #most: number;
  /** Decoded discoveries with more links than that, from crawls of Forager 0.1, which stored all seeds as one discovery. They are few, and slow to decode. */
  readonly #large = new Map<number, StoredDiscovery>();
  #lastCommit: CommitMark | null;
  #unparkings: readonly Unparking[];
  #committedUnparkings: readonly Unparking[];
  #runs: number;
  #scoredBy: string | null;
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
    this.#most = use === 'write' ? CACHED_LINKS : CACHED_TO_READ;
    const table = <V, K extends number | RejudgementKey>(name: string, form: ValueForm<V>, key: DatabaseOptions) =>
      new CheckedTable<V, K>(root.openDB<Uint8Array, K>({ name, encoding: 'binary', ...key }), form, isChecked(root), (why) =>
        undecodable(path, new Error(`${name}: ${messageOf(why)}`, { cause: why })),
      );
    const bySlot = <V>(name: string, form: ValueForm<V> = packed<V>()) => table<V, number>(name, form, { keyEncoding: 'uint32' });
    this.#discoveries = bySlot('discoveries');
    this.#fates = bySlot('fates', AS_FATE);
    this.#pages = bySlot('pages', AS_BYTES);
    this.#retries = bySlot('retries', AS_RETRY);
    this.#revisits = bySlot('revisits');
    this.#hosts = bySlot('hosts');
    this.#rejudgements = table<Uint8Array, RejudgementKey>('rejudgements', AS_BYTES, {});
    this.#priorities = use === 'write' || hasTable(root, PRIORITIES) ? bySlot(PRIORITIES, AS_PRIORITIES) : null;
    // After all tables are open: opening one ends the current read snapshot, and another process may commit meanwhile.
    const head = readHead(root, join(path, 'data.mdb'));
    this.#head = head;
    refuseOtherCrawl(path, head, crawl);
    this.#crawl = crawl ?? head.crawl;
    this.#refuseLostEntries();
    this.#lastCommit = head.commit;
    this.#unparkings = head.unparkings;
    this.#committedUnparkings = head.unparkings;
    this.#runs = head.runs;
    this.#scoredBy = head.scoredBy;
    this.#rejudgement = judgedBy === null ? null : Rejudgement.load(this.#rejudgements, judgedBy, path);
  }

  /** No read looks for an entry that damage moved to another name or key. The count shows that it is missing. */
  #refuseLostEntries(): void {
    const { entries } = this.#head;
    if (entries === null) return;
    const there = { discoveries: this.#discoveries.size, fates: this.#fates.size };
    for (const name of ['discoveries', 'fates'] as const)
      if (there[name] !== entries[name])
        throw damaged(join(this.#path, 'data.mdb'), `it has ${there[name]} ${name} where ${entries[name]} were committed`);
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
    const reading = use === 'read' && isReadable(path) ? LmdbStore.#openReading(path, judgedBy, crawl) : null;
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
    this.#newDiscoveries.set(index, discovery);
  }

  discovery(index: number): StoredDiscovery {
    const made = this.#newDiscoveries.get(index) ?? this.#made.get(index);
    const found = made ?? this.#cache.get(index) ?? this.#large.get(index) ?? this.#load(index);
    if (!found) throw new InvariantError(`${this.#path}: discovery ${index} is not in the store`);
    return found;
  }

  *discoveries(): Iterable<readonly [number, StoredDiscovery]> {
    for (const [index, packed] of this.#discoveries.all()) yield [index, this.#unpacked(packed)];
    yield* this.#newDiscoveries;
  }

  putPriorities(index: number, given: LinkPriorities): void {
    this.#newPriorities.set(index, given);
  }

  priorities(index: number): LinkPriorities | null {
    return this.#newPriorities.get(index) ?? this.#priorities?.get(index) ?? null;
  }

  get scoredBy(): string | null {
    return this.#scoredBy;
  }

  noteScoredBy(modelId: string): void {
    this.#scoredBy = modelId;
  }

  putFate(slot: Slot, stored: StoredFate): void {
    const { page } = stored.fate;
    if (page) this.#newPages.set(slot, packTexts(page));
    else if (stored.fate.relevance !== null && this.reopened(slot) !== null) this.#newPages.set(slot, null);
    this.#newFates.set(slot, page ? { ...stored, fate: { ...stored.fate, page: null } } : stored);
  }

  fate(slot: Slot): StoredFate | null {
    const stored = this.#newFates.get(slot) ?? this.#fates.get(slot) ?? null;
    return stored && (this.#rejudgement?.fate(slot, stored) ?? stored);
  }

  page(slot: Slot): Fate['page'] {
    const fresh = this.#newPages.get(slot);
    const packed = fresh === undefined ? this.#pages.get(slot) : fresh;
    if (!packed) return null;
    try {
      return unpackTexts(packed);
    } catch (error) {
      throw undecodable(this.#path, error);
    }
  }

  *fates(): Iterable<readonly [Slot, StoredFate]> {
    for (const [key, value] of this.#fates.all()) if (!this.#newFates.has(key)) yield [key, this.#rejudgement?.fate(key, value) ?? value];
    yield* this.#newFates;
  }

  reopened(slot: Slot): Unit | null {
    if (!this.#rejudgement?.accepts(slot)) return null;
    const stored = this.fate(slot);
    return stored && this.#rejudgement.reopens(slot, stored) ? stored.fate.relevance : null;
  }

  putRevisit(slot: Slot, revisit: Revisit): void {
    this.#newRevisits.set(slot, revisit);
  }

  revisit(slot: Slot): Revisit | null {
    const found = this.#newRevisits.get(slot) ?? this.#revisits.get(slot) ?? null;
    return found && (this.#rejudgement?.revisit(slot, found) ?? found);
  }

  *revisits(): Iterable<readonly [Slot, Revisit]> {
    for (const [key, value] of this.#revisits.all())
      if (!this.#newRevisits.has(key)) yield [key, this.#rejudgement?.revisit(key, value) ?? value];
    yield* this.#newRevisits;
  }

  putRetry(slot: Slot, retry: StoredRetry): void {
    this.#newRetries.set(slot, retry);
  }

  retry(slot: Slot): StoredRetry | null {
    return this.#newRetries.get(slot) ?? this.#retries.get(slot) ?? null;
  }

  *retries(): Iterable<readonly [Slot, StoredRetry]> {
    yield* this.#retries.all();
    yield* this.#newRetries;
  }

  putHost(host: number, health: HostHealth): void {
    this.#newHosts.set(host, health);
  }

  *hosts(): Iterable<readonly [number, HostHealth]> {
    yield* this.#hosts.all();
    yield* this.#newHosts;
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

  lastCommit(): CommitMark | null {
    return this.#lastCommit;
  }

  /** For each stored value of each table, its fault in words, or null. O(database). */
  *faults(): Iterable<string | null> {
    yield* this.#discoveries.faults((stored) => this.#unpacked(stored));
    yield* this.#fates.faults();
    yield* this.#pages.faults(unpackTexts);
    yield* this.#retries.faults();
    yield* this.#revisits.faults();
    yield* this.#hosts.faults();
    yield* this.#rejudgements.faults();
    yield* this.#priorities?.faults() ?? [];
  }

  async commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    const discoveries = [...this.#newDiscoveries];
    const fates = [...this.#newFates];
    const pages = [...this.#newPages];
    const priorities = [...this.#newPriorities];
    const retries = [...this.#newRetries];
    const revisits = [...this.#newRevisits];
    const hosts = [...this.#newHosts];
    const unparkings = this.#unparkings;
    const mark = { number: (this.#lastCommit?.number ?? 0) + 1, offsets };
    await after;
    await this.#written(() =>
      this.#root.transaction(() => {
        for (const [index, discovery] of discoveries) this.#discoveries.put(index, packDiscovery(discovery));
        for (const [slot, fate] of fates) this.#fates.put(slot, fate);
        for (const [slot, page] of pages) {
          if (page === null) this.#pages.remove(slot);
          else this.#pages.put(slot, page);
        }
        for (const [index, given] of priorities) this.#priorities?.put(index, given);
        for (const [slot, retry] of retries) this.#retries.put(slot, retry);
        for (const [slot, revisit] of revisits) this.#revisits.put(slot, revisit);
        for (const [host, health] of hosts) this.#hosts.put(host, health);
        this.#putHead(mark, unparkings);
      }),
    );
    this.#lastCommit = mark;
    this.#committedUnparkings = unparkings;
    forget(this.#newDiscoveries, discoveries);
    this.#keepMade(discoveries);
    forget(this.#newFates, fates);
    forget(this.#newPages, pages);
    forget(this.#newPriorities, priorities);
    forget(this.#newRetries, retries);
    forget(this.#newRevisits, revisits);
    forget(this.#newHosts, hosts);
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

  /** After a failed commit LMDB would wait for its flush for ever, so the database stays open until the process ends. */
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
    const sizes = [this.#newDiscoveries, this.#newFates, this.#newPriorities, this.#newRetries, this.#newRevisits, this.#newHosts];
    const isReleased = this.#unparkings === this.#committedUnparkings;
    return isReleased && this.#newPages.size === 0 && sizes.every(({ size }) => size === 0);
  }

  /** Where there is no room for it, the next opening replays everything stored. */
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
          this.#fates.remove(slot);
          this.#revisits.remove(slot);
          this.#pages.remove(slot);
        }
        if (this.#lastCommit) this.#putHead(this.#lastCommit);
      }),
    );
  }

  /** Call it within a transaction, after everything else. */
  #putHead(mark: CommitMark, unparkings = this.#unparkings): void {
    const entries = { discoveries: this.#discoveries.size, fates: this.#fates.size };
    putHead(this.#root, this.#head.format, {
      crawl: this.#crawl,
      ...mark,
      unparkings,
      runs: this.#runs,
      ...(this.#scoredBy !== null && { scoredBy: this.#scoredBy }),
      ...entries,
    });
  }

  /**
   * Stores a model's judgements of pages and links. They become active when the store is opened with the model's name. Of earlier models, only
   * `inForce` stays. A crash leaves them incomplete, and the next call overwrites them.
   * @param pages relevance by slot, NaN without a judgement
   * @param links see `linkScores`
   * @param topics the same of each of several topics; null for one
   * @throws StoreError
   */
  async putRejudgement(
    modelId: string,
    inForce: string | null,
    head: RejudgementHead,
    pages: Float64Array,
    links: Iterable<readonly [index: number, scores: Float64Array]>,
    topics: TopicRejudgements | null = null,
  ): Promise<void> {
    await this.#written(async () => {
      await this.#forgetRejudgements(inForce);
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
    const packed = this.#discoveries.get(index);
    if (!packed) return undefined;
    const stored = this.#unpacked(packed);
    const found = this.#rejudgement?.discovery(index, stored) ?? stored;
    if (found.links.length > this.#most) this.#large.set(index, found);
    else this.#keep(index, found);
    return found;
  }

  /** The discoveries committed first are dropped. */
  #keepMade(committed: readonly (readonly [number, StoredDiscovery])[]): void {
    for (const [index, discovery] of committed) {
      const bytes = hashBytesOf(discovery);
      if (bytes === 0) continue;
      this.#made.set(index, discovery);
      this.#madeBytes += bytes;
    }
    for (const [oldest, discovery] of this.#made) {
      if (this.#madeBytes <= MADE_BYTES) break;
      this.#made.delete(oldest);
      this.#madeBytes -= hashBytesOf(discovery);
    }
  }

  /** The least recently decoded discoveries are dropped. */
  #keep(index: number, found: StoredDiscovery): void {
    this.#cache.set(index, found);
    this.#cachedLinks += found.links.length;
    for (const [oldest, { links }] of this.#cache) {
      if (this.#cachedLinks <= this.#most) break;
      this.#cache.delete(oldest);
      this.#cachedLinks -= links.length;
    }
  }
}

/** @throws StoreError that names both crawls */
function refuseOtherCrawl(path: string, { crawl: own }: Head, crawl: string | null): void {
  if (own === null || crawl === null || own === crawl) return;
  throw new StoreError(
    'STORE_CORRUPT',
    `${path}: is the frontier of crawl ${own}, but this is crawl ${crawl}; restore this crawl's frontier from a copy, or rebuild it from the corpus: forager repair ${dirname(path)}`,
  );
}

/** Size of the hashes of all links of the page, which its links share; 0 if they have none. */
function hashBytesOf({ links }: StoredDiscovery): Bytes {
  return links[0]?.text.hashes?.numbers.byteLength ?? 0;
}

/** Drops committed entries, unless they were written again meanwhile. */
function forget<V>(buffer: Map<number, V>, committed: readonly (readonly [number, V])[]): void {
  for (const [key, value] of committed) if (buffer.get(key) === value) buffer.delete(key);
}
