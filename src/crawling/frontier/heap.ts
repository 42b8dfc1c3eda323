/** Priority queues in typed arrays that grow by blocks. Many heaps share the memory of one `HeapRooms`. */

const BLOCK_BITS = 4;
/** Rows that a heap takes at once: most hosts have few URLs, and each host has a heap. */
const ROWS_IN_BLOCK = 2 ** BLOCK_BITS;
const CHUNK_BITS = 14;
/** A new chunk takes 128 KB for priorities: the system fills it with zeros in some 10 µs. */
const ROWS_IN_CHUNK = 2 ** CHUNK_BITS;

/**
 * Rows for the items of heaps, each with its key: 8 bytes for priorities, 12 for times. No growth copies a row. Rows are numbered from 0.
 * Priorities are exact if they come from 32-bit floats, as those of `UrlTable`.
 */
export class HeapRooms {
  readonly #newKeys: () => Float32Array | Float64Array;
  readonly #keys: (Float32Array | Float64Array)[] = [];
  readonly #items: Uint32Array[] = [];
  /** Blocks that heaps gave back, by their first row. */
  readonly #free: number[] = [];
  /** Rows that were ever taken. */
  #taken = 0;

  constructor(keys: 'priorities' | 'times') {
    this.#newKeys = () => (keys === 'times' ? new Float64Array(ROWS_IN_CHUNK) : new Float32Array(ROWS_IN_CHUNK));
  }

  /** The first row of a block. O(1). */
  take(): number {
    return this.#free.pop() ?? this.takeNew(1);
  }

  /** The first row of some blocks in a row that no heap had. */
  takeNew(blocks: number): number {
    const first = this.#taken;
    this.#taken += blocks * ROWS_IN_BLOCK;
    while (this.#keys.length * ROWS_IN_CHUNK < this.#taken) {
      this.#keys.push(this.#newKeys());
      this.#items.push(new Uint32Array(ROWS_IN_CHUNK));
    }
    return first;
  }

  giveBack(block: number): void {
    this.#free.push(block);
  }

  /** Takes all blocks back. Every heap must be cleared before. */
  clear(): void {
    this.#free.length = 0;
    this.#taken = 0;
  }

  keyAt(row: number): number {
    return this.#keys[row >> CHUNK_BITS]?.[row & (ROWS_IN_CHUNK - 1)] ?? 0;
  }

  itemAt(row: number): number {
    return this.#items[row >> CHUNK_BITS]?.[row & (ROWS_IN_CHUNK - 1)] ?? 0;
  }

  set(row: number, key: number, item: number): void {
    const [keys, items] = [this.#keys[row >> CHUNK_BITS], this.#items[row >> CHUNK_BITS]];
    if (keys) keys[row & (ROWS_IN_CHUNK - 1)] = key;
    if (items) items[row & (ROWS_IN_CHUNK - 1)] = item;
  }
}

/** A binary heap of numbered items, largest key first. `tie` decides between equal keys: 'oldest' takes the smaller item, 'newest' the larger. */
export class MaxHeap {
  readonly #rooms: HeapRooms;
  /** The first row of each block. */
  #blocks: number[] = [];
  #size = 0;
  /** Also in the first row. Hosts are compared by it, and each has a queue of its own. */
  #topKey = Number.NEGATIVE_INFINITY;
  readonly #newestFirst: boolean;

  constructor(rooms: HeapRooms, tie: 'oldest' | 'newest' = 'oldest') {
    this.#rooms = rooms;
    this.#newestFirst = tie === 'newest';
  }

  get size(): number {
    return this.#size;
  }

  /** Key of the top; -Infinity when empty. */
  get topKey(): number {
    return this.#topKey;
  }

  /** Item at the top; -1 when empty. */
  get topItem(): number {
    return this.#size === 0 ? -1 : this.#rooms.itemAt(this.#row(0));
  }

