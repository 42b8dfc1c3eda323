import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { InvariantError, type StoreError } from '../../base/core/errors.ts';
import type { CommitMark, CorpusOffsets, CrawlNotes } from '../../base/core/parts/queueing.ts';
import type { Fate, HostKey, RecordId, Revisit, Unit } from '../../base/core/types.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { DecodedDiscoveries } from './decoded-discoveries.ts';
import type { LogMark } from './frontier-log.ts';
import type { HostHealth } from './host-health.ts';
import { commitErrorFrom, damagedDatabase, giveRoomBack, makeRoom, openErrorFrom, readThrough, undecodable } from './lmdb-file.ts';
import { type Head, putCheckpoint, putHead, type StoredHead } from './lmdb-head.ts';
import { type OpenDatabase, openDatabase } from './lmdb-opening.ts';
import { giveUp } from './lmdb-read.ts';
import type { FrontierTables } from './lmdb-tables.ts';
import { type LogEntry, type UrlName, withoutPage } from './log-entry.ts';
import type { LogOutbox } from './log-outbox.ts';
import { LogPlaces, PLACE_COLUMNS } from './log-places.ts';
import type { LoggedStep } from './logged-step.ts';
import { entryIn } from './logged-value.ts';
import { packDiscovery, unpackDiscovery } from './packed-discovery.ts';
import { valueIn, valuesIn } from './pending-table.ts';
import { bytesOf, Rejudgement, type RejudgementHead, type TopicRejudgements } from './rejudgement.ts';
import type { FrontierStore, LinkPriorities, StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import { packTexts, unpackTexts } from './stored-texts.ts';
import type { Slot } from './url-table.ts';
import type { WholeFrontier } from './write-frontier.ts';

/** Discoveries that are rejudged in one transaction: some MB. */
const REJUDGED_AT_ONCE = 1000;

/**
 * A frontier store in LMDB: a log of all steps, and the place of the newest one about each URL, host and discovery. A commit resolves when its
 * transaction is flushed to disk. After kill -9 or power loss, the store opens at the last flushed transaction.
 */
export class LmdbStore implements FrontierStore {
  readonly #database: OpenDatabase;
  readonly #path: string;
  readonly #root: RootDatabase<unknown, string>;
  readonly #head: Head;
  readonly #crawl: string | null;
  readonly #judgedBy: string | null;
  readonly #tables: FrontierTables;
  readonly #rejudgement: Rejudgement | null;
  readonly #decoded: DecodedDiscoveries;
  /** null for a crawl on one machine. */
  readonly #outbox: LogOutbox | null;
  /** null until the first read or write of a step. */
  #known: LogPlaces | null = null;
  /** Records that are lost with their corpus, by slot. */
  readonly #lost = new Map<Slot, RecordId>();
  /** Number of the next entry. */
  #next: number;
  /** Id of the checkpoint from which the columns were restored; null if there was none. */
  #checkpoint: string | null = null;
  #lastCommit: CommitMark | null;
  #runs: number;
  #scoredBy: string | null;
  #notes: CrawlNotes;
  readonly #heads: Map<number, number>;
  #logged: LogMark | null;
  #failed = false;

  private constructor(database: OpenDatabase, judgedBy: string | null, crawl: string | null, outbox: LogOutbox | null) {
    const { path, root, tables, head, writes } = database;
    [this.#database, this.#path, this.#root, this.#tables, this.#head] = [database, path, root, tables, head];
    [this.#judgedBy, this.#outbox] = [judgedBy, outbox];
    this.#decoded = new DecodedDiscoveries(writes ? 'write' : 'read');
    this.#crawl = crawl ?? head.crawl;
    this.#next = head.entries + 1;
    this.#lastCommit = head.commit;
    this.#runs = head.runs;
    this.#scoredBy = head.scoredBy;
    this.#notes = head.notes;
    this.#heads = new Map(head.heads);
    this.#logged = head.logged;
    this.#rejudgement = judgedBy === null ? null : Rejudgement.load(this.#tables.rejudgements, judgedBy, path);
  }

  get #entries(): number {
    return this.#tables.log.stored?.size ?? 0;
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

  // The log.

  /** The places of the log. The first use reads a checkpoint, or the whole log. @throws StoreError for a damaged entry */
  get #places(): LogPlaces {
    this.#known ??= this.#placesOfCheckpoint() ?? this.#placesOfLog();
    return this.#known;
  }

  #placesOfCheckpoint(): LogPlaces | null {
    const { checkpoint } = this.#head;
    const found = checkpoint === null ? null : readCheckpoint(this.#path, checkpoint, { only: PLACE_COLUMNS });
    const places = new LogPlaces();
    if (found === null || !places.restore(found.columns)) return null;
    for (const slot of places.keys('lost')) this.#noteLost(slot, this.#entryAt(places.of('lost', slot)));
    return places;
  }

  #placesOfLog(): LogPlaces {
    const places = new LogPlaces();
    readThrough(this.#database.file);
    for (const [place, value] of this.#tables.log.stored?.all() ?? []) {
      places.note(value.kind, value.key, place);
      if (value.kind === 'lost')
        this.#noteLost(
          value.key,
          this.#decode(() => entryIn(value)),
        );
    }
    return places;
  }

  *steps(): Generator<{ readonly key: number; readonly entry: LogEntry }> {
    const places = new LogPlaces();
    this.#known = places;
    this.#lost.clear();
    readThrough(this.#database.file);
    for (const [place, value] of this.#tables.log.stored?.all() ?? []) {
      const entry = this.#decode(() => entryIn(value));
      yield { key: value.key, entry };
      places.note(value.kind, value.key, place);
      this.#noteLost(value.key, entry);
    }
  }

  get mayReopen(): boolean {
    return this.#rejudgement !== null || this.#lost.size > 0;
  }

  #noteLost(slot: Slot, entry: LogEntry): void {
    if (entry.kind === 'lost') this.#lost.set(slot, entry.record);
  }

  /** Adds a step. @param key number of its discovery, URL or host */
  push(key: number, entry: LogEntry): void {
    // The page has another record by now.
    if (entry.kind === 'lost' && this.fate(key)?.fate.recordId !== entry.record) return;
    this.#outbox?.push(entry);
    const places = this.#places;
    const place = this.#next++;
    this.#tables.log.put(place, { key, entry });
    places.note(entry.kind, key, place);
    if (entry.kind === 'fate' && entry.stored.fate.page) this.#tables.texts.put(place, packTexts(entry.stored.fate.page));
    this.#noteLost(key, entry);
  }

  #entryAt(place: number): LogEntry {
    const fresh = this.#tables.log.fresh(place);
    if (fresh) return fresh.entry;
    const value = this.#tables.log.stored?.get(place);
    if (value === undefined) throw this.#damaged(`its log lacks entry ${place}`);
    return this.#decode(() => entryIn(value));
  }

  /** The newest entry of a kind; null without any. */
  #newest<K extends Exclude<LogEntry['kind'], 'unsettled'>>(kind: K, key: number): Extract<LogEntry, { kind: K }> | null {
    const place = this.#places.of(kind, key);
    if (place === 0) return null;
    const entry = this.#entryAt(place);
    if (!isOf(entry, kind)) throw this.#damaged(`entry ${place} of its log is a ${entry.kind} where a ${kind} was`);
    return entry;
  }

  #damaged(why: string): StoreError {
    return damagedDatabase(join(this.#path, 'data.mdb'), why);
  }

  /**
   * The steps in their order, without those that a later one replaced: repeated in this order, they give the state of the frontier. O(log).
   * @throws StoreError for a damaged entry
   */
  *history(): Generator<LoggedStep> {
    const { log, texts } = this.#tables;
    for (let place = 1; place < this.#next; place++) {
      const entry = this.#entryAt(place);
      const key = (log.fresh(place) ?? log.stored?.get(place))?.key ?? 0;
      if (!this.#places.isNewest(entry.kind, key, place)) continue;
      yield { key, entry, texts: entry.kind === 'fate' ? valueIn(texts, place) : null };
    }
  }

  appendDiscovery(index: number, discovery: StoredDiscovery): void {
    this.push(index, { kind: 'discovery', discovery });
  }

  discovery(index: number): StoredDiscovery {
    const fresh = this.#tables.log.fresh(this.#places.of('discovery', index));
    const found = fresh?.entry.kind === 'discovery' ? fresh.entry.discovery : (this.#decoded.get(index) ?? this.#load(index));
    if (!found) throw new InvariantError(`${this.#path}: discovery ${index} is not in the store`);
    return found;
  }

  *discoveries(): Iterable<readonly [number, StoredDiscovery]> {
    for (let index = 0; index < this.#places.discoveries; index++) {
      const entry = this.#newest('discovery', index);
      if (entry) yield [index, entry.discovery];
    }
  }

  #load(index: number): StoredDiscovery | undefined {
    const entry = this.#newest('discovery', index);
    if (!entry) return undefined;
    return this.#decode(() => {
      const stored = unpackDiscovery(packDiscovery(entry.discovery));
      const found = this.#rejudgement?.discovery(index, stored) ?? stored;
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
    const entry = this.#newest('fate', slot);
    if (entry === null) return null;
    const stored = withoutPage(entry.stored);
    return this.#rejudgement?.fate(slot, stored) ?? stored;
  }

  page(slot: Slot): Fate['page'] {
    const place = this.#places.of('fate', slot);
    const packed = place === 0 ? null : valueIn(this.#tables.texts, place);
    return packed && this.#decode(() => unpackTexts(packed));
  }

  *fates(): Iterable<readonly [Slot, StoredFate]> {
    for (const slot of this.#places.settled()) {
      const stored = this.fate(slot);
      if (stored) yield [slot, stored];
    }
  }

  reopened(slot: Slot): Unit | null {
    const lost = this.#lost.get(slot);
    if (lost === undefined && !this.#rejudgement?.accepts(slot)) return null;
    const stored = this.fate(slot);
    if (stored === null) return null;
    const isLost = lost !== undefined && stored.fate.recordId === lost;
    return isLost || this.#rejudgement?.reopens(slot, stored) ? stored.fate.relevance : null;
  }

  putRevisit(slot: Slot, revisit: Revisit, { url, host }: UrlName): void {
    this.push(slot, { kind: 'revisit', url, host, revisit });
  }

  revisit(slot: Slot): Revisit | null {
    const found = this.#newest('revisit', slot)?.revisit ?? null;
    return found && (this.#rejudgement?.revisit(slot, found) ?? found);
  }

  *revisits(): Iterable<readonly [Slot, Revisit]> {
    for (const slot of this.#places.keys('revisit')) {
      const revisit = this.revisit(slot);
      if (revisit) yield [slot, revisit];
    }
  }

  putRetry(slot: Slot, retry: StoredRetry, { url, host }: UrlName): void {
    this.push(slot, { kind: 'retry', url, host, retry });
  }

  retry(slot: Slot): StoredRetry | null {
    return this.#newest('retry', slot)?.retry ?? null;
  }

  *retries(): Iterable<readonly [Slot, StoredRetry]> {
    for (const slot of this.#places.keys('retry')) {
      const retry = this.retry(slot);
      if (retry) yield [slot, retry];
    }
  }

  putHost(index: number, health: HostHealth, host: HostKey): void {
    this.push(index, { kind: 'health', host, health });
  }

  *hosts(): Iterable<readonly [number, HostHealth]> {
    for (const index of this.#places.keys('health')) {
      const entry = this.#newest('health', index);
      if (entry) yield [index, entry.health];
    }
  }

  unparkings(): readonly Unparking[] {
    return [...this.#places.keys('unparking')].flatMap((place) => this.#newest('unparking', place)?.unparking ?? []);
  }

  putUnparking(unparking: Unparking): void {
    this.push(this.#places.unparkings, { kind: 'unparking', unparking });
  }

  /** Are there judgements of this model? */
  hasRejudgement(modelId: string): boolean {
    return this.#tables.rejudgements.get([modelId, 'head', 0]) !== undefined;
  }

  /** Everything in the database, to write it again. */
  whole(): WholeFrontier {
    const { priorities, rejudgements } = this.#tables;
    return {
      head: this.#headOf(this.#lastCommit ?? { number: 0, offsets: {} }),
      steps: this.history(),
      priorities: valuesIn(priorities),
      rejudgements: rejudgements.all(),
    };
  }

  // The head.

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
    const { log, texts, priorities, rejudgements } = this.#tables;
    yield* log.stored?.faults((value) => refuseUnreadable(entryIn(value))) ?? [];
    yield* texts.stored?.faults((packed) => unpackTexts(packed)) ?? [];
    yield* priorities.stored?.faults() ?? [];
    yield* rejudgements.faults();
  }

  /** The shared log of a crawl on several machines has the steps first. */
  async commit(offsets: CorpusOffsets, after: Promise<void>): Promise<void> {
    const { log, texts, priorities } = this.#tables;
    const steps = log.batch();
    const batches = [steps, texts.batch(), priorities.batch()];
    const mark = { number: (this.#lastCommit?.number ?? 0) + 1, offsets };
    const send = this.#outbox?.send(offsets, (held, logged) => {
      for (const partition of held) this.noteHead(partition, logged.commit);
      this.noteLogged(logged);
    });
    await after;
    await send?.();
    await this.#written(() =>
      this.#root.transaction(() => {
        for (const batch of batches) batch.write();
        this.#putHead(mark);
      }),
    );
    this.#lastCommit = mark;
    for (const batch of batches) batch.forget();
    for (const [, step] of steps.entries) if (step?.entry.kind === 'discovery') this.#decoded.keepMade(step.key, step.entry.discovery);
  }

  checkpoint(): Checkpoint | null {
    const { checkpoint } = this.#head;
    const found = checkpoint === null ? null : readCheckpoint(this.#path, checkpoint, { judgedBy: [this.#judgedBy] });
    if (found !== null) this.#checkpoint = checkpoint;
    return found;
  }

  /**
   * Closes the database, except after a failed commit: LMDB would wait for its flush for ever, so the database stays open until the process
   * ends.
   */
  async close(checkpoint: () => Checkpoint | null = () => null): Promise<void> {
    if (this.#failed) return;
    if (this.#database.writes) {
      if (this.#isCommitted) this.#putCheckpoint(checkpoint());
      // Within a transaction: a crawl that has lost its lock is also closed, and LMDB then lets nobody else write.
      this.#root.transactionSync(() => giveRoomBack(this.#path));
    }
    await this.#database.close();
  }

  get #isCommitted(): boolean {
    const { log, texts, priorities } = this.#tables;
    return log.isCommitted && texts.isCommitted && priorities.isCommitted;
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
    const columns = { ...checkpoint.columns, ...this.#places.columns() };
    const write = () => writeCheckpoint(this.#path, this.#judgedBy, { ...checkpoint, columns });
    this.#root.transactionSync(() => putCheckpoint(this.#root, file, commit.number, this.#checkpoint, write));
  }

  /**
   * Lets URLs wait as if they had never been settled. The change is on disk when it resolves.
   * @throws StoreError
   */
  async unsettle(urls: Iterable<readonly [Slot, UrlName]>): Promise<void> {
    for (const [slot, name] of urls) if (this.#places.of('fate', slot) > 0) this.push(slot, { kind: 'unsettled', ...name });
    const batch = this.#tables.log.batch();
    await this.#written(() =>
      this.#root.transaction(() => {
        batch.write();
        if (this.#lastCommit) this.#putHead(this.#lastCommit);
      }),
    );
    batch.forget();
  }

  /** Call it within a transaction, after everything else. */
  #putHead(mark: CommitMark): void {
    putHead(this.#root, { ...this.#headOf(mark), entries: this.#entries });
  }

  #headOf(mark: CommitMark): Omit<StoredHead, 'entries'> {
    return {
      crawl: this.#crawl,
      ...mark,
      runs: this.#runs,
      ...(this.#scoredBy !== null && { scoredBy: this.#scoredBy }),
      ...(Object.keys(this.#notes).length > 0 && { notes: this.#notes }),
      ...(this.#heads.size > 0 && { heads: [...this.#heads] }),
      ...(this.#logged !== null && { logged: this.#logged }),
    };
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
          for (const [index, scores] of waiting.splice(0)) this.#tables.rejudgements.put([modelId, 'links', index], bytesOf(scores));
        });
      };
      for (const one of links) if (waiting.push(one) === REJUDGED_AT_ONCE) await write();
      await write();
      await this.#root.transaction(() => {
        this.#tables.rejudgements.put([modelId, 'pages', 0], bytesOf(pages));
        for (const [i, relevances] of topics?.relevances.entries() ?? [])
          this.#tables.rejudgements.put([modelId, 'topics', i], bytesOf(relevances));
        if (topics !== null) this.#tables.rejudgements.put([modelId, 'kept-for', 0], bytesOf(topics.keptFor));
        if (wanted !== null) this.#tables.rejudgements.put([modelId, 'wanted', 0], bytesOf(wanted));
        this.#tables.rejudgements.put([modelId, 'head', 0], Buffer.from(JSON.stringify(head)));
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
    const keys = [...this.#tables.rejudgements.keys()].filter(([modelId]) => modelId !== except);
    await this.#root.transaction(() => {
      for (const key of keys) this.#tables.rejudgements.remove(key);
    });
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

function isOf<K extends LogEntry['kind']>(entry: LogEntry, kind: K): entry is Extract<LogEntry, { kind: K }> {
  return entry.kind === kind;
}
