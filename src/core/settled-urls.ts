import { type Fingerprint, fingerprint } from './fingerprint.ts';
import type { CanonicalUrl } from './types.ts';

/** A URL may be in one of so many places. */
const WAYS = 4;
/** Places; a power of two. 8 MB. What is crowded out is forgotten. */
const PLACES = 2 ** 20;

/**
 * URLs that are settled, as one thread knows and others ask: no link to them is wanted any more. It forgets some, and never makes one up but with a
 * probability of 64-bit fingerprints: an entry that is read while it is written has half of one URL and half of another.
 */
export class SettledUrls {
  /** What the others are given. Fingerprints, hi and lo in turn; 0 for none. Shape [PLACES, 2]. */
  readonly memory: SharedArrayBuffer;
  readonly #prints: Uint32Array;
  readonly #scratch: Fingerprint = { hi: 0, lo: 0 };

  constructor(memory = new SharedArrayBuffer(8 * PLACES)) {
    this.memory = memory;
    this.#prints = new Uint32Array(memory);
  }

  /** By one thread only. */
  add(url: CanonicalUrl): void {
    const { hi, lo } = this.#printOf(url);
    let place = this.#placeOf(hi, lo);
    if (place < 0) place = firstOf(lo) + (hi % WAYS);
    this.#prints[2 * place] = hi;
    this.#prints[2 * place + 1] = lo;
  }

  has(url: CanonicalUrl): boolean {
    const { hi, lo } = this.#printOf(url);
    const place = this.#placeOf(hi, lo);
    return place >= 0 && this.#prints[2 * place] === hi;
  }

  /** 0 stands for none, so that one in 2^32 is taken for another. */
  #printOf(url: CanonicalUrl): Fingerprint {
    const print = fingerprint(url, this.#scratch);
    print.hi ||= 1;
    return print;
  }

  /** Where a fingerprint is, or else could be without crowding out another; -1 for nowhere. */
  #placeOf(hi: number, lo: number): number {
    const first = firstOf(lo);
    for (let place = first; place < first + WAYS; place++) {
      const held = this.#prints[2 * place];
      if (held === 0 || (held === hi && this.#prints[2 * place + 1] === lo)) return place;
    }
    return -1;
  }
}

/** The first of the places of a fingerprint. */
function firstOf(lo: number): number {
  return lo & (PLACES - 1) & ~(WAYS - 1);
}
