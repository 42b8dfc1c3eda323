import { grown } from '../../base/core/columns.ts';
import type { Bytes } from '../../base/core/types.ts';

const FIRST_BUFFER: Bytes = 64 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 unit (RFC 3629 §3). */
const BYTES_A_UNIT = 3;

/** Strings as UTF-8, one after another, outside of the heap: the garbage collector does not see them. Memory: their bytes and 8 bytes each. */
export class PackedStrings {
  #bytes = Buffer.alloc(0);
  #ends = new Float64Array(0);
  #count = 0;
  #size: Bytes = 0;

  /** Number of bytes of all strings. */
  get size(): Bytes {
    return this.#size;
  }

  /** A lone surrogate becomes U+FFFD. @returns the number of the string, from 0 */
  add(text: string): number {
    const room = this.#size + BYTES_A_UNIT * text.length;
    if (room > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(FIRST_BUFFER, room, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#size += this.#bytes.write(text, this.#size);
    this.#ends = grown(this.#ends, this.#count + 1, Float64Array);
    this.#ends[this.#count] = this.#size;
    return this.#count++;
  }

  at(number: number): string {
    return this.bytesOf(number).toString('utf8');
  }

  get count(): number {
    return this.#count;
  }

  /** Valid until the next `add` or `clear`. */
  bytesOf(number: number): Buffer {
    return this.#bytes.subarray(this.#ends[number - 1] ?? 0, this.#ends[number]);
  }

  /** Forgets all strings. @param keep size of the buffer that may be used again */
  clear(keep: Bytes = 0): void {
    this.#size = 0;
    this.#count = 0;
    if (this.#bytes.length > keep) this.#bytes = Buffer.alloc(0);
  }
}
