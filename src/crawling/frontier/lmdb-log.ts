/** The log of steps in an LMDB database, and the place of the newest one about each URL, host and discovery. */
import { join } from 'node:path';
import type { StoreError } from '../../base/core/errors.ts';
import { DATABASE } from '../../base/disk/own-names.ts';
import { readCheckpoint } from './checkpoint.ts';
import { damagedDatabase, readThrough, undecodable } from './lmdb-file.ts';
import type { OpenDatabase } from './lmdb-opening.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogOutbox } from './log-outbox.ts';
import { LogPlaces, PLACE_COLUMNS } from './log-places.ts';
import type { LoggedStep } from './logged-step.ts';
import { entryIn, type LoggedEntry, type LoggedValue } from './logged-value.ts';
import { type PendingBatch, valueIn } from './pending-table.ts';
import type { StoredDiscovery } from './store.ts';
import { packTexts } from './stored-texts.ts';
import type { Slot } from './url-table.ts';

/** Kinds of steps that a later one of their kind replaces. */
type LastingKind = Exclude<LogEntry['kind'], 'unsettled'>;

export class LmdbLog {
  readonly #database: OpenDatabase;
  /** null for a crawl on one machine. */
  readonly #outbox: LogOutbox | null;
  /** null until the first read or write of a step. */
  #known: LogPlaces | null = null;
  /** Number of the next entry. */
  #next: number;

  /** @param outbox where steps go before they are committed here; null for a crawl on one machine */
  constructor(database: OpenDatabase, outbox: LogOutbox | null) {
    [this.#database, this.#outbox, this.#next] = [database, outbox, database.head.entries + 1];
  }

  // Places.

  /** The places of all steps. The first use reads a checkpoint, or the whole log. @throws StoreError for a damaged entry */
  get places(): LogPlaces {
    this.#known ??= this.#placesOfCheckpoint() ?? this.#placesOfLog();
    return this.#known;
  }

  #placesOfCheckpoint(): LogPlaces | null {
    const { checkpoint } = this.#database.head;
    const found = checkpoint === null ? null : readCheckpoint(this.#database.path, checkpoint, { only: PLACE_COLUMNS });
    const places = new LogPlaces();
    return found !== null && places.restore(found.columns) ? places : null;
  }

  #placesOfLog(): LogPlaces {
    const places = new LogPlaces();
    for (const value of this.#valuesFrom(places)) void value;
    return places;
  }

  /** All stored values. Each is noted in `places` once the next one was asked for. */
  *#valuesFrom(places: LogPlaces): Generator<LoggedValue> {
    readThrough(this.#database.file);
    for (const [place, value] of this.#table.stored?.all() ?? []) {
      yield value;
      places.note(value.kind, value.key, place);
    }
  }

  // Reads.

  /** Steps of other processes after the known ones, up to a number of entries, each as in `steps`. */
  *stepsUpTo(entries: number): Generator<LoggedEntry> {
    const { places } = this;
    for (let place = this.#next; place <= entries; place++) {
      const value = this.#valueAt(place);
      const step = { key: value.key, entry: this.#decoded(value) };
      yield step;
      places.note(value.kind, value.key, place);
      this.#next = place + 1;
    }
  }

  /** See `FrontierStore.steps`. */
  *steps(): Generator<{ readonly key: number; readonly entry: LogEntry }> {
    this.#known = new LogPlaces();
    for (const value of this.#valuesFrom(this.#known)) yield { key: value.key, entry: this.#decoded(value) };
  }

  /**
   * The steps in their order, without those that a later one replaced: repeated in this order, they give the state of the frontier. O(log).
   * @throws StoreError for a damaged entry
   */
  *history(): Generator<LoggedStep> {
    const { log, texts } = this.#database.tables;
    for (let place = 1; place < this.#next; place++) {
      const entry = this.#entryAt(place);
      const key = (log.fresh(place) ?? log.stored?.get(place))?.key ?? 0;
      if (!this.places.isNewest(entry.kind, key, place)) continue;
      yield { key, entry, texts: entry.kind === 'fate' ? valueIn(texts, place) : null };
    }
  }

  /** The newest step of a kind; null without any. @throws StoreError for a damaged entry */
  newest<K extends LastingKind>(kind: K, key: number): Extract<LogEntry, { kind: K }> | null {
    const place = this.places.of(kind, key);
    if (place === 0) return null;
    const entry = this.#entryAt(place);
    if (!isOf(entry, kind)) throw this.#damaged(`entry ${place} of its log is a ${entry.kind} where a ${kind} was`);
    return entry;
  }

  /** A discovery that is not committed yet; null for any other. */
  freshDiscovery(index: number): StoredDiscovery | null {
    const fresh = this.#table.fresh(this.places.of('discovery', index));
    return fresh?.entry.kind === 'discovery' ? fresh.entry.discovery : null;
  }

  /** The texts of the newest fate in their stored form; null without any. @throws StoreError for a damaged value */
  textsOf(slot: Slot): Uint8Array | null {
    const place = this.places.of('fate', slot);
    return place === 0 ? null : valueIn(this.#database.tables.texts, place);
  }

  /** Does a page wait again by a step after its last fate? */
  isLost(slot: Slot): boolean {
    return this.places.of('lost', slot) > this.places.of('fate', slot);
  }

  get anyLost(): boolean {
    return this.places.anyLost;
  }

  // Writes.

  /** Adds a step. @param key number of its discovery, URL or host */
  push(key: number, entry: LogEntry): void {
    // The page has another record by now.
    if (entry.kind === 'lost' && this.newest('fate', key)?.stored.fate.recordId !== entry.record) return;
    this.#outbox?.push(entry);
    const { places } = this;
    const place = this.#next++;
    this.#table.put(place, { key, entry });
    places.note(entry.kind, key, place);
    if (entry.kind === 'fate' && entry.stored.fate.page) this.#database.tables.texts.put(place, packTexts(entry.stored.fate.page));
  }

  /** The steps of the next commit and their texts. @param keep receives each discovery that was committed */
  batches(keep: (index: number, discovery: StoredDiscovery) => void = () => undefined): PendingBatch<unknown>[] {
    const steps = this.#table.batch();
    const forget = () => {
      steps.forget();
      for (const [, step] of steps.entries) if (step?.entry.kind === 'discovery') keep(step.key, step.entry.discovery);
    };
    return [{ ...steps, forget }, this.#database.tables.texts.batch()];
  }

  /** Number of entries in the database. Within a transaction, those that it wrote are among them. */
  get entries(): number {
    return this.#table.stored?.size ?? 0;
  }

  get #table(): OpenDatabase['tables']['log'] {
    return this.#database.tables.log;
  }

  #entryAt(place: number): LogEntry {
    const fresh = this.#table.fresh(place);
    if (fresh) return fresh.entry;
    return this.#decoded(this.#valueAt(place));
  }

  #valueAt(place: number): LoggedValue {
    const value = this.#table.stored?.get(place);
    if (value === undefined) throw this.#damaged(`its log lacks entry ${place}`);
    return value;
  }

  #decoded(value: LoggedValue): LogEntry {
    try {
      return entryIn(value);
    } catch (error) {
      throw undecodable(this.#database.path, error);
    }
  }

  #damaged(why: string): StoreError {
    return damagedDatabase(join(this.#database.path, DATABASE), why);
  }
}

function isOf<K extends LastingKind>(entry: LogEntry, kind: K): entry is Extract<LogEntry, { kind: K }> {
  return entry.kind === kind;
}
