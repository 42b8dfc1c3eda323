import type { Fingerprint } from './fingerprint.ts';
import { placeInChunk, RowChunks } from './row-chunks.ts';

/** Largest share of a segment in use: a new fingerprint then takes eight and a half probes (Knuth, The Art of Computer Programming 3, 6.4). */
const MOST_FILLED = 0.75;
/** Cells of a segment: 16 KB. To split one moves some 3,000 entries, a tenth of a millisecond (`npm run bench -- frontier`). */
const CELLS = 4096;
/** Bits of a fingerprint that choose its segment: enough for 10^10 fingerprints. Segments of fingerprints that somebody made alike grow instead. */
const MOST_DEPTH = 22;

/** Numbers that a column has for each segment: its first place, its depth, and the number of its used cells. */
const HEAD = 3;

/** An index as bytes, in parts. Those to restore have a memory of their own for each part. */
export interface IndexColumns {
  /** Fingerprints in the order of their numbers. */
  readonly fingerprints: readonly Uint8Array[];
  /** Cells of each segment. */
  readonly cells: readonly Uint8Array[];
  readonly segments: readonly Uint8Array[];
}

/** Entries whose upper halves have the same lowest `depth` bits. */
class Segment {
  /** One more than the number of an entry; 0 is free. */
  cells: Uint32Array;
  used = 0;
  depth: number;

  constructor(depth: number, cells: Uint32Array = new Uint32Array(CELLS)) {
    this.depth = depth;
    this.cells = cells;
  }

  get isFull(): boolean {
    return this.used > MOST_FILLED * this.cells.length;
  }

  /** Adds an entry that is not there. @param lo the lower half of its fingerprint */
  add(entry: number, lo: number): void {
    const mask = this.cells.length - 1;
    let cell = lo & mask;
    while (this.cells[cell] !== 0) cell = (cell + 1) & mask;
    this.cells[cell] = entry;
    this.used += 1;
  }
}

/**
 * Numbers of fingerprints, from 0 in the order of their arrival. Extendible hashing (Fagin, Nievergelt, Pippenger, Strong 1979): the index is in
 * segments, and a full segment is split in two. So no call moves more than the entries of one segment. 8 bytes a fingerprint and 5 to 11 of index.
 *
 * It is the one table of fingerprints. Three others are no such table: `SettledUrls` forgets, and threads share its memory; `LruMap` keeps an order of use;
 * the counts of `word-runs.ts` are emptied in O(1) before each text.
 */
export class FingerprintIndex {
  size = 0;
  /** The upper and the lower half of each fingerprint. */
  readonly #prints = new RowChunks(8);
  /**
   * Segments by the lowest bits of the upper half. A segment is there once for each combination of the bits that it does not distinguish.
   */
  #segments: Segment[] = [new Segment(0)];

  /** -1 for a fingerprint without a number. */
  find(print: Fingerprint): number {
    const { cells } = this.#segmentOf(print.hi);
    return (cells[this.#cellOf(cells, print)] ?? 0) - 1;
  }

  /** The number of a fingerprint; one without a number gets the next. */
  of(print: Fingerprint): number {
    const segment = this.#segmentOf(print.hi);
    const cell = this.#cellOf(segment.cells, print);
    const known = segment.cells[cell] ?? 0;
    if (known > 0) return known - 1;
    const number = this.size++;
    this.#prints.reserve(this.size);
    const { words } = this.#prints.of(number);
    words[2 * placeInChunk(number)] = print.hi;
    words[2 * placeInChunk(number) + 1] = print.lo;
    segment.cells[cell] = number + 1;
    segment.used += 1;
    if (segment.isFull) this.#relieve(segment, print.hi);
    return number;
  }

  /** The fingerprint of a number. @param into is overwritten and returned */
  print(number: number, into: Fingerprint): Fingerprint {
    const { words } = this.#prints.of(number);
    into.hi = words[2 * placeInChunk(number)] ?? 0;
    into.lo = words[2 * placeInChunk(number) + 1] ?? 0;
    return into;
  }

  /** Everything as bytes. They share memory with this index. */
  columns(): IndexColumns {
    const cells: Uint8Array[] = [];
    const heads: number[] = [];
    for (const [at, segment] of this.#segments.entries()) {
      const isFirst = at < 2 ** segment.depth;
      if (!isFirst) continue;
      cells.push(new Uint8Array(segment.cells.buffer));
      heads.push(at, segment.depth, segment.used);
    }
    return { fingerprints: this.#prints.parts(this.size), cells, segments: [new Uint8Array(Uint32Array.from(heads).buffer)] };
  }

  /** Takes the state of another index in place of its first state, and keeps the memory of the columns. O(segments). */
  restore({ fingerprints, cells, segments: [heads = new Uint8Array()] }: IndexColumns): void {
    this.size = this.#prints.restore(fingerprints);
    const numbers = new Uint32Array(heads.buffer);
    const segments = cells.map(({ buffer }, i) => {
      const segment = new Segment(numbers[HEAD * i + 1] ?? 0, new Uint32Array(buffer));
      segment.used = numbers[HEAD * i + 2] ?? 0;
      return segment;
    });
    const length = 2 ** segments.reduce((most, { depth }) => Math.max(most, depth), 0);
    this.#segments = new Array<Segment>(length);
    for (const [i, segment] of segments.entries())
      for (let at = numbers[HEAD * i] ?? 0; at < length; at += 2 ** segment.depth) this.#segments[at] = segment;
  }

  #segmentOf(hi: number): Segment {
    // The number of segments is a power of two, so there is one for each value of these bits.
    return this.#segments[hi & (this.#segments.length - 1)] as Segment;
  }

  /** The cell with this fingerprint, or the free cell for it. Linear probing. */
  #cellOf(cells: Uint32Array, { hi, lo }: Fingerprint): number {
    const mask = cells.length - 1;
    for (let cell = lo & mask; ; cell = (cell + 1) & mask) {
      const entry = cells[cell] ?? 0;
      if (entry === 0) return cell;
      const { words } = this.#prints.of(entry - 1);
      const at = 2 * placeInChunk(entry - 1);
      if (words[at + 1] === lo && words[at] === hi) return cell;
    }
  }

  #relieve(segment: Segment, hi: number): void {
    if (segment.depth < MOST_DEPTH) this.#split(segment, hi);
    else this.#refill(segment, segment, 2 * segment.cells.length);
  }

  /** @param hi the upper half of one of its entries */
  #split(segment: Segment, hi: number): void {
    const bit = 1 << segment.depth;
    if (bit === this.#segments.length) this.#segments = [...this.#segments, ...this.#segments];
    segment.depth += 1;
    const sibling = new Segment(segment.depth);
    for (let at = (hi & (bit - 1)) | bit; at < this.#segments.length; at += 2 * bit) this.#segments[at] = sibling;
    this.#refill(segment, sibling, CELLS, bit);
  }

  /** Moves all entries to new cells: those with `bit` in their upper half to the sibling. */
  #refill(segment: Segment, sibling: Segment, length: number, bit = 0): void {
    const { cells } = segment;
    segment.cells = new Uint32Array(length);
    segment.used = 0;
    for (const entry of cells) {
      if (entry === 0) continue;
      const { words } = this.#prints.of(entry - 1);
      const at = 2 * placeInChunk(entry - 1);
      const home = ((words[at] ?? 0) & bit) === 0 ? segment : sibling;
      home.add(entry, words[at + 1] ?? 0);
    }
  }
}
