import { grown } from '../../base/core/columns.ts';
import type { CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';

/** Versions of pages: the last one of a URL is the newest. Each call starts at the first page, and has at least the URLs of the first call. */
export type VersionWalk = () => Iterable<readonly [url: CanonicalUrl, id: RecordId]>;

const NONE = -1;

/**
 * The newest version of each kept page: the records that a corpus must have. Ids and URLs are compared by 64-bit hashes. Memory: 30 to 50 bytes a page,
 * outside of the heap. Pages are numbered from 0; a URL itself comes from a second walk.
 */
export class KeptRecords {
  readonly #walk: VersionWalk;
  readonly #pages = new UrlNumbers();
  readonly #records = new UrlNumbers();
  /** Number of the page whose newest version a record is, by record. */
  #pageOf = new Int32Array(0);

  constructor(walk: VersionWalk) {
    this.#walk = walk;
    let newest = new Int32Array(0);
    for (const [url, id] of walk()) {
      const page = this.#pages.of(url);
      const record = this.#records.of(id);
      newest = grown(newest, this.#pages.size, Int32Array, NONE);
      this.#pageOf = grown(this.#pageOf, this.#records.size, Int32Array, NONE);
      const before = newest[page] ?? NONE;
      if (before !== NONE) this.#pageOf[before] = NONE;
      newest[page] = record;
      this.#pageOf[record] = page;
    }
  }

  /** Number of pages. */
  get size(): number {
    return this.#pages.size;
  }

  /** Is it the newest version of its page? */
  has(id: RecordId): boolean {
    return this.pageOf(id) !== NONE;
  }

  /** Is a version of the page kept? */
  knows(url: CanonicalUrl): boolean {
    return this.#pages.find(url) !== NONE;
  }

  /** The number of the page whose newest version it is; -1 if it is none. */
  pageOf(id: RecordId): number {
    return this.#pageOf[this.#records.find(id)] ?? NONE;
  }

  /** URLs by page, in the order of the walk. O(pages). @param wanted is called with the numbers of pages */
  urls(wanted: (page: number) => boolean): Map<number, CanonicalUrl> {
    const urls = new Map<number, CanonicalUrl>();
    for (const [url] of this.#walk()) {
      const page = this.#pages.find(url);
      if (page !== NONE && wanted(page)) urls.set(page, url);
    }
    return urls;
  }
}
