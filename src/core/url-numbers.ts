import { grown } from './columns.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';

/** Largest share of the hash index in use: a new URL then takes eight and a half probes (Knuth, The Art of Computer Programming 3, 6.4). */
const MOST_FILLED = 0.75;
const START_CAPACITY = 1024;

/** Numbers for URLs, from 0 in the order of their arrival. 64-bit fingerprints distinguish URLs: 8 bytes a URL and 5 to 11 of index, no strings. */
export class UrlNumbers {
  size = 0;
  #hi = new Uint32Array(START_CAPACITY);
  #lo = new Uint32Array(START_CAPACITY);
  #cells = new Int32Array(START_CAPACITY).fill(-1);
  readonly #scratch: Fingerprint = { hi: 0, lo: 0 };

  /** -1 for a URL without a number. */
  find(url: string): number {
    return this.#cells[this.#cellOf(fingerprint(url, this.#scratch))] ?? -1;
  }

  /** The number of a URL; a URL without one gets a new number. Amortised O(length). */
  of(url: string): number {
    const print = fingerprint(url, this.#scratch);
    const cell = this.#cellOf(print);
    const known = this.#cells[cell] ?? -1;
    if (known >= 0) return known;
    const number = this.size++;
    this.#hi = grown(this.#hi, this.size, Uint32Array);
    this.#lo = grown(this.#lo, this.size, Uint32Array);
    this.#hi[number] = print.hi;
    this.#lo[number] = print.lo;
    this.#cells[cell] = number;
    if (this.size > MOST_FILLED * this.#cells.length) this.#index(2 * this.#cells.length);
    return number;
  }

  /** Fingerprints of all URLs in the order of their numbers: upper and lower halves. They share memory with this object. */
  fingerprints(): { readonly hi: Uint32Array; readonly lo: Uint32Array } {
    return { hi: this.#hi.subarray(0, this.size), lo: this.#lo.subarray(0, this.size) };
  }

  /** Takes the numbers of other URLs in place of its own. O(URLs). @param hi their fingerprints, upper halves */
  restore(hi: Uint32Array<ArrayBuffer>, lo: Uint32Array<ArrayBuffer>): void {
    this.size = hi.length;
    [this.#hi, this.#lo] = [hi, lo];
    let cells = this.#cells.length;
    while (this.size > MOST_FILLED * cells) cells *= 2;
    this.#index(cells);
  }

  /** The cell with this fingerprint, or the free cell for it. Linear probing. */
  #cellOf({ hi, lo }: Fingerprint): number {
    const mask = this.#cells.length - 1;
    let cell = lo & mask;
    for (;;) {
      const number = this.#cells[cell] ?? -1;
      if (number < 0 || (this.#hi[number] === hi && this.#lo[number] === lo)) return cell;
      cell = (cell + 1) & mask;
    }
  }

  #index(cells: number): void {
    this.#cells = new Int32Array(cells).fill(-1);
    const print = { hi: 0, lo: 0 };
    for (let number = 0; number < this.size; number++) {
      print.hi = this.#hi[number] ?? 0;
      print.lo = this.#lo[number] ?? 0;
      this.#cells[this.#cellOf(print)] = number;
    }
  }
}
