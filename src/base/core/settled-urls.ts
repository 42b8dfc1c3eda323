import { type Fingerprint, fingerprint } from './fingerprint.ts';
import type { CanonicalUrl } from './types.ts';

/** Number of places in which a URL may be. */
const WAYS = 4;
/** Number of places; a power of two. 8 MB. A URL that another crowds out is forgotten. */
const PLACES = 2 ** 20;

/**
 * The settled URLs, which one thread knows and others ask about: links to them are no longer useful. The set forgets some URLs. It reports a wrong
 * URL only with the probability of 64-bit fingerprints: an entry that is read during a write has half of one URL and half of another.
 */
export class SettledUrls {
  /** The memory to share with other threads. Fingerprints, hi and lo alternating; 0 for none. Shape [PLACES, 2]. */
  readonly memory: SharedArrayBuffer;
  readonly #prints: Uint32Array;
  readonly #scratch: Fingerprint = { hi: 0, lo: 0 };

  constructor(memory = new SharedArrayBuffer(8 * PLACES)) {
    this.memory = memory;
    this.#prints = new Uint32Array(memory);
  }

  /** Adds a URL. Only one thread may call this. */
  add(url: CanonicalUrl): void {
    const { hi, lo } = this.#printOf(url);
    let place = this.#placeOf(hi, lo);
    if (place < 0) place = firstOf(lo) + (hi % WAYS);
    this.#prints[2 * place] = hi;
    this.#prints[2 * place + 1] = lo;
  }

  has(url: CanonicalUrl): boolean {
    return this.hasPrint(fingerprint(url, this.#scratch));
  }

  /** Whether the set has the URL of a fingerprint. */
  hasPrint(print: Fingerprint): boolean {
    const { lo } = print;
    // As in `#printOf`.
    const hi = print.hi || 1;
    const place = this.#placeOf(hi, lo);
    return place >= 0 && this.#prints[2 * place] === hi;
  }

  /**
   * Asks the memory for the places of a fingerprint, for `hasPrint` to find them near: a page asks about many, and each answer decides a branch, so that
   * they would wait for the memory one after the other. @returns a number without a meaning
   */
  touch(lo: number): number {
    return this.#prints[2 * firstOf(lo)] as number;
  }

  /** 0 means no fingerprint, so one fingerprint in 2^32 is taken for another. */
  #printOf(url: CanonicalUrl): Fingerprint {
    const print = fingerprint(url, this.#scratch);
    print.hi ||= 1;
    return print;
  }

  /** The place of a fingerprint, or a free place for it; -1 if it would crowd out another. */
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
