import { type Fingerprint, fingerprint } from './fingerprint.ts';
import { FingerprintIndex, type IndexColumns } from './fingerprint-index.ts';

/** Numbers for URLs, or for ids of records, from 0 in the order of their arrival. 64-bit fingerprints distinguish them: 13 to 19 bytes each, no strings. */
export class UrlNumbers {
  readonly #index = new FingerprintIndex();
  readonly #scratch: Fingerprint = { hi: 0, lo: 0 };

  get size(): number {
    return this.#index.size;
  }

  /** -1 for a URL without a number. */
  find(url: string): number {
    return this.#index.find(fingerprint(url, this.#scratch));
  }

  /** The number of a URL; a URL without one gets a new number. O(length), and no call takes more than a fraction of a millisecond. */
  of(url: string): number {
    return this.#index.of(fingerprint(url, this.#scratch));
  }

  /** The fingerprints of all URLs and their index as bytes. They share memory with this object. */
  columns(): IndexColumns {
    return this.#index.columns();
  }

  /** Takes the numbers of other URLs; it has none of its own. It keeps the memory of the columns. */
  restore(columns: IndexColumns): void {
    this.#index.restore(columns);
  }
}
