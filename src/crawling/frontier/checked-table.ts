/** A table of the frontier's database. LMDB has no checksums, so each value carries its own. */
import { crc32 } from 'node:zlib';
import type { Database } from 'lmdb';
import { Packr } from 'msgpackr';
import { messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';

type Key = number | (string | number)[];

/** Bytes at the end of a value: the CRC-32 of the key and the rest. */
const CHECKSUM: Bytes = 4;

/** The form of values in a table: MessagePack, which lmdb-js would also write, or plain bytes. */
export interface ValueForm<V> {
  encode(value: V): Uint8Array;
  decode(bytes: Uint8Array): V;
}

const packr = new Packr({});

export function packed<V>(): ValueForm<V> {
  return { encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) as V };
}

export const AS_BYTES: ValueForm<Uint8Array> = { encode: (value) => value, decode: (bytes) => bytes };

export class CheckedTable<V, K extends Key = number> {
  readonly #database: Database<Uint8Array, K>;
  readonly #form: ValueForm<V>;
  readonly #isChecked: boolean;
  readonly #damaged: (why: unknown) => Error;

  /**
   * @param database of bytes
   * @param isChecked false for a database from before values had checksums
   * @param damaged makes the error for a value that was changed or cannot be read
   */
  constructor(database: Database<Uint8Array, K>, form: ValueForm<V>, isChecked: boolean, damaged: (why: unknown) => Error) {
    this.#database = database;
    this.#form = form;
    this.#isChecked = isChecked;
    this.#damaged = damaged;
  }

  /** Number of values. */
  get size(): number {
    // `getCount` would walk the table.
    return Number(entryCount(this.#database.getStats()));
  }

  /** @throws StoreError for a damaged value */
  get(key: K): V | undefined {
    const bytes = this.#attempt(() => this.#database.get(key));
    return bytes === undefined ? undefined : this.#decoded(key, bytes);
  }

  /** Entries, in order of keys. @throws StoreError for a damaged value */
  *all(): Iterable<readonly [K, V]> {
    const entries = this.#attempt(() => this.#database.getRange()[Symbol.iterator]());
    for (let next = this.#attempt(() => entries.next()); !next.done; next = this.#attempt(() => entries.next()))
      yield [next.value.key, this.#decoded(next.value.key, next.value.value)];
  }

  /**
   * Yields for each value its fault in words, or null.
   * @param read throws for a value that makes no sense
   */
  *faults(read: (value: V) => unknown = () => undefined): Iterable<string | null> {
    for (const { key, value } of this.#database.getRange()) yield this.#faultIn(key, value, read);
  }

  #faultIn(key: K, stored: Uint8Array, read: (value: V) => unknown): string | null {
    try {
      read(this.#decoded(key, stored));
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  keys(): Iterable<K> {
    return this.#database.getKeys();
  }

  /** Call it within a transaction. */
  put(key: K, value: V): void {
    this.#database.put(key, this.#encoded(key, value));
  }

  /** Call it within a transaction. */
  remove(key: K): void {
    this.#database.remove(key);
  }

  #encoded(key: K, value: V): Uint8Array {
    const bytes = this.#form.encode(value);
    if (!this.#isChecked) return bytes;
    const checked = Buffer.allocUnsafe(bytes.length + CHECKSUM);
    checked.set(bytes);
    // Of the copy: an empty array without memory of its own would have checksum 0 under every key.
    checked.writeUInt32LE(crc32(checked.subarray(0, bytes.length), seedOf(key)), bytes.length);
    return checked;
  }

  #decoded(key: K, stored: Uint8Array): V {
    if (!this.#isChecked) return this.#attempt(() => this.#form.decode(stored));
    const end = stored.length - CHECKSUM;
    const bytes = stored.subarray(0, Math.max(end, 0));
    const isWhole = end >= 0 && Buffer.from(stored.buffer, stored.byteOffset + end, CHECKSUM).readUInt32LE() === crc32(bytes, seedOf(key));
    if (!isWhole) throw this.#damaged(`the checksum of entry ${String(key)} is wrong`);
    return this.#attempt(() => this.#form.decode(bytes));
  }

  #attempt<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#damaged(error);
    }
  }
}

/** LMDB counts the entries (mdb_stat); the types of lmdb-js do not declare the field. */
function entryCount(stats: unknown): unknown {
  return typeof stats === 'object' && stats !== null && 'entryCount' in stats ? stats.entryCount : Number.NaN;
}

/** The checksum covers the key, so a value under another key counts as damage too. */
function seedOf(key: Key): number {
  return typeof key === 'number' ? key : crc32(key.join('/'));
}
