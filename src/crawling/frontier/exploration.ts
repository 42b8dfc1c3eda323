import type { Unit } from '../../base/core/types.ts';
import { combineHashes, hashWord } from '../../base/text/tokens.ts';
import type { Slot } from './url-table.ts';

export interface ExplorationOptions {
  /** Share of all visits whose URL is drawn at random. */
  readonly share: Unit;
  readonly seed: number;
  /** Number of visits near the start that walk at random: every `WARM_UP_EVERY`th until there are so many. Default 0. */
  readonly warmUp?: number;
}

/**
 * A visit of a warm-up comes every so many visits. In between the frontier grows, so later draws are further from the seeds. `npm run bench -- focus
 * --split dev`, 28 topics inside hosts, two draws, area under the recall curve less that without a warm-up (standard error .01), 5 random pages: −.008
 * every second visit, +.014 every fourth, −.006 every eighth; 8 pages: +.006, −.001, −.013.
 */
const WARM_UP_EVERY = 4;

/** Number of visits after which a warm-up is over. */
export function turnsOfWarmUp(warmUp: number): number {
  return warmUp * WARM_UP_EVERY;
}

/** A random visit, and whether it belongs to the warm-up. */
export interface RandomVisit {
  readonly slot: Slot;
  readonly warmUp: boolean;
}

/** The URLs to draw from. */
export interface Drawable {
  /** Number of slots. */
  readonly size: number;
  /** May it be requested now? */
  isFree(slot: Slot): boolean;
  /** Did a list name it: a sitemap, a feed or a file of URLs? */
  isListed(slot: Slot): boolean;
  /** The URL up to its last slash: the unit over which a warm-up spreads. */
  directoryOf(slot: Slot): string;
}

/** Draws before the turn goes back to the best URL. With one URL in twenty free, all draws fail once in 27 turns. */
const DRAWS = 64;
/**
 * Links of a page of the walk that its next step is chosen from, at most. They are stored with the visit, so that a resumed crawl walks on.
 * Also the free URLs that a visit is chosen from if none of these links is free: the one in the directory that fewest of them are in.
 */
const CANDIDATES = 16;

/**
 * A share of the visits goes to URLs drawn from all that may be requested at that time, each with the same probability. Their outcomes show the
 * quality of the waiting URLs, regardless of the strategy's opinion. The visits of a warm-up are a random walk: each follows a link of the page of the
 * one before, the first a link of the last seed. So they leave the neighbourhood of the seeds, which most waiting URLs are in. The turns and the draws
 * depend only on the seed, the number of the turn, the URLs and the walk, so a resumed crawl draws the same.
 */
export class Exploration {
  readonly #share: Unit;
  readonly #salt: number;
  readonly #warmUp: number;
  /** URLs that the last page of the walk links to. */
  #ahead: readonly Slot[] = [];

  constructor({ share, seed, warmUp = 0 }: ExplorationOptions) {
    this.#share = share;
    this.#warmUp = warmUp;
    this.#salt = hashWord(`exploration ${seed}`);
  }

  /** Is the warm-up not over? @param turn number of visits before this one */
  isWarmingUp(turn: number): boolean {
    return turn < turnsOfWarmUp(this.#warmUp);
  }

  /**
   * Moves the walk to a page, unless the page has no links that wait.
   * @param links waiting URLs that it links to
   * @returns those that the next step is chosen from, to be given to `walkOn` after a restart
   */
  walkTo(links: readonly Slot[]): readonly Slot[] {
    const placed = links.map((slot) => ({ slot, place: unitOf(combineHashes(this.#salt, slot)) }));
    const ahead = placed
      .sort((a, b) => a.place - b.place)
      .slice(0, CANDIDATES)
      .map(({ slot }) => slot);
    this.walkOn(ahead);
    return ahead;
  }

  /** @param ahead the last result of `walkTo` that was not empty */
  walkOn(ahead: readonly Slot[]): void {
    if (ahead.length > 0) this.#ahead = ahead;
  }

  /** @param turn number of visits before this one @returns null if the turn belongs to the best URL, or if no drawn URL is free */
  draw(turn: number, urls: Drawable): RandomVisit | null {
    const here = combineHashes(this.#salt, turn);
    if (this.isWarmingUp(turn) && turn % WARM_UP_EVERY === WARM_UP_EVERY - 1) {
      const slot = this.#step(freeSlots(here, urls, CANDIDATES), urls);
      return slot === null ? null : { slot, warmUp: true };
    }
    if (!(unitOf(here) < this.#share)) return null;
    const [slot] = freeSlots(here, urls, 1);
    return slot === undefined ? null : { slot, warmUp: false };
  }

  /**
   * Chooses a visit of the warm-up. Where lists name most waiting URLs, a draw from these is a better sample of the site than a walk: `npm run bench --
   * focus --split dev --seeds 2 --topics "webster Chem,packages,mails,classifiers,matrix,polynomial,docs.kernel.org networking" --strategies
   * apprentice@list,apprentice@list@warm10` .328 without a warm-up, .359 with a walk, .397 with draws (recall-AUC).
   * @param drawn waiting URLs, drawn at random
   */
  #step(drawn: readonly Slot[], urls: Drawable): Slot | null {
    const listed = drawn.filter((slot) => urls.isListed(slot));
    if (2 * listed.length > drawn.length) return listed[0] ?? null;
    return this.#ahead.find((slot) => urls.isFree(slot)) ?? rarest(drawn, urls);
  }
}

/** Draws at most `most` free slots, in the order of the draws. */
function freeSlots(here: number, urls: Drawable, most: number): Slot[] {
  const free: Slot[] = [];
  for (let draw = 1; draw <= DRAWS && free.length < most; draw++) {
    const slot = Math.floor(unitOf(combineHashes(here, draw)) * urls.size);
    if (!free.includes(slot) && urls.isFree(slot)) free.push(slot);
  }
  return free;
}

/** The first slot of the directory that fewest of them are in; null without slots. */
function rarest(slots: readonly Slot[], urls: Drawable): Slot | null {
  const counts = new Map<string, number>();
  const directories = slots.map((slot) => urls.directoryOf(slot));
  for (const directory of directories) counts.set(directory, (counts.get(directory) ?? 0) + 1);
  const least = Math.min(...counts.values());
  return slots.find((_, i) => counts.get(directories[i] ?? '') === least) ?? null;
}

/** A hash as a number in [0, 1). Its bits are mixed by the finalizer of MurmurHash3, because neighbouring turns have neighbouring hashes. */
function unitOf(hash: number): Unit {
  let h = hash >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
