/** The pages of a harvest that are copies of each other except for some words. */
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { grown } from '../../base/core/columns.ts';
import type { Bytes, CorpusRecord, RecordId, Unit } from '../../base/core/types.ts';
import { jaccard, sharedShingles, shinglesOf } from '../../base/text/shingles.ts';
import { BANDS, bandKeys, minHash, PERMUTATIONS } from './min-hash.ts';
import { PageClusters } from './page-clusters.ts';
import { ScratchFile } from './scratch-file.ts';

/**
 * Number of pages of one band that a page is compared with, nearest in size first, those already in its cluster not counted. Pages of one
 * template can fill a band without being copies; without a bound it costs the square of its pages. Pairs of similarity .8 share 5 bands on average.
 */
const MAX_COMPARED = 100;
/** Shingles that are held in memory. The next band often compares the same pages. */
const CACHE_BYTES: Bytes = 16 * 1024 * 1024;
/** Pairs that are remembered as different, so that 32 bands do not compare them again. 16 bytes each. */
const MAX_DIFFERENT = 500_000;
/** Comparisons between two turns of the event loop: some milliseconds. */
const COMPARED_AT_ONCE = 500;
/** Ids of records are `urn:uuid:` and 36 characters; longer ones have no place here. */
const ID_BYTES: Bytes = 64;
/** One shingle of 16, by its hash, is looked up to find the pages that contain a page (Broder 1997, "mod m"): 62 of a page of 1,000 words. */
const SAMPLED = 16;
/** A sampled shingle of more pages belongs to a template and is not looked up. */
const MAX_CONTAINERS = 200;
/** Share of a page's sampled shingles that a container must have to be compared: far below .9, since few are sampled. */
const LEAST_SAMPLED_SHARE = 0.6;

/** Another page, and how much of both is shared, in [0, 1]. */
export interface Likeness {
  readonly ordinal: number;
  readonly similarity: Unit;
}

/**
 * Shingles of pages on disk, the keys of their bands in memory: 190 bytes a page. Pages are numbered by their place in the harvest. Add all pages, then
 * call `cluster` once.
 */
export class NearIndex {
  readonly clusters = new PageClusters();
  readonly #file: ScratchFile;
  readonly #signature = new Int32Array(PERMUTATIONS);
  readonly #cache = new Map<number, BigUint64Array>();
  #cachedBytes: Bytes = 0;
  readonly #different = new Set<number>();
  #keys = new Uint32Array(0);
  #offsets = new Float64Array(0);
  /** Number of shingles; 0 for a page that is not here or has no words. */
  #counts = new Uint32Array(0);
  #relevances = new Float64Array(0);
  #textLengths = new Uint32Array(0);
  #urlLengths = new Uint32Array(0);
  /** One more than a page that was found to be a copy; 0 for none. */
  #copies = new Uint32Array(0);
  #pages = 0;

  /** @param folder for the shingles, 8 bytes a word; created with the first page */
  constructor(folder: string) {
    this.#file = new ScratchFile(join(folder, 'shingles'));
  }

