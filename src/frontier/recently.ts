/** A map of the `capacity` keys that were used last: O(1), and bounded. Looking does not count as use. */
export class Recently<V> {
  readonly #entries = new Map<string, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** The value of a key, made where there is none, or no longer. */
  use(key: string, fresh: () => V): V {
    const value = this.#entries.get(key) ?? fresh();
    this.set(key, value);
    return value;
  }

  /** @returns what was there before. */
  set(key: string, value: V): V | undefined {
    const before = this.#entries.get(key);
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#capacity) this.#dropOldest();
    return before;
  }

  entries(): IterableIterator<[string, V]> {
    return this.#entries.entries();
  }

  #dropOldest(): void {
    const oldest = this.#entries.keys().next();
    if (oldest.done !== true) this.#entries.delete(oldest.value);
  }
}