  /** O(log n). */
  push(key: number, item: number): void {
    if (this.#size === this.#blocks.length * ROWS_IN_BLOCK) this.#blocks.push(this.#rooms.take());
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const row = this.#row(parent);
      if (!this.#isBefore(key, item, this.#rooms.keyAt(row), this.#rooms.itemAt(row))) break;
      this.#move(row, at);
      at = parent;
    }
    this.#rooms.set(this.#row(at), key, item);
    if (at === 0) this.#noteTop();
  }

  /** Removes the top and returns its item; -1 if empty. O(log n). */
  pop(): number {
    const item = this.topItem;
    if (this.#size === 0) return item;
    const last = this.#row(this.#size - 1);
    const [key, moved] = [this.#rooms.keyAt(last), this.#rooms.itemAt(last)];
    this.#shrink(this.#size - 1);
    if (this.#size > 0) this.#sink(0, key, moved);
    this.#noteTop();
    return item;
  }

  clear(): void {
    this.#shrink(0);
    this.#noteTop();
  }

  /** The rows of an empty heap whose rooms were all taken back, for exactly so many items. Write them, and then call `restore`. @returns the first */
  reserve(size: number): number {
    const blocks = Math.ceil(size / ROWS_IN_BLOCK);
    const first = this.#rooms.takeNew(blocks);
    // Of exactly that length: an array that grows by `push` has room for 17.
    this.#blocks = new Array<number>(blocks);
    for (let i = 0; i < blocks; i++) this.#blocks[i] = first + i * ROWS_IN_BLOCK;
    this.#size = size;
    return first;
  }

  /** Makes a heap of items in any order. O(n). */
  restore(): void {
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) {
      const row = this.#row(at);
      this.#sink(at, this.#rooms.keyAt(row), this.#rooms.itemAt(row));
    }
    this.#noteTop();
  }

  /** Keeps only the wanted items. O(n). */
  keep(wanted: (key: number, item: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.#size; at++) {
      const row = this.#row(at);
      if (wanted(this.#rooms.keyAt(row), this.#rooms.itemAt(row))) this.#move(row, kept++);
    }
    this.#shrink(kept);
    this.restore();
  }

  /** Is there an item with a key of at least `least` for which `willDo` is true? Skips subtrees below smaller keys, and allocates nothing. In no order. */
  some(least: number, willDo: (item: number) => boolean, at = 0): boolean {
    if (at >= this.#size) return false;
    const row = this.#row(at);
    if (this.#rooms.keyAt(row) < least) return false;
    return willDo(this.#rooms.itemAt(row)) || this.some(least, willDo, 2 * at + 1) || this.some(least, willDo, 2 * at + 2);
  }

  #noteTop(): void {
    this.#topKey = this.#size === 0 ? Number.NEGATIVE_INFINITY : this.#rooms.keyAt(this.#row(0));
  }

  #row(at: number): number {
    return (this.#blocks[at >> BLOCK_BITS] ?? 0) + (at & (ROWS_IN_BLOCK - 1));
  }

  #isBefore(key: number, item: number, otherKey: number, other: number): boolean {
    if (key !== otherKey) return key > otherKey;
    return this.#newestFirst ? item > other : item < other;
  }

  /** Moves an item from its row to another place. */
  #move(row: number, to: number): void {
    this.#rooms.set(this.#row(to), this.#rooms.keyAt(row), this.#rooms.itemAt(row));
  }

  #shrink(size: number): void {
    this.#size = size;
    while (this.#blocks.length * ROWS_IN_BLOCK >= size + ROWS_IN_BLOCK) this.#rooms.giveBack(this.#blocks.pop() ?? 0);
  }

  /** Puts an item at a place from which all items above were taken, or below it. */
  #sink(from: number, key: number, item: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      let row = this.#row(child);
      if (child + 1 < this.#size) {
        const right = this.#row(child + 1);
        if (this.#isBefore(this.#rooms.keyAt(right), this.#rooms.itemAt(right), this.#rooms.keyAt(row), this.#rooms.itemAt(row))) {
          child += 1;
          row = right;
        }
      }
      if (!this.#isBefore(this.#rooms.keyAt(row), this.#rooms.itemAt(row), key, item)) break;
      this.#move(row, at);
      at = child;
    }
    this.#rooms.set(this.#row(at), key, item);
  }
}
