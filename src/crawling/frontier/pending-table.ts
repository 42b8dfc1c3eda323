import type { CheckedTable } from './checked-table.ts';
import type { Slot } from './url-table.ts';

/** The values of a table that one commit writes: those that were put before it began. */
export interface PendingBatch<V> {
  /** null for a value to remove. */
  readonly entries: readonly (readonly [number, V | null])[];
  /** Call it within the transaction of the commit. */
  write(): void;
  /** Call it after the commit. Values that were put meanwhile stay. */
  forget(): void;
}

/** A table by number, with the values that are not committed yet. Reads see them at once. `S` is their form in the database. */
export class PendingTable<V, S = V> {
  /** null if a database that is opened only for reading has no such table. */
  readonly stored: CheckedTable<S> | null;
  readonly #packed: (value: V) => S;
  readonly #fresh = new Map<number, V | null>();

  constructor(stored: CheckedTable<S> | null, packed: (value: V) => S) {
    this.stored = stored;
    this.#packed = packed;
  }

  get isCommitted(): boolean {
    return this.#fresh.size === 0;
  }

  put(key: Slot, value: V): void {
    this.#fresh.set(key, value);
  }

  remove(key: Slot): void {
    this.#fresh.set(key, null);
  }

  /** A value that is not committed yet: null if it is to be removed, undefined if there is none. */
  fresh(key: Slot): V | null | undefined {
    return this.#fresh.get(key);
  }

  /** Values that are not committed yet, in the order in which they were put. */
  *allFresh(): Iterable<readonly [number, V]> {
    for (const [key, value] of this.#fresh) if (value !== null) yield [key, value];
  }

  /** Committed values that no new value replaces, in order of keys. @throws StoreError for a damaged value */
  *allStored(): Iterable<readonly [number, S]> {
    for (const entry of this.stored?.all() ?? []) if (!this.#fresh.has(entry[0])) yield entry;
  }

  batch(): PendingBatch<V> {
    const entries = [...this.#fresh];
    return {
      entries,
      write: () => {
        for (const [key, value] of entries) {
          if (value === null) this.stored?.remove(key);
          else this.stored?.put(key, this.#packed(value));
        }
      },
      forget: () => {
        for (const [key, value] of entries) if (this.#fresh.get(key) === value) this.#fresh.delete(key);
      },
    };
  }
}

/** The current value; null if there is none. For tables whose values have the same form in the database. @throws StoreError for a damaged value */
export function valueIn<V>(table: PendingTable<V>, key: Slot): V | null {
  const fresh = table.fresh(key);
  return fresh === undefined ? (table.stored?.get(key) ?? null) : fresh;
}

/** All current values: committed ones first. @throws StoreError for a damaged value */
export function* valuesIn<V>(table: PendingTable<V>): Iterable<readonly [number, V]> {
  yield* table.allStored();
  yield* table.allFresh();
}
