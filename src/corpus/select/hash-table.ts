import { grown } from '../../base/core/columns.ts';

/** Numbers by 64-bit hashes, without an object for each: open addressing at a load of at most one half. 20 to 40 bytes a hash. */
export class HashTable {
  #high: Uint32Array;
  #low: Uint32Array;
  /** One more than the entry of a slot; 0 for a free slot. */
  #slots: Uint32Array;
  #size = 0;

  constructor() {
    this.#high = new Uint32Array(512);
    this.#low = new Uint32Array(512);
    this.#slots = new Uint32Array(1024);
  }

  /** Number of hashes. Entries are numbered from 0 in the order of their first `place`. */
  get size(): number {
    return this.#size;
  }

  /** The entry of a hash; −1 if there is none. Halves are unsigned. Amortised O(1). */
  find(high: number, low: number): number {
    return (this.#slots[this.#slotOf(high, low)] as number) - 1;
  }

  /** The entry of a hash, new if there is none. */
  place(high: number, low: number): number {
    const slot = this.#slotOf(high, low);
    const known = this.#slots[slot] as number;
    if (known !== 0) return known - 1;
    const entry = this.#size++;
    this.#high = grown(this.#high, this.#size, Uint32Array);
    this.#low = grown(this.#low, this.#size, Uint32Array);
    this.#high[entry] = high;
    this.#low[entry] = low;
    this.#slots[slot] = entry + 1;
    if (2 * this.#size > this.#slots.length) this.#widen();
    return entry;
  }

  /** @returns halves of the hash of an entry */
  hash(entry: number): readonly [high: number, low: number] {
    return [this.#high[entry] as number, this.#low[entry] as number];
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = (low ^ (high >>> 7)) & mask;
    for (let one = this.#slots[slot]; one; one = this.#slots[slot]) {
      if (this.#high[one - 1] === high && this.#low[one - 1] === low) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #widen(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let entry = 0; entry < this.#size; entry++) {
      const [high, low] = this.hash(entry);
      this.#slots[this.#slotOf(high, low)] = entry + 1;
    }
  }
}
