import { logOdds } from '../../base/core/odds.ts';
import type { Unit } from '../../base/core/types.ts';

/** Number of pages with the mean yield that an unknown place is assumed to have had: with k pages seen, its own yield has the weight k / (k + 2). */
const PRIOR_PAGES = 2;
/** The mean yield before the first page: `ASSUMED_PRIOR` of reading/topic/calibrate.ts. */
const FIRST_MEAN: Unit = 0.1;
/** Keeps log-odds finite. */
const LEAST: Unit = 1e-3;

/**
 * Mean relevance of the pages below each host and directory, shrunk to the mean of all pages. Counters are hashed like features: places in the same
 * bucket share their yield, and memory is fixed.
 */
export class Yields {
  readonly #sums: Float32Array;
  readonly #counts: Float32Array;
  #sum = FIRST_MEAN;
  #count = 1;
  /** Mean yield of all pages. */
  #mean: Unit = FIRST_MEAN;
  #meanLogOdds = logOdds(FIRST_MEAN, LEAST);

  /** @param buckets places are numbers below this */
  constructor(buckets: number) {
    this.#sums = new Float32Array(buckets);
    this.#counts = new Float32Array(buckets);
  }

  /** A page was read. @param places from its host down to its directory: those from `start` to `end` */
  add(places: Uint32Array, start: number, end: number, relevance: Unit): void {
    this.#sum += relevance;
    this.#count += 1;
    this.#mean = this.#sum / this.#count;
    this.#meanLogOdds = logOdds(this.#mean, LEAST);
    for (let i = start; i < end; i++) {
      const place = places[i] ?? 0;
      this.#sums[place] = (this.#sums[place] ?? 0) + relevance;
      this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    }
  }

  /** Log-odds of the yield of the deepest place with pages read, minus those of all pages; 0 if there is none. */
  of(places: Uint32Array, start: number, end: number): number {
    for (let i = end - 1; i >= start; i--) if ((this.#counts[places[i] as number] as number) > 0) return this.ofPlace(places[i] as number);
    return 0;
  }

  /** Was a page of it read? */
  knows(place: number): boolean {
    return (this.#counts[place] as number) > 0;
  }

  /** Log-odds of the yield of one place, minus those of all pages; 0 if no page of it was read. */
  ofPlace(place: number): number {
    const pages = this.#counts[place] as number;
    if (pages === 0) return 0;
    return logOdds(((this.#sums[place] as number) + PRIOR_PAGES * this.#mean) / (pages + PRIOR_PAGES), LEAST) - this.#meanLogOdds;
  }
}
