/** URLs drawn at random from a list of any length. */
import { type Fingerprint, fingerprint } from '../../base/core/fingerprint.ts';
import { FingerprintIndex } from '../../base/core/fingerprint-index.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { chanceOf } from '../../corpus/select/page-draw.ts';

interface Drawn {
  readonly url: CanonicalUrl;
  readonly chance: number;
}

/** Times as many as are wanted are held before the rest goes. */
const HELD = 4;

/**
 * The `count` URLs of a list with the least chances, which follow from seed and URL alone: a simple random sample without repetition. The order of
 * the list makes no difference. A larger draw with the same seed begins with the smaller one. About 16 bytes for each distinct URL.
 */
export class UrlDraw {
  readonly #seed: number;
  readonly #count: number;
  readonly #seen = new FingerprintIndex();
  readonly #print: Fingerprint = { hi: 0, lo: 0 };
  #held: Drawn[] = [];

  constructor(seed: number, count: number) {
    [this.#seed, this.#count] = [seed, count];
  }

  /** Number of distinct URLs so far. */
  get listed(): number {
    return this.#seen.size;
  }

  offer(url: CanonicalUrl): void {
    const known = this.#seen.size;
    fingerprint(url, this.#print);
    if (this.#seen.of(this.#print) < known) return;
    this.#held.push({ url, chance: chanceOf(this.#seed, url) });
    if (this.#held.length >= HELD * this.#count) this.#held = this.#least();
  }

  /** The drawn URLs in random order. */
  get drawn(): CanonicalUrl[] {
    return this.#least().map(({ url }) => url);
  }

  #least(): Drawn[] {
    return this.#held.sort((a, b) => a.chance - b.chance || (a.url < b.url ? -1 : 1)).slice(0, this.#count);
  }
}
