/** The versions of one page among the records of a harvest: they are no copies of each other. */
import { grown } from '../../base/core/columns.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';

/** Records by their page, as the ordinal of its first record. Memory: some 20 bytes a record if there are several of a page, otherwise none. */
export class SamePages {
  /** Does a page have several records? */
  readonly haveVersions: boolean;
  readonly #urls = new UrlNumbers();
  /** Ordinal of the first record by page, and by record. */
  #firstOfPage = new Uint32Array(0);
  #firstOf = new Uint32Array(0);

  constructor(haveVersions: boolean) {
    this.haveVersions = haveVersions;
  }

  add(ordinal: number, url: string): void {
    if (!this.haveVersions) return;
    const before = this.#urls.size;
    const page = this.#urls.of(url);
    this.#firstOfPage = grown(this.#firstOfPage, page + 1, Uint32Array);
    this.#firstOf = grown(this.#firstOf, ordinal + 1, Uint32Array);
    if (page === before) this.#firstOfPage[page] = ordinal;
    this.#firstOf[ordinal] = this.#firstOfPage[page] as number;
  }

  /** Ordinal of the first record of its page. */
  firstOf(ordinal: number): number {
    return this.haveVersions ? (this.#firstOf[ordinal] ?? ordinal) : ordinal;
  }

  areOne(ordinal: number, other: number): boolean {
    return this.firstOf(ordinal) === this.firstOf(other);
  }
}
