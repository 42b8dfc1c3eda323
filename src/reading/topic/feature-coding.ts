import { BUCKETS, type FeatureCounts } from './features.ts';

/** Counts have 16 bits. */
const COUNTS = 0x10000;
/** Length of a number of 35 bits, more than any that is written. */
const MAX_BYTES = 5;

/** Bytes of numbers as varints (LEB128): seven bits a byte, the lowest first. */
export class VarintWriter {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;

  /** @param value a whole number from 0 to 2^31 - 1 */
  push(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** The number of features; then, in order of bucket, the distance of each to the one before, and its count. */
  pushCounts({ buckets, counts }: FeatureCounts): void {
    // Bucket and count as one number: typed arrays sort without calling back.
    const joined = Float64Array.from(buckets, (bucket, i) => bucket * COUNTS + (counts[i] ?? 0)).sort();
    this.push(joined.length);
    let previous = 0;
    for (const one of joined) {
      const bucket = Math.floor(one / COUNTS);
      this.push(bucket - previous);
      this.push(one % COUNTS);
      previous = bucket;
    }
  }

  /**
   * Writes the count of numbers; then the distance of each to the one before.
   * @param numbers ascending, from 0 to 2^31 - 1; any may be repeated
   */
  pushAscending(numbers: readonly number[]): void {
    this.push(numbers.length);
    let previous = 0;
    for (const number of numbers) {
      this.push(number - previous);
      previous = number;
    }
  }

  /** All pushed bytes; a view that the next push may overwrite. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads the output of a `VarintWriter`. Every method returns null if the bytes end too early or are invalid. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  next(): number | null {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < MAX_BYTES; i++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) return null;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    return null;
  }

  /** Ascending numbers. */
  nextAscending(): number[] | null {
    const size = this.next();
    if (size === null || size > this.#bytes.length - this.#at) return null;
    let previous = 0;
    const numbers: number[] = [];
    for (let i = 0; i < size; i++) {
      previous += this.next() ?? Number.NaN;
      numbers.push(previous);
    }
    return Number.isNaN(previous) ? null : numbers;
  }

  /** The features of a page, in order of bucket. */
  nextCounts(): FeatureCounts | null {
    const size = this.next();
    if (size === null || size > BUCKETS) return null;
    const read = { buckets: new Int32Array(size), counts: new Uint16Array(size) };
    let bucket = 0;
    for (let i = 0; i < size; i++) {
      const distance = this.next();
      const count = this.next();
      if (distance === null || count === null || count >= COUNTS) return null;
      bucket += distance;
      if (bucket >= BUCKETS) return null;
      read.buckets[i] = bucket;
      read.counts[i] = count;
    }
    return read;
  }
}
