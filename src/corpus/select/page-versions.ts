/** The versions of pages in a corpus: their numbers, and which is the newest. */
import { grown } from '../../base/core/columns.ts';
import type { CorpusRecord, IsoTime, RecordId } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';

/** Versions that a corpus has of each page: the newest, the newest of a moment (inclusive), or all. */
export type VersionChoice = 'newest' | 'all' | { readonly at: IsoTime };

/** The facts about a version that give it its number. */
export type VersionFacts = Pick<CorpusRecord, 'id' | 'url' | 'fetchedAt'>;

/**
 * Numbers of versions from 1, by their times; of one time, in the order of the records. Ids and URLs are compared by 64-bit hashes. Memory: some 55 bytes a
 * version, outside of the heap.
 */
export class PageVersions {
  readonly #ids = new UrlNumbers();
  readonly #urls = new UrlNumbers();
  /** Number of the page by record. */
  #pageOf = new Uint32Array(0);
  #times = new Float64Array(0);
  #numbers = new Uint32Array(0);
  /** Number of versions by page. */
  #counts = new Uint32Array(0);

  private constructor() {}

  /** Reads all records once. O(n log n). */
  static async of(records: AsyncIterable<VersionFacts>): Promise<PageVersions> {
    const versions = new PageVersions();
    for await (const record of records) versions.#add(record);
    versions.#number();
    return versions;
  }

  get pages(): number {
    return this.#urls.size;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Number of a version, from 1; 0 for a record that is not among them. */
  numberOf(id: RecordId): number {
    return this.#numbers[this.#ids.find(id)] ?? 0;
  }

  isNewest(id: RecordId): boolean {
    const record = this.#ids.find(id);
    return record >= 0 && this.#numbers[record] === this.#counts[this.#pageOf[record] as number];
  }

  #add({ id, url, fetchedAt }: VersionFacts): void {
    const before = this.#ids.size;
    const record = this.#ids.of(id);
    if (record < before) return;
    this.#pageOf = grown(this.#pageOf, record + 1, Uint32Array);
    this.#times = grown(this.#times, record + 1, Float64Array);
    this.#pageOf[record] = this.#urls.of(url);
    this.#times[record] = Date.parse(fetchedAt);
  }

  #number(): void {
    const [pageOf, times] = [this.#pageOf, this.#times];
    const compare = (a: number, b: number) =>
      (pageOf[a] as number) - (pageOf[b] as number) || (times[a] as number) - (times[b] as number) || a - b;
    this.#numbers = new Uint32Array(this.size);
    this.#counts = new Uint32Array(this.pages);
    for (const record of Uint32Array.from({ length: this.size }, (_, i) => i).sort(compare)) {
      const page = pageOf[record] as number;
      const number = (this.#counts[page] as number) + 1;
      this.#counts[page] = number;
      this.#numbers[record] = number;
    }
    this.#times = new Float64Array(0);
  }
}
