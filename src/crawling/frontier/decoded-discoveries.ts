import type { Bytes } from '../../base/core/types.ts';
import { linkCountOf, StoredLinks } from './packed-discovery.ts';
import type { StoredDiscovery } from './store.ts';

/** Links of decoded discoveries that are kept for leases, which often take links of one page in turn. About 4 MB. */
const CACHED_LINKS = 8192;
/** Cached links for a reader, which reads all discoveries in several orders. About 32 MB. */
const CACHED_TO_READ = 65_536;
/**
 * Committed discoveries with hashed links stay as they were made: those since the last rescoring, in a crawl of 20,000 pages. This is the size of
 * the hashes of their pages, some 1,100 pages with 60 links. With the strings of these pages they take about three times as much.
 */
const MADE_BYTES: Bytes = 8 * 1024 * 1024;

/** Committed discoveries that need not be decoded again, by number. */
export class DecodedDiscoveries {
  /** The last committed ones: leases and the first rescoring need not decode them, nor hash their links again. See `MADE_BYTES`. */
  readonly #made = new Map<number, StoredDiscovery>();
  #madeBytes: Bytes = 0;
  readonly #cache = new Map<number, StoredDiscovery>();
  #cachedLinks = 0;
  /** Cached links at most. */
  readonly #most: number;
  /** Decoded discoveries with more links than that, from crawls of Forager 0.1, which stored all seeds as one discovery. They are few, and slow to decode. */
  readonly #large = new Map<number, StoredDiscovery>();

  constructor(use: 'read' | 'write') {
    this.#most = use === 'write' ? CACHED_LINKS : CACHED_TO_READ;
  }

  get(index: number): StoredDiscovery | undefined {
    return this.#made.get(index) ?? this.#cache.get(index) ?? this.#large.get(index);
  }

  /** Keeps one that was committed. Those committed first are dropped. */
  keepMade(index: number, discovery: StoredDiscovery): void {
    const bytes = hashBytesOf(discovery);
    if (bytes === 0) return;
    this.#made.set(index, discovery);
    this.#madeBytes += bytes;
    for (const [oldest, made] of this.#made) {
      if (this.#madeBytes <= MADE_BYTES) break;
      this.#made.delete(oldest);
      this.#madeBytes -= hashBytesOf(made);
    }
  }

  /** Keeps one that was decoded. The least recently decoded ones are dropped. */
  keep(index: number, found: StoredDiscovery): void {
    const count = linkCountOf(found);
    if (count > this.#most) {
      this.#large.set(index, found);
      return;
    }
    this.#cache.set(index, found);
    this.#cachedLinks += count;
    for (const [oldest, cached] of this.#cache) {
      if (this.#cachedLinks <= this.#most) break;
      this.#cache.delete(oldest);
      this.#cachedLinks -= linkCountOf(cached);
    }
  }
}

/** Size of the hashes of all links of the page, which its links share; 0 if they have none. */
function hashBytesOf(discovery: StoredDiscovery): Bytes {
  // Stored links have no hashes, and asking for one would unpack them all.
  if (discovery instanceof StoredLinks) return 0;
  return discovery.links[0]?.text.hashes?.numbers.byteLength ?? 0;
}
