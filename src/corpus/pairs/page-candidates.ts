/** Pages that may be one content by their texts: those that share rare marks, or rare sequences of lines. Never all against all. */
import { combineHashes } from '../../base/text/tokens.ts';
import type { MarkCounts } from './page-likeness.ts';
import type { PageSketch } from './page-sketch.ts';

/** Right pages that may have a mark which leads to candidates. More, and it is common: 10^5 pages with one text have no candidates. */
const MAX_HOLDERS = 24;
/** Marks of a page that are followed, the rarest ones. */
const MAX_FOLLOWED = 40;
/** Lines below which a page has the shape of too many others. */
const LEAST_LINES = 4;
/** Bits of a whole number that a double holds. */
const NUMBER_BITS = 53;
const SALT = { pair: 0x3c6ef372, shape: 0x1f83d9ab } as const;

/** Marks of the page's texts and of the order of its lines, each once. */
export function keysOf({ firm, words, lines, lineCount }: PageSketch): Set<number> {
  const keys = new Set([...firm, ...words]);
  let last = 0;
  for (let i = 1; i < lines.length; i += 2) {
    const sum = lines[i] as number;
    if (sum === 0) continue;
    if (last !== 0) keys.add(combineHashes(combineHashes(SALT.pair, last), sum) >>> 0);
    last = sum;
  }
  return lineCount < LEAST_LINES ? keys : keys.add(shapeKey(lines, lineCount));
}

/** Number of lines, and places of the two longest. */
function shapeKey(lines: Uint8Array, lineCount: number): number {
  const [first, second] = Array.from({ length: lines.length / 2 }, (_, i) => i).sort(
    (a, b) => (lines[2 * b] as number) - (lines[2 * a] as number) || a - b,
  );
  return [first ?? 0, second ?? 0].reduce(combineHashes, combineHashes(SALT.shape, lineCount)) >>> 0;
}

/** The right pages by the rare marks they have. Eight bytes a mark and page. */
export class CandidateIndex {
  readonly #entries: Float64Array;
  readonly #scale: number;
  readonly #counts: MarkCounts;

  /** @param keys those of each right page, by `keysOf` */
  constructor(pages: number, keys: (page: number) => Iterable<number>, counts: MarkCounts) {
    this.#counts = counts;
    this.#scale = 2 ** Math.ceil(Math.log2(Math.max(2, pages)));
    const entries: number[] = [];
    for (let page = 0; page < pages; page++) for (const key of keys(page)) if (this.#isRare(key)) entries.push(this.#base(key) + page);
    this.#entries = Float64Array.from(entries).sort();
  }

  /** The right pages with the most information in shared rare marks, best first, at most `most`. */
  candidatesOf(keys: Iterable<number>, most: number): readonly number[] {
    const rare = [...keys].filter((key) => this.#isRare(key)).map((key) => ({ key, weight: this.#counts.weight(key) }));
    rare.sort((a, b) => b.weight - a.weight || a.key - b.key);
    const votes = new Map<number, number>();
    for (const { key, weight } of rare.slice(0, MAX_FOLLOWED))
      for (const page of this.#pagesWith(key)) votes.set(page, (votes.get(page) ?? 0) + weight);
    return [...votes]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, most)
      .map(([page]) => page);
  }

  /** Common on the left is no matter: each left page follows a few marks, and each of these leads to a few right pages. */
  #isRare(key: number): boolean {
    const holders = this.#counts.of(key, 1);
    return holders > 0 && holders <= MAX_HOLDERS && this.#counts.of(key, 0) > 0;
  }

  /** Page numbers take the lowest bits, and the key those that are left of 53. */
  #base(key: number): number {
    const bits = Math.min(32, NUMBER_BITS - Math.log2(this.#scale));
    return Math.floor(key / 2 ** (32 - bits)) * this.#scale;
  }

  *#pagesWith(key: number): Generator<number> {
    const base = this.#base(key);
    let low = 0;
    for (let high = this.#entries.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as number) < base) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < Math.min(this.#entries.length, low + MAX_HOLDERS); at++) {
      const page = (this.#entries[at] as number) - base;
      if (page >= this.#scale) return;
      yield page;
    }
  }
}
