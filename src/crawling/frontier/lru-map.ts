import { ownString } from '../../base/core/own-string.ts';

interface Held<V> {
  /** A copy in its own memory. It stays the first string that was given, not the last. */
  readonly key: string;
  value: V;
  /** The key that was used before this one, and the one that was used after it; null at the ends. */
  before: Held<V> | null;
  after: Held<V> | null;
}

/** A map of the `capacity` most recently used keys: O(1), and bounded. Reading does not count as use. */
export class LruMap<V> {
  readonly #held = new Map<string, Held<V>>();
  readonly #capacity: number;
  #oldest: Held<V> | null = null;
  #newest: Held<V> | null = null;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  get(key: string): V | undefined {
    return this.#held.get(key)?.value;
  }

  /** The map's own copy of a key. */
  ownKey<K extends string>(key: K): K | undefined {
    return this.#held.get(key)?.key as K | undefined;
  }

  /** The value of a key. If there is none, or no longer, `fresh` makes it from a copy of the key. */
  use<K extends string>(key: K, fresh: (own: K) => V): V {
    const held = this.#held.get(key);
    if (held === undefined) {
      const own = ownString(key);
      return this.#add(own, fresh(own));
    }
    this.#renew(held);
    return held.value;
  }

  /** @param isOwn the key has its own memory @returns the value before. */
  set(key: string, value: V, isOwn = false): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) {
      this.#add(isOwn ? key : ownString(key), value);
      return undefined;
    }
    const before = held.value;
    held.value = value;
    this.#renew(held);
    return before;
  }

  /** Entries, from the key that was used longest ago. */
  *entries(): Generator<readonly [string, V]> {
    for (let held = this.#oldest; held !== null; held = held.after) yield [held.key, held.value];
  }

  /** Adds the entries of another map of the same capacity, in its order. */
  restore(entries: Iterable<readonly [string, V]>): void {
    for (const [key, value] of entries) this.#add(ownString(key), value);
  }

  #add(key: string, value: V): V {
    const held: Held<V> = { key, value, before: null, after: null };
    // First, since a `Map` of more than a power of two of keys takes twice the memory when it next clears its deleted ones.
    if (this.#held.size >= this.#capacity) this.#dropOldest();
    this.#held.set(key, held);
    this.#append(held);
    return value;
  }

  /** Makes it the most recently used key. */
  #renew(held: Held<V>): void {
    if (held === this.#newest) return;
    this.#unlink(held);
    this.#append(held);
  }

  #append(held: Held<V>): void {
    held.before = this.#newest;
    held.after = null;
    if (this.#newest === null) this.#oldest = held;
    else this.#newest.after = held;
    this.#newest = held;
  }

  #unlink({ before, after }: Held<V>): void {
    if (before === null) this.#oldest = after;
    else before.after = after;
    if (after === null) this.#newest = before;
    else after.before = before;
  }

  #dropOldest(): void {
    const oldest = this.#oldest;
    if (oldest === null) return;
    this.#unlink(oldest);
    this.#held.delete(oldest.key);
  }
}
