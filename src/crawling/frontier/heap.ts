/** Priority queues in typed arrays that grow by blocks. Many heaps share the memory of one `HeapRooms`. */
import { CHUNK_BITS, type HeapKeys, PriorityKeys, ROWS_IN_CHUNK, TimeKeys } from './heap-keys.ts';

const BLOCK_BITS = 4;
/** Rows that a heap takes at once: most hosts have few URLs, and each host has a heap. */
const ROWS_IN_BLOCK = 2 ** BLOCK_BITS;

/**
 * Rows for the items of heaps, each with its key: 8 bytes for priorities, 12 for times. No growth copies a row. Rows are numbered from 0.
 * Priorities are exact if they come from 32-bit floats that are not negative, as those of `UrlTable`.
 */
export class HeapRooms {
  readonly #keys: HeapKeys;
  readonly #items: Uint32Array[] = [];
  /** Blocks that heaps gave back, by their first row. */
  readonly #free: number[] = [];
  /** Rows that were ever taken. */
  #taken = 0;

  constructor(keys: 'priorities' | 'times') {
    this.#keys = keys === 'times' ? new TimeKeys() : new PriorityKeys();
  }

  /** The first row of a block. O(1). */
  take(): number {
    return this.#free.pop() ?? this.takeNew(1);
  }

  /** The first row of some blocks in a row that no heap had. */
  takeNew(blocks: number): number {
    const first = this.#taken;
    this.#taken += blocks * ROWS_IN_BLOCK;
    while (this.#items.length * ROWS_IN_CHUNK < this.#taken) {
      this.#keys.grow();
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
    return this.#keys.at(row);
  }

  itemAt(row: number): number {
    return (this.#items[row >> CHUNK_BITS] as Uint32Array)[row & (ROWS_IN_CHUNK - 1)] as number;
  }

  set(row: number, key: number, item: number): void {
    this.#keys.set(row, key);
    this.#setItem(row, item);
  }

  /** Copies a row over another. */
  copy(from: number, to: number): void {
    this.#keys.copy(from, to);
    this.#setItem(to, this.itemAt(from));
  }

  /** Exchanges two rows. */
  swap(a: number, b: number): void {
    const item = this.itemAt(a);
    this.#keys.swap(a, b);
    this.#setItem(a, this.itemAt(b));
    this.#setItem(b, item);
  }

  /** Has the first row a larger key than the second, or an equal one and by the tie its item comes first? */
  isBefore(a: number, b: number, newestFirst: boolean): boolean {
    const more = this.#keys.compare(a, b);
    if (more !== 0) return more > 0;
    return newestFirst ? this.itemAt(a) > this.itemAt(b) : this.itemAt(a) < this.itemAt(b);
  }

  #setItem(row: number, item: number): void {
    (this.#items[row >> CHUNK_BITS] as Uint32Array)[row & (ROWS_IN_CHUNK - 1)] = item;
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
    this.#rooms.set(this.#row(at), key, item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#rooms.isBefore(this.#row(at), this.#row(parent), this.#newestFirst)) break;
      this.#rooms.swap(this.#row(at), this.#row(parent));
      at = parent;
    }
    if (at === 0) this.#noteTop();
  }

  /** Removes the top and returns its item; -1 if empty. O(log n). */
  pop(): number {
    const item = this.topItem;
    if (this.#size === 0) return item;
    this.#rooms.copy(this.#row(this.#size - 1), this.#row(0));
    this.#shrink(this.#size - 1);
    this.#sink(0);
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
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
    this.#noteTop();
  }

  /** Keeps only the wanted items. O(n). */
  keep(wanted: (key: number, item: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.#size; at++) {
      const row = this.#row(at);
      if (wanted(this.#rooms.keyAt(row), this.#rooms.itemAt(row))) this.#rooms.copy(row, this.#row(kept++));
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

  #shrink(size: number): void {
    this.#size = size;
    while (this.#blocks.length * ROWS_IN_BLOCK >= size + ROWS_IN_BLOCK) this.#rooms.giveBack(this.#blocks.pop() ?? 0);
  }

  /** Lets the item of a place sink below all larger ones. */
  #sink(from: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) return;
      let row = this.#row(child);
      if (child + 1 < this.#size && this.#rooms.isBefore(this.#row(child + 1), row, this.#newestFirst)) {
        child += 1;
        row = this.#row(child);
      }
      if (!this.#rooms.isBefore(row, this.#row(at), this.#newestFirst)) return;
      this.#rooms.swap(row, this.#row(at));
      at = child;
    }
  }
}
