import type { Unit } from '../core/types.ts';
import { combineHashes, hashWord } from '../text/tokens.ts';
import type { Slot } from './url-table.ts';

export interface ExplorationOptions {
  /** Share of all visits whose URL is drawn at random. */
  readonly share: Unit;
  readonly seed: number;
}

/** Draws before the turn goes back to the best URL. With one URL in twenty free, all draws fail once in 27 turns. */
const DRAWS = 64;

/**
 * A share of the visits goes to URLs drawn from all that may be requested at that time, each with the same probability. Their outcomes show the
 * quality of the waiting URLs, regardless of the strategy's opinion. The turns and the draws depend only on the seed and the number of the turn, so a
 * resumed crawl draws the same.
 */
export class Exploration {
  readonly #share: Unit;
  readonly #salt: number;

  constructor({ share, seed }: ExplorationOptions) {
    this.#share = share;
    this.#salt = hashWord(`exploration ${seed}`);
  }

  /** @param turn number of visits before this one @param urls number of slots @returns a free slot; null if the turn belongs to the best URL */
  draw(turn: number, urls: number, isFree: (slot: Slot) => boolean): Slot | null {
    const here = combineHashes(this.#salt, turn);
    if (!(unitOf(here) < this.#share)) return null;
    for (let draw = 1; draw <= DRAWS; draw++) {
      const slot = Math.floor(unitOf(combineHashes(here, draw)) * urls);
      if (isFree(slot)) return slot;
    }
    return null;
  }
}

/** A hash as a number in [0, 1). Its bits are mixed by the finalizer of MurmurHash3, because neighbouring turns have neighbouring hashes. */
function unitOf(hash: number): Unit {
  let h = hash >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
