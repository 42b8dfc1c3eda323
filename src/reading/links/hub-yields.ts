import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { hashText } from '../../base/text/hash-text.ts';
import { Yields } from './yields.ts';

/** The yield of the links of each page: a page whose links proved good is a hub. Counters are hashed. */
export class HubYields {
  readonly #yields: Yields;
  readonly #buckets: number;
  /** The number of the page that was requested last, in the form that `Yields` takes. The links of a page come together. */
  readonly #place = new Uint32Array(1);
  #placed = '';

  /** @param buckets a power of two */
  constructor(buckets: number) {
    this.#yields = new Yields(buckets);
    this.#buckets = buckets;
  }

  /** A page was read through a link of `referrer`. */
  add(referrer: CanonicalUrl, relevance: Unit): void {
    this.placeOf(referrer);
    this.#yields.add(this.#place, 0, 1, relevance);
  }

  /** Log-odds of the yield of a page's links, minus those of all pages; 0 if no link of it was followed. @param place the number of the page */
  of(place: number): number {
    return this.#yields.ofPlace(place);
  }

  /** The number of a page, below the number of buckets. */
  placeOf(url: CanonicalUrl): number {
    if (url !== this.#placed) this.#place[0] = hashText(url, 0, url.length) & (this.#buckets - 1);
    this.#placed = url;
    return this.#place[0] ?? 0;
  }
}
