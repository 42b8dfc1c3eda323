import { ownString } from '../core/own-string.ts';

interface Held<V> {
  /** A copy in its own memory. It stays the first string that was given, not the last. */
  readonly key: string;
  value: V;
}

/** A map of the `capacity` most recently used keys: O(1), and bounded. Reading does not count as use. */
export class LruMap<V> {
  readonly #held = new Map<string, Held<V>>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: string): boolean {
    return this.#held.has(key);
  }

  get(key: string): V | undefined {
    return this.#held.get(key)?.value;
  }

  /** The value of a key. If there is none, or no longer, `fresh` makes it. */
  use(key: string, fresh: () => V): V {
    const held = this.#held.get(key) ?? { key: ownString(key), value: fresh() };
    this.#put(held);
    return held.value;
  }

  /** @returns the value before. */
  set(key: string, value: V): V | undefined {
    const held = this.#held.get(key);
    const before = held?.value;
    if (held) held.value = value;
    this.#put(held ?? { key: ownString(key), value });
    return before;
  }

  *entries(): Generator<readonly [string, V]> {
    for (const [key, { value }] of this.#held) yield [key, value];
  }

  /** Makes it the most recently used key. */
  #put(held: Held<V>): void {
    this.#held.delete(held.key);
    this.#held.set(held.key, held);
    if (this.#held.size > this.#capacity) this.#dropOldest();
  }

  #dropOldest(): void {
    const oldest = this.#held.keys().next();
    if (oldest.done !== true) this.#held.delete(oldest.value);
  }
}
