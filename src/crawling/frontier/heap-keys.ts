/**
 * Keys of heaps, by row, in chunks. No growth copies a row. Keys are compared and moved here: V8 makes an object of each floating-point number that a
 * function returns or that it reads from one of two kinds of arrays.
 */

export const CHUNK_BITS = 14;
/** A new chunk takes 128 KB for priorities and items: the system fills it with zeros in some 10 µs. */
export const ROWS_IN_CHUNK = 2 ** CHUNK_BITS;

export interface HeapKeys {
  /** Makes room for another chunk. */
  grow(): void;
  at(row: number): number;
  set(row: number, key: number): void;
  copy(from: number, to: number): void;
  swap(a: number, b: number): void;
  /** @returns more than 0 if the first key is larger, less than 0 if it is smaller, otherwise 0 */
  compare(a: number, b: number): number;
}

/** A 32-bit float, and its bits: those of floats that are not negative have the order of the floats. */
const FLOAT = new Float32Array(1);
const BITS = new Int32Array(FLOAT.buffer);

/** Priorities: floats of 32 bits that are not negative. */
export class PriorityKeys implements HeapKeys {
  readonly #chunks: Int32Array[] = [];

  grow(): void {
    this.#chunks.push(new Int32Array(ROWS_IN_CHUNK));
  }

  at(row: number): number {
    BITS[0] = this.#bitsAt(row);
    return FLOAT[0] as number;
  }

  set(row: number, key: number): void {
    // Not -0.
    FLOAT[0] = key + 0;
    this.#setBits(row, BITS[0] as number);
  }

  copy(from: number, to: number): void {
    this.#setBits(to, this.#bitsAt(from));
  }

  swap(a: number, b: number): void {
    const bits = this.#bitsAt(a);
    this.#setBits(a, this.#bitsAt(b));
    this.#setBits(b, bits);
  }

  compare(a: number, b: number): number {
    return this.#bitsAt(a) - this.#bitsAt(b);
  }

  #bitsAt(row: number): number {
    return (this.#chunks[row >> CHUNK_BITS] as Int32Array)[row & (ROWS_IN_CHUNK - 1)] as number;
  }

  #setBits(row: number, bits: number): void {
    (this.#chunks[row >> CHUNK_BITS] as Int32Array)[row & (ROWS_IN_CHUNK - 1)] = bits;
  }
}

/** Any numbers, such as times. */
export class TimeKeys implements HeapKeys {
  readonly #chunks: Float64Array[] = [];

  grow(): void {
    this.#chunks.push(new Float64Array(ROWS_IN_CHUNK));
  }

  at(row: number): number {
    return (this.#chunks[row >> CHUNK_BITS] as Float64Array)[row & (ROWS_IN_CHUNK - 1)] as number;
  }

  set(row: number, key: number): void {
    (this.#chunks[row >> CHUNK_BITS] as Float64Array)[row & (ROWS_IN_CHUNK - 1)] = key;
  }

  copy(from: number, to: number): void {
    this.set(to, this.at(from));
  }

  swap(a: number, b: number): void {
    const key = this.at(a);
    this.copy(b, a);
    this.set(b, key);
  }

  compare(a: number, b: number): number {
    const [key, other] = [this.at(a), this.at(b)];
    return key > other ? 1 : key < other ? -1 : 0;
  }
}