  /** Takes about 0.4 ms for 1,000 words. Ordinals must ascend. @throws StoreError */
  add(ordinal: number, { id, url, text, relevance }: CorpusRecord): void {
    this.#enlarge(ordinal + 1);
    this.#pages = ordinal + 1;
    const shingles = shinglesOf(text);
    this.#counts[ordinal] = shingles.length;
    this.#relevances[ordinal] = relevance;
    this.#textLengths[ordinal] = text.length;
    this.#urlLengths[ordinal] = url.length;
    this.#offsets[ordinal] = this.#file.size;
    const idBytes = Buffer.alloc(ID_BYTES);
    idBytes.write(id.slice(0, ID_BYTES));
    this.#file.append(idBytes);
    this.#file.append(new Uint8Array(shingles.buffer, shingles.byteOffset, shingles.byteLength));
    if (shingles.length > 0) bandKeys(minHash(shingles, this.#signature), this.#keys, ordinal * BANDS);
  }

  /**
   * Joins pages of which at least that share of shingles is common. Pairs that share a band are compared by all their shingles, so none below the
   * threshold is joined; a pair at .8 is found with probability .997. Pages may be in one cluster by a chain of such pairs.
   * O(32·n·log n), and a comparison (0.02 ms for 1,000 words) for each page of a cluster.
   * @param onWork called often; an error of it ends the work
   * @throws StoreError
   */
  async cluster(threshold: Unit, onWork: () => void): Promise<void> {
    const keyed = new BigUint64Array(this.#pages);
    const halves = new Uint32Array(keyed.buffer);
    let compared = 0;
    for (let band = 0; band < BANDS; band++) {
      const filled = this.#fillBand(band, halves);
      keyed.subarray(0, filled).sort();
      for (const members of runsOf(halves, filled)) {
        compared += this.#compareAll(members, threshold);
        if (compared < COMPARED_AT_ONCE) continue;
        compared = 0;
        await turnOfLoop();
        onWork();
      }
      await turnOfLoop();
      onWork();
    }
    this.#different.clear();
  }

  /**
   * Pages of which at least that share of shingles is in another, larger page: shortened copies. Compares the pages that share many of their sampled
   * shingles. A page of 100 words at .9 is found with probability .99 or more.
   * Memory: 8 bytes for each 16 words.
   * @param isIn pages to compare
   * @param areCopies may one of the two be a copy of the other?
   * @returns for each contained page, the page that contains most of it
   * @throws StoreError
   */
  async contained(
    least: Unit,
    isIn: (ordinal: number) => boolean,
    areCopies: (page: number, other: number) => boolean,
    onWork: () => void,
  ): Promise<Map<number, Likeness>> {
    const sampled = await this.#sampled(isIn, onWork);
    const found = new Map<number, Likeness>();
    for (let page = 0; page < this.#pages; page++) {
      if (!this.#counts[page] || !isIn(page)) continue;
      const container = this.#containerOf(page, least, sampled, areCopies);
      if (container) found.set(page, container);
      if (page % COMPARED_AT_ONCE === 0) {
        await turnOfLoop();
        onWork();
      }
    }
    return found;
  }

  /** Jaccard similarity of two pages by all their shingles, in [0, 1]. @throws StoreError */
  similarity(page: number, other: number): Unit {
    return jaccard(this.#shingles(page), this.#shingles(other));
  }

  /** A page whose comparison put this one in its cluster; null if it is alone. */
  copyOf(page: number): number | null {
    return this.#copies[page] ? (this.#copies[page] as number) - 1 : null;
  }

  /** @throws StoreError */
  id(page: number): RecordId {
    const bytes = Buffer.alloc(ID_BYTES);
    this.#file.read(bytes, this.#offsets[page] ?? 0);
    return bytes.toString('utf8', 0, bytes.indexOf(0) < 0 ? ID_BYTES : bytes.indexOf(0)) as RecordId;
  }

  /** Negative if the first of two pages is to be kept rather: higher relevance, then longer text, then shorter URL, then the first. */
  compare(page: number, other: number): number {
    const of = (column: Float64Array | Uint32Array, at: number) => column[at] ?? 0;
    return (
      of(this.#relevances, other) - of(this.#relevances, page) ||
      of(this.#textLengths, other) - of(this.#textLengths, page) ||
      of(this.#urlLengths, page) - of(this.#urlLengths, other) ||
      page - other
    );
  }

  /** Number of pages, those without words included. */
  get pages(): number {
    return this.#pages;
  }

  close(): void {
    this.#file.close();
    this.#cache.clear();
  }

  /** Writes key and page of each page with words. @returns their number */
  #fillBand(band: number, halves: Uint32Array): number {
    let filled = 0;
    for (let page = 0; page < this.#pages; page++) {
      if (!this.#counts[page]) continue;
      halves[2 * filled] = page;
      halves[2 * filled + 1] = this.#keys[page * BANDS + band] as number;
      filled++;
    }
    return filled;
  }

  /** Compares pages of one band. @returns number of comparisons */
  #compareAll(members: number[], threshold: Unit): number {
    const count = (page: number) => this.#counts[page] as number;
    members.sort((a, b) => count(a) - count(b) || a - b);
    let compared = 0;
    for (const [i, page] of members.entries()) {
      let left = MAX_COMPARED;
      for (let j = i + 1; j < members.length && left > 0; j++) {
        const other = members[j] as number;
        // No more can be shared than the smaller has.
        if (count(page) < threshold * count(other)) break;
        if (this.clusters.find(page) === this.clusters.find(other)) continue;
        left--;
        compared++;
        this.#compare(page, other, threshold);
      }
    }
    return compared;
  }

  #compare(page: number, other: number, threshold: Unit): void {
    const pair = Math.min(page, other) * 2 ** 26 + Math.max(page, other);
    if (this.#different.has(pair)) return;
    if (this.similarity(page, other) >= threshold) {
      this.clusters.join(page, other);
      this.#copies[page] ||= other + 1;
      this.#copies[other] ||= page + 1;
      return;
    }
    if (this.#different.size >= MAX_DIFFERENT) this.#different.clear();
    this.#different.add(pair);
  }

  /** Sampled shingle (upper half of its hash) and page, for all pages that are in, in ascending order. */
  async #sampled(isIn: (ordinal: number) => boolean, onWork: () => void): Promise<BigUint64Array> {
    let sampled = new Uint32Array(1024);
    let filled = 0;
    for (let page = 0; page < this.#pages; page++) {
      if (!this.#counts[page] || !isIn(page)) continue;
      for (const key of sampledKeys(this.#shingles(page))) {
        sampled = grown(sampled, 2 * filled + 2, Uint32Array);
        sampled[2 * filled] = page;
        sampled[2 * filled + 1] = key;
        filled++;
      }
      if (page % COMPARED_AT_ONCE === 0) {
        await turnOfLoop();
        onWork();
      }
    }
    return new BigUint64Array(sampled.buffer, 0, filled).sort();
  }

  #containerOf(page: number, least: Unit, sampled: BigUint64Array, areCopies: (page: number, other: number) => boolean): Likeness | null {
    const shingles = this.#shingles(page);
    const shared = new Map<number, number>();
    let looked = 0;
    for (const key of sampledKeys(shingles)) {
      const holders = holdersOf(sampled, key);
      if (holders === null) continue;
      looked++;
      for (const holder of holders) if (holder !== page) shared.set(holder, (shared.get(holder) ?? 0) + 1);
    }
    let best: Likeness | null = null;
    for (const [ordinal, keys] of shared) {
      if (keys < LEAST_SAMPLED_SHARE * looked || !areCopies(page, ordinal) || !this.#isLarger(ordinal, page)) continue;
      const similarity = sharedShingles(shingles, this.#shingles(ordinal)) / shingles.length;
      if (similarity >= least && similarity > (best?.similarity ?? 0)) best = { ordinal, similarity };
    }
    return best;
  }

  /** Has more shingles; of equal numbers, the one to be kept. So no two pages contain each other. */
  #isLarger(page: number, other: number): boolean {
    const difference = (this.#counts[page] as number) - (this.#counts[other] as number);
    return difference > 0 || (difference === 0 && this.compare(page, other) < 0);
  }

  #shingles(page: number): BigUint64Array {
    const cached = this.#cache.get(page);
    if (cached) return cached;
    const shingles = new BigUint64Array(this.#counts[page] as number);
    this.#file.read(new Uint8Array(shingles.buffer), (this.#offsets[page] as number) + ID_BYTES);
    this.#cache.set(page, shingles);
    this.#cachedBytes += shingles.byteLength;
    for (const [oldest, { byteLength }] of this.#cache) {
      if (this.#cachedBytes <= CACHE_BYTES || oldest === page) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= byteLength;
    }
    return shingles;
  }

  #enlarge(pages: number): void {
    this.#keys = grown(this.#keys, pages * BANDS, Uint32Array);
    this.#offsets = grown(this.#offsets, pages, Float64Array);
    this.#counts = grown(this.#counts, pages, Uint32Array);
    this.#relevances = grown(this.#relevances, pages, Float64Array);
    this.#textLengths = grown(this.#textLengths, pages, Uint32Array);
    this.#urlLengths = grown(this.#urlLengths, pages, Uint32Array);
    this.#copies = grown(this.#copies, pages, Uint32Array);
  }
}

/** The pages of each key that several have. @param halves page and key, by key */
function* runsOf(halves: Uint32Array, filled: number): Generator<number[]> {
  for (let start = 0; start < filled; ) {
    let end = start + 1;
    while (end < filled && halves[2 * end + 1] === halves[2 * start + 1]) end++;
    if (end - start > 1) yield Array.from({ length: end - start }, (_, i) => halves[2 * (start + i)] as number);
    start = end;
  }
}

/** The upper halves of the hashes whose lower half is a multiple of 16. */
function* sampledKeys({ buffer, byteOffset, length }: BigUint64Array): Generator<number> {
  const halves = new Uint32Array(buffer, byteOffset, 2 * length);
  for (let i = 0; i < halves.length; i += 2) if ((halves[i] as number) % SAMPLED === 0) yield halves[i + 1] as number;
}

/** The pages with a sampled shingle; null if they are too many. */
function holdersOf(sampled: BigUint64Array, key: number): number[] | null {
  const halves = new Uint32Array(sampled.buffer, sampled.byteOffset, 2 * sampled.length);
  let low = 0;
  for (let high = sampled.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((halves[2 * middle + 1] as number) < key) low = middle + 1;
    else high = middle;
  }
  const holders: number[] = [];
  for (let at = low; at < sampled.length && halves[2 * at + 1] === key; at++) {
    if (holders.length === MAX_CONTAINERS) return null;
    holders.push(halves[2 * at] as number);
  }
  return holders;
}
