import type { EpochMs } from '../../base/core/types.ts';
import { PackedIds } from './packed-ids.ts';

/** Bytes of a hash that are kept: two of 10^9 texts share them with a probability under 10^-20. */
const HASH_BYTES = 16;
/** Hash, time and ordinal. */
const [TIME, ORDINAL, ROW] = [16, 24, 28];
const FIRST_ROWS = 1024;

/** Pages with one text. */
export interface EqualPages {
  /** Id and ordinal of the page that was fetched first; of several at one time, the first that was added. */
  readonly stays: string;
  readonly first: number;
  /** Ordinals of the others, in the order in which they were added. */
  readonly others: readonly number[];
}

/** Finds equal texts by their hashes. Memory: 28 bytes a text and its id, outside of the heap, so that the garbage collector does not see millions of objects. */
export class EqualTexts {
  #rows = Buffer.alloc(FIRST_ROWS * ROW);
  #count = 0;
  readonly #ids = new PackedIds();

  /** @param hash at least 16 bytes @param ordinal under 2^32 */
  add(hash: Uint8Array, ordinal: number, fetchedAt: EpochMs, id: string): void {
    const at = this.#count * ROW;
    this.#rows = withRoom(this.#rows, at + ROW);
    this.#rows.set(hash.subarray(0, HASH_BYTES), at);
    this.#rows.writeDoubleLE(fetchedAt, at + TIME);
    this.#rows.writeUInt32LE(ordinal, at + ORDINAL);
    this.#ids.add(id);
    this.#count++;
  }

  /** The texts of several pages. O(n log n). */
  *groups(): Generator<EqualPages> {
    const order = Uint32Array.from({ length: this.#count }, (_, row) => row).sort((a, b) => this.#compare(a, b) || a - b);
    for (let start = 0, end = 1; start < order.length; start = end++) {
      while (end < order.length && this.#compare(order[start] as number, order[end] as number) === 0) end++;
      if (end - start > 1) yield this.#group(order.subarray(start, end));
    }
  }

  #compare(a: number, b: number): number {
    for (let at = 0; at < HASH_BYTES; at += 4) {
      const difference = this.#rows.readUInt32LE(a * ROW + at) - this.#rows.readUInt32LE(b * ROW + at);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #group(rows: Uint32Array): EqualPages {
    const timeOf = (row: number) => this.#rows.readDoubleLE(row * ROW + TIME);
    const first = rows.reduce((best, row) => (timeOf(row) < timeOf(best) ? row : best));
    const ordinalOf = (row: number) => this.#rows.readUInt32LE(row * ROW + ORDINAL);
    const others = [...rows].filter((row) => row !== first).map(ordinalOf);
    return { stays: this.#ids.at(first), first: ordinalOf(first), others };
  }
}

function withRoom(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const larger = Buffer.alloc(Math.max(length, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
