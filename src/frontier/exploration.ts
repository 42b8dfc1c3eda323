import type { Unit } from '../core/types.ts';
import { combineHashes, hashWord } from '../text/tokens.ts';
import type { Slot } from './url-table.ts';

export interface ExplorationOptions {
  /** Of all visits, those whose URL is drawn. */
  readonly share: Unit;
  readonly seed: number;
}

/** URLs drawn before a turn is given back to the best: with one in twenty free all fail once in 27 turns. */
const DRAWS = 64;

/**
 * A share of the visits goes to URLs drawn from all that may be asked just then, each as likely as any other: what comes of them tells of what
 * waits, whatever the strategy thinks of it. Which turns those are, and what is drawn, follows from the seed and the turn alone, so that a
 * resumed crawl draws the same.
 */
export class Exploration {
  readonly #share: Unit;
  readonly #salt: number;

  constructor({ share, seed }: ExplorationOptions) {
    this.#share = share;
    this.#salt = hashWord(`exploration ${seed}`);
  }

  /** @param turn visits before this one. @param urls slots there are. @returns a free slot; null when the turn is the best URL's */
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

/** A hash as a number in [0, 1), its bits mixed (the finalizer of MurmurHash3: neighbouring turns have neighbouring hashes). */
function unitOf(hash: number): Unit {
  let h = hash >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
