/** The places of the newest steps in the log of a frontier: by discovery, URL and host. */
import { placeInChunk, RowChunks } from '../../base/core/row-chunks.ts';
import type { Columns } from './checkpoint.ts';
import type { LogEntry } from './log-entry.ts';
import type { Slot } from './url-table.ts';

/** Kinds of entries, in the order of their numbers in stored values. Append new kinds. */
export const LOG_KINDS = [
  'discovery',
  'fate',
  'retry',
  'revisit',
  'health',
  'lost',
  'unparking',
  'unsettled',
] as const satisfies readonly LogEntry['kind'][];

/** Number of an entry in the log, from 1; 0 for none. */
export type LogPlace = number;

/** 4 bytes for each discovery and each discovered URL; a map entry for each retry, revisit, host in trouble and lost record. */
export class LogPlaces {
  readonly #discoveries = new Rows();
  readonly #fates = new Rows();
  readonly #few = {
    retry: new Map<number, LogPlace>(),
    revisit: new Map(),
    health: new Map(),
    lost: new Map(),
    unparking: new Map(),
  } as Readonly<Record<'retry' | 'revisit' | 'health' | 'lost' | 'unparking', Map<number, LogPlace>>>;

  /** An entry is in the log. @param key number of its discovery, URL or host; of an unparking, its place among them */
  note(kind: LogEntry['kind'], key: number, place: LogPlace): void {
    if (kind === 'discovery') this.#discoveries.set(key, place);
    else if (kind === 'fate') this.#settle(key, place);
    else if (kind === 'unsettled') this.#settle(key, 0);
    else this.#few[kind].set(key, place);
  }

  /** Revisits are of the page with the fate before. */
  #settle(slot: Slot, place: LogPlace): void {
    this.#fates.set(slot, place);
    this.#few.revisit.delete(slot);
  }

  /** Number of discoveries. */
  get discoveries(): number {
    return this.#discoveries.size;
  }

  /** Number of unparkings. */
  get unparkings(): number {
    return this.#few.unparking.size;
  }

  get anyLost(): boolean {
    return this.#few.lost.size > 0;
  }

  /** 0 for none. */
  of(kind: Exclude<LogEntry['kind'], 'unsettled'>, key: number): LogPlace {
    if (kind === 'discovery') return this.#discoveries.at(key);
    return kind === 'fate' ? this.#fates.at(key) : (this.#few[kind].get(key) ?? 0);
  }

  /** Is an entry the newest of its kind about its URL, discovery or host? */
  isNewest(kind: LogEntry['kind'], key: number, place: LogPlace): boolean {
    return kind !== 'unsettled' && this.of(kind, key) === place;
  }

  /** The URLs that have a fate, ascending. O(discovered URLs). */
  *settled(): Generator<Slot> {
    for (let slot: Slot = 0; slot < this.#fates.size; slot++) if (this.#fates.at(slot) > 0) yield slot;
  }

  /** Keys with an entry of a kind that few have, in the order of their first one. */
  keys(kind: 'retry' | 'revisit' | 'health' | 'lost' | 'unparking'): Iterable<number> {
    return this.#few[kind].keys();
  }

  columns(): Columns {
    const few = Object.entries(this.#few).flatMap(([kind, places]) =>
      [...places].flatMap(([key, place]) => [LOG_KINDS.indexOf(kind as LogEntry['kind']), key, place]),
    );
    return {
      logDiscoveries: this.#discoveries.parts(),
      logFates: this.#fates.parts(),
      logOthers: [new Uint8Array(Uint32Array.from(few).buffer)],
    };
  }

  /** Fills empty places. @returns false if a column is missing */
  restore({ logDiscoveries, logFates, logOthers }: Columns): boolean {
    const [others] = logOthers ?? [];
    if (logDiscoveries === undefined || logFates === undefined || others === undefined) return false;
    this.#discoveries.restore(logDiscoveries);
    this.#fates.restore(logFates);
    const few = new Uint32Array(others.slice().buffer);
    for (let i = 0; i < few.length; i += 3) this.note(LOG_KINDS[few[i] ?? 0] ?? 'discovery', few[i + 1] ?? 0, few[i + 2] ?? 0);
    return true;
  }
}

/** The names of the columns above. */
export const PLACE_COLUMNS: ReadonlySet<string> = new Set(['logDiscoveries', 'logFates', 'logOthers']);

/** A number in each row; 0 in rows that were not set. */
class Rows {
  readonly #rows = new RowChunks(4);
  size = 0;

  at(row: number): number {
    return row < this.size ? (this.#rows.of(row).words[placeInChunk(row)] ?? 0) : 0;
  }

  set(row: number, value: number): void {
    if (row >= this.size) {
      this.size = row + 1;
      this.#rows.reserve(this.size);
    }
    this.#rows.of(row).words[placeInChunk(row)] = value;
  }

  parts(): Uint8Array[] {
    return this.#rows.parts(this.size);
  }

  restore(parts: readonly Uint8Array[]): void {
    this.size = this.#rows.restore(parts);
  }
}
