import type { Bytes, HostKey, Unit } from '../core/types.ts';
import { hashText } from '../text/hash-text.ts';
import { combineHashes } from '../text/tokens.ts';
import type { Block, PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';
import { FLAG } from './tags.ts';

export interface FurnitureOptions {
  /** A block is furniture once it stood where it stands, counted from the edge of the main text, on this many pages of its host… */
  readonly minPages?: number;
  /** …and on this share of those seen. */
  readonly minShare?: Unit;
  /** Hosts remembered; the one least lately seen is forgotten first. */
  readonly maxHosts?: number;
  /** Blocks counted for each host. */
  readonly maxBlocks?: number;
}

/** On 46 hosts of the Debian web (test/bench/furniture.ts) 3 pages hardly differ from 5. A share of .05 takes more of what is no furniture, .2 leaves two fifths. */
const MIN_PAGES = 5;
const MIN_SHARE = 0.1;
const MAX_HOSTS = 256;
const MAX_BLOCKS = 1024;
/** Text blocks looked at from either end of the main text: ample, the licences met there have nine lines. */
const REACH = 32;
/** Blocks by which a page may make a run longer: with 1 a licence of nine lines is known only eight pages later. */
const GROWTH = 4;
/** Runs of fewer words are mostly the heads of empty sections: "See also", "Parameters". */
const MIN_RUN_WORDS = 4;
/** Of the pages that have a run, at most this share may go on from it as the page in hand does. Not tuned. */
const MAX_SAME_WAY = 0.5;
/** A page that would lose more of its words than this is left as it is: it is one of many alike, not furniture. */
const MAX_LOST = 0.8;

/**
 * What the pages of a host have in common at the edges of their main text: slogans, licences, copyright lines, rows of links that the
 * look of one page does not give away. Learned from the pages in the order they come, each judged by those before it and itself; the same
 * order, the same result. Nothing is kept on disk: a resumed crawl, and each thread, learns anew.
 *
 * Only a run of blocks that reaches the edge and stands there word for word is furniture. Inside the main text what repeats is mostly its
 * own, the sentences of a reference. A heading ends the run.
 *
 * Memory: at most `maxHosts` × 8 bytes × (2 × `maxBlocks`, rounded up to a power of two), by default 256 × 16 KiB = 4 MiB.
 */
export class SiteFurniture {
  readonly #minPages: number;
  readonly #minShare: Unit;
  readonly #maxHosts: number;
  readonly #maxBlocks: number;
  /** Least lately seen first. */
  readonly #hosts = new Map<HostKey, EdgeCounts>();

  constructor({ minPages = MIN_PAGES, minShare = MIN_SHARE, maxHosts = MAX_HOSTS, maxBlocks = MAX_BLOCKS }: FurnitureOptions = {}) {
    this.#minPages = minPages;
    this.#minShare = minShare;
    this.#maxHosts = maxHosts;
    this.#maxBlocks = maxBlocks;
  }

  /** Memory of the counts. */
  get bytes(): Bytes {
    let bytes = 0;
    for (const counts of this.#hosts.values()) bytes += counts.bytes;
    return bytes;
  }

  /**
   * Learn a page of `host` and take what is furniture out of its text.
   * @param roles the `ROLE` of each block; not changed.
   * @returns `roles` itself, or a copy where furniture is `ROLE.links`. O(blocks + text of the edges).
   */
  strike(host: HostKey, page: PageContent, roles: Uint8Array): Uint8Array {
    if (!roles.includes(ROLE.text)) return roles;
    const counts = this.#countsOf(host);
    counts.pages += 1;
    const need = Math.max(this.#minPages, this.#minShare * counts.pages);
    const struck = [
      ...edgeRun(page, edgeOf(roles, 0, 1), LEAD_SEED, counts, need),
      ...edgeRun(page, edgeOf(roles, roles.length - 1, -1), TRAIL_SEED, counts, need),
    ];
    return struck.length === 0 ? roles : without(struck, page.blocks, roles);
  }

  #countsOf(host: HostKey): EdgeCounts {
    const counts = this.#hosts.get(host) ?? new EdgeCounts(this.#maxBlocks);
    this.#hosts.delete(host);
    this.#hosts.set(host, counts);
    if (this.#hosts.size > this.#maxHosts) this.#forgetOldest();
    return counts;
  }

  #forgetOldest(): void {
    const [oldest] = this.#hosts.keys();
    if (oldest !== undefined) this.#hosts.delete(oldest);
  }
}

/** Tell the two edges apart. */
const LEAD_SEED = 1;
const TRAIL_SEED = 2;

/** Indices of the text blocks from `from` on, at most `REACH`. */
function edgeOf(roles: Uint8Array, from: number, step: 1 | -1): number[] {
  const edge: number[] = [];
  for (let i = from; i >= 0 && i < roles.length && edge.length < REACH; i += step) if (roles[i] === ROLE.text) edge.push(i);
  return edge;
}

/**
 * Counts the blocks of an edge, each by the hash of all from the edge to it, and returns the longest run of those seen `need` times that
 * most pages go on from in another way: copies of one page agree to the end, and are not furniture.
 * Of what no page had before only the first `GROWTH` blocks are counted: the tree of edges grows where pages agree.
 */
function edgeRun(
  { text, blocks }: PageContent,
  edge: readonly number[],
  seed: number,
  counts: EdgeCounts,
  need: number,
): readonly number[] {
  let run = 0;
  let path = seed;
  let before = 0;
  let isShared = true;
  let unseen = 0;
  for (const [at, i] of edge.entries()) {
    const block = blocks[i];
    if (block === undefined) break;
    const isHeading = (block.flags & FLAG.heading) !== 0;
    path = combineHashes(path, hashText(text, block.start, block.end));
    const count = counts.add(path);
    if (isShared && count <= MAX_SAME_WAY * before) run = at;
    isShared &&= count >= need && !isHeading;
    before = count;
    if (count <= 1) unseen += 1;
    if (unseen === GROWTH || isHeading) break;
  }
  const struck = edge.slice(0, run);
  return wordsIn(struck, blocks) < MIN_RUN_WORDS ? [] : struck;
}

function wordsIn(indices: readonly number[], blocks: readonly Block[]): number {
  return indices.reduce((words, i) => words + (blocks[i]?.words ?? 0), 0);
}

function without(struck: readonly number[], blocks: readonly Block[], roles: Uint8Array): Uint8Array {
  const kept = roles.slice();
  for (const i of struck) kept[i] = ROLE.links;
  let words = 0;
  let left = 0;
  blocks.forEach((block, i) => {
    if (roles[i] === ROLE.text) words += block.words;
    if (kept[i] === ROLE.text) left += block.words;
  });
  return words - left > MAX_LOST * words ? roles : kept;
}

/** Slots at first; doubled when half are taken. */
const FIRST_SLOTS = 64;

/**
 * On how many pages of a host a hash was met (Misra, Gries 1982, "Finding repeated elements"): never more than it was, and less by at most
 * sightings / (maxBlocks + 1). A page has 2 × `GROWTH` beyond what it
 * shares with others, and never more than 2 × `REACH`.
 * An open-addressing table, linear probing; a count of 0 is a free slot.
 */
export class EdgeCounts {
  pages = 0;
  readonly #maxBlocks: number;
  #size = 0;
  #hashes = new Int32Array(FIRST_SLOTS);
  #counts = new Uint32Array(FIRST_SLOTS);

  constructor(maxBlocks: number) {
    this.#maxBlocks = maxBlocks;
  }

  get bytes(): Bytes {
    return this.#hashes.byteLength + this.#counts.byteLength;
  }

  /** @returns how often `hash` was added and not forgotten, this time counted; 0 when there was no room for it. */
  add(hash: number): number {
    const slot = this.#slotOf(hash);
    const count = (this.#counts[slot] ?? 0) + 1;
    if (count === 1 && this.#size === this.#maxBlocks) {
      this.#rebuild(this.#hashes.length, 1);
      return 0;
    }
    this.#hashes[slot] = hash;
    this.#counts[slot] = count;
    if (count === 1) this.#size += 1;
    if (this.#size * 2 > this.#hashes.length) this.#rebuild(this.#hashes.length * 2, 0);
    return count;
  }

  /** Every count less by `less`; those at 0 go. O(slots); with 1 it comes at most once in `maxBlocks` sightings. */
  #rebuild(slots: number, less: 0 | 1): void {
    const hashes = this.#hashes;
    const counts = this.#counts;
    this.#hashes = new Int32Array(slots);
    this.#counts = new Uint32Array(slots);
    this.#size = 0;
    counts.forEach((count, i) => {
      if (count <= less) return;
      const hash = hashes[i] ?? 0;
      const slot = this.#slotOf(hash);
      this.#hashes[slot] = hash;
      this.#counts[slot] = count - less;
      this.#size += 1;
    });
  }

  /** Where the hash is, else the free slot it would take. */
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1;
    // FNV's low bits are its weakest.
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#counts[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }
}
