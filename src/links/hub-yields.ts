import type { CanonicalUrl, Unit } from '../core/types.ts';
import { hashText } from '../text/hash-text.ts';
import { Yields } from './yields.ts';

/**
 * What the links of each page led to, as yields: a page whose links proved good is a hub. Counters are hashed.
 */
export class HubYields {
  readonly #yields: Yields;
  readonly #buckets: number;
  /** The number of the page that was asked for last, as `Yields` wants it: the links of a page come together. */
  readonly #place = new Uint32Array(1);
  #placed = '';

  /** @param buckets a power of two */
  constructor(buckets: number) {
    this.#yields = new Yields(buckets);
    this.#buckets = buckets;
  }

  /** A page was read, by a link of `referrer`. */
  add(referrer: CanonicalUrl, relevance: Unit): void {
    this.placeOf(referrer);
    this.#yields.add(this.#place, 0, 1, relevance);
  }

  /** Log-odds of the yield of the links of a page by its number, less those of all pages; 0 where none was followed. */
  of(place: number): number {
    this.#place[0] = place;
    this.#placed = '';
    return this.#yields.of(this.#place, 0, 1);
  }

  /** The number of a page: below the buckets. */
  placeOf(url: CanonicalUrl): number {
    if (url !== this.#placed) this.#place[0] = hashText(url, 0, url.length) & (this.#buckets - 1);
    this.#placed = url;
    return this.#place[0] ?? 0;
  }
}
