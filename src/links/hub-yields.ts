import type { CanonicalUrl, Unit } from '../core/types.ts';
import { hashText } from '../text/hash-text.ts';
import { Yields } from './yields.ts';

/** What is further ahead than this gets no credit to a page: at gamma .5 it would be less than 1 %. */
const MAX_HOPS = 8;

/**
 * What the links of each page led to, as yields: a page whose links proved good is a hub. With `gamma` the pages on the way to it have a share
 * of what they led to further ahead, less by that factor for each hop (discounted as in Rennie & McCallum 1999). Counters are hashed.
 */
export class HubYields {
  readonly #yields: Yields;
  readonly #buckets: number;
  readonly #gamma: Unit;
  /** By which page each page was reached; kept only where it is asked for. Two strings a page. */
  readonly #referrers = new Map<string, CanonicalUrl>();
  /** The number of the page that was asked for last, as `Yields` wants it: the links of a page come together. */
  readonly #place = new Uint32Array(1);
  #placed = '';

  /** @param buckets a power of two. @param gamma below 1 */
  constructor(buckets: number, gamma: Unit) {
    this.#yields = new Yields(buckets);
    this.#buckets = buckets;
    this.#gamma = gamma;
  }

  /** A page was read, by a link of `referrer`. */
  add(url: CanonicalUrl, referrer: CanonicalUrl, relevance: Unit): void {
    this.#add(referrer, relevance, 1);
    if (this.#gamma === 0) return;
    this.#referrers.set(url, referrer);
    let hub = this.#referrers.get(referrer);
    for (let hop = 1; hub !== undefined && hop < MAX_HOPS; hop++) {
      this.#add(hub, relevance, this.#gamma ** hop);
      hub = this.#referrers.get(hub);
    }
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

  #add(url: CanonicalUrl, relevance: Unit, weight: number): void {
    this.placeOf(url);
    this.#yields.add(this.#place, 0, 1, relevance, weight);
  }
}
